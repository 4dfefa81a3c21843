extension String {
  /// Whether both are the same UTF-8, where `==` would also accept canonical equivalents.
  package func hasSameBytes(as other: String) -> Bool {
    let (left, right) = (utf8, other.utf8)
    return left.count == right.count && left.elementsEqual(right)
  }

  /// Feeds the UTF-8, so that strings with the same bytes hash alike and others need not.
  package func hashBytes(into hasher: inout Hasher) {
    for byte in utf8 { hasher.combine(byte) }
    hasher.combine(UInt8(0xFF))
  }

  /// Whether the UTF-8 comes before the other's, the order of code points.
  package func precedesByBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
