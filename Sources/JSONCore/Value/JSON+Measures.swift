// Measurements of a value that do not write it.
extension JSON {
  /// Whether arrays and objects are nested at most that many levels deep.
  func isNested(maximumDepth depth: Int) -> Bool {
    switch self {
    case .array(let array):
      return depth > 0 && array.allSatisfy { $0.isNested(maximumDepth: depth - 1) }
    case .object(let object):
      return depth > 0 && object.places.allSatisfy { $0.value.isNested(maximumDepth: depth - 1) }
    default:
      return true
    }
  }

  /// The bytes of the text without white space, or any larger number than `limit` once they
  /// exceed it.
  ///
  /// The walk stops there, so that its cost depends on `limit`, not on the size of the value.
  package func byteCount(upTo limit: Int = .max) -> Int {
    switch self {
    case .null: return 4
    case .bool(let bool): return bool ? 4 : 5
    case .number(let number): return number.byteCount
    case .string(let string): return string.writtenByteCount(upTo: limit)
    case .array(let array):
      var count = 1 + max(array.count, 1)  // brackets and commas
      for element in array {
        guard count <= limit else { return count }
        count += element.byteCount(upTo: limit - count)
      }
      return count
    case .object(let object):
      var count = 1 + max(2 * object.count, 1)  // braces, colons and commas
      for member in object.places where !member.isGap {
        guard count <= limit else { return count }
        count += member.key.writtenByteCount(upTo: limit - count)
        count += member.value.byteCount(upTo: limit - count)
      }
      return count
    }
  }

  /// Whether both are equal if zero equals minus zero, as in RFC 6902's `test`.
  func hasSameNumbers(as other: JSON) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)):
      return left == right || left.isZero && right.isZero
    case (.array(let left), .array(let right)):
      return left.count == right.count
        && (left.sharesStorage(with: right)
          || zip(left, right).allSatisfy { $0.hasSameNumbers(as: $1) })
    case (.object(let left), .object(let right)):
      if left.sharesStorage(with: right) { return true }
      guard left.count == right.count else { return false }
      var pairs = MemberPairs(left, right)
      while let pair = pairs.next() {
        guard let other = pair.other, pair.value.hasSameNumbers(as: other) else { return false }
      }
      return true
    default:
      return self == other
    }
  }
}

extension String {
  /// The bytes of the string in a JSON text, with quotes and escapes, or any larger number than
  /// `limit` once they exceed it.
  func writtenByteCount(upTo limit: Int = .max) -> Int {
    var count = 2 + utf8.count
    guard count <= limit else { return count }
    for byte in utf8 { count += Self.escapeLength(byte) }
    return count
  }

  /// The additional bytes that a byte of a string takes if it is escaped.
  static func escapeLength(_ byte: UInt8) -> Int {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: 1
    case 0..<0x20: 5
    default: 0
    }
  }
}
