// Safe: every pointer is used inside the closure that lends it, and no read passes its count.
extension String {
  /// Whether both are the same UTF-8, where `==` would also accept canonical equivalents.
  package func hasSameBytes(as other: String) -> Bool {
    let (left, right) = (utf8, other.utf8)
    guard left.count == right.count else { return false }
    let answer = left.withContiguousStorageIfAvailable { left in
      right.withContiguousStorageIfAvailable { right in
        UnsafeRawBufferPointer(left).hasSameBytes(as: UnsafeRawBufferPointer(right))
      }
    }
    return (answer ?? nil) ?? left.elementsEqual(right)
  }

  /// Feeds the UTF-8, so that strings with the same bytes hash alike and others need not.
  package func hashBytes(into hasher: inout Hasher) {
    let isFed: Void? = utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isFed == nil {
      Array(utf8).withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    hasher.combine(UInt8(0xFF))
  }

  /// Whether the UTF-8 sorts before the other's, which is the order of code points.
  package func precedesByBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether both hold the same bytes, compared eight at a time.
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard baseAddress != other.baseAddress else { return true }
    var offset = 0
    while offset + 8 <= count {
      guard
        loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      else { return false }
      offset += 8
    }
    while offset < count {
      guard self[offset] == other[offset] else { return false }
      offset += 1
    }
    return true
  }

  /// The length of the common prefix in bytes, compared eight at a time.
  package func sharedPrefix(with other: UnsafeRawBufferPointer) -> Int {
    let shorter = Swift.min(count, other.count)
    var offset = 0
    while offset + 8 <= shorter,
      loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    {
      offset += 8
    }
    while offset < shorter, self[offset] == other[offset] { offset += 1 }
    return offset
  }
}

extension Array {
  /// Whether both are certainly equal, because they share the same memory.
  ///
  /// Safe: the addresses are compared and never read through.
  package func sharesStorage(with other: [Element]) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { left in
        other.withUnsafeBufferPointer { right in left.baseAddress == right.baseAddress }
      }
  }
}
