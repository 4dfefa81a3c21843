/// Compares two values of a type by their bytes in memory, without encoding them.
///
/// ```
/// let same = ByteEquality<[Int]>()
/// let one = [1, 2, 3]
/// let copy = one
/// assert(same.isCertain(one, copy))
/// ```
package struct ByteEquality<Value>: Sendable {
  private let layout = ByteLayout.of(Value.self)

  /// For types whose bytes do not determine the value, the result is never certain.
  package init() {}

  /// Whether two values can be certainly the same. If so, no value changes behind a reference.
  package var isDecidable: Bool { layout != nil }

  /// Whether two values are certainly the same; false if they differ or it is unknown.
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
