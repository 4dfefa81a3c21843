/// The escapes of JSON strings, in texts that were validated.
///
/// Safe: a validated string has all the bytes that its escapes announce.
enum JSONEscapes {
  /// The UTF-8 that the string between the quotes at `range` stands for.
  static func resolve(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      guard bytes[index] == UInt8(ascii: "\\") else {
        result.append(bytes[index])
        index += 1
        continue
      }
      let letter = bytes[index + 1]
      index += 2
      switch letter {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        var scalar = unit(bytes, index)
        index += 4
        if (0xD800..<0xDC00).contains(scalar) {
          scalar = 0x10000 + (scalar - 0xD800) << 10 + (unit(bytes, index + 2) - 0xDC00)
          index += 6
        }
        if let scalar = Unicode.Scalar(scalar) {
          result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
      default: result.append(letter)
      }
    }
    return result
  }

  private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt32 {
    var unit: UInt32 = 0
    for index in start..<start + 4 {
      let byte = bytes[index]
      unit = unit << 4 | UInt32(byte <= UInt8(ascii: "9") ? byte & 0xF : (byte & 0xF) + 9)
    }
    return unit
  }
}
