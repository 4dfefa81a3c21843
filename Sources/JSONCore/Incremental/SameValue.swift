/// Tells by their bytes in memory that two values of a type are the same, without encoding them.
///
/// ```swift
/// let same = SameValue<[Int]>()
/// let one = [1, 2, 3]
/// let copy = one
/// assert(same.isCertain(one, copy))
/// ```
package struct SameValue<Value>: Sendable {
  private let layout = ByteLayout.of(Value.self)

  /// For types whose bytes prove nothing it is never certain.
  package init() {}

  /// Whether two values are certainly the same; false also where it is not known.
  package func isCertain(_ one: Value, _ other: Value) -> Bool {
    guard let layout else { return false }
    // Safe: the pointers are lent for the calls, and only bytes of the values are read.
    return withUnsafeBytes(of: one) { one in
      withUnsafeBytes(of: other) { other in
        guard let one = one.baseAddress, let other = other.baseAddress else { return true }
        return layout.isSameByBytes(one, other)
      }
    }
  }
}
