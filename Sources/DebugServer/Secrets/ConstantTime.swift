/// Comparison in constant time, which does not reveal where two secrets differ.
package enum ConstantTime {
  /// Whether both are the same bytes. The time it takes reveals only their lengths.
  package static func equal(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool
  {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for (one, other) in zip(left, right) { difference |= one ^ other }
    return difference == 0
  }

  /// Whether both are the same text, byte by byte.
  package static func equal(_ left: String, _ right: String) -> Bool {
    equal(Array(left.utf8), Array(right.utf8))
  }
}
