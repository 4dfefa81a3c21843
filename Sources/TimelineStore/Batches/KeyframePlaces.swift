/// The keyframes of a chunk, as they are stored: for each, the distance in entries and bytes from
/// the previous one, as varints.
struct KeyframePlaces: Sendable {
  struct Place: Hashable, Sendable {
    /// Its index among the entries.
    var index: Int
    /// The first byte of its line.
    var offset: Int
  }

  /// Encodes places in ascending order.
  static func encoded(_ places: [Place]) -> [UInt8] {
    var bytes: [UInt8] = []
    var last = Place(index: 0, offset: 0)
    for place in places {
      Varint.append(UInt64(place.index - last.index), to: &bytes)
      Varint.append(UInt64(place.offset - last.offset), to: &bytes)
      last = place
    }
    return bytes
  }

  /// Decodes places, up to the first invalid one.
  static func decoded(_ bytes: [UInt8]) -> [Place] {
    var places: [Place] = []
    var last = Place(index: 0, offset: 0)
    var rest = bytes[...]
    while let index = Varint.removeFirst(from: &rest), let offset = Varint.removeFirst(from: &rest),
      index <= UInt64(Int32.max), offset <= UInt64(Int32.max)
    {
      last = Place(index: last.index + Int(index), offset: last.offset + Int(offset))
      places.append(last)
    }
    return places
  }
}

/// Integers with seven bits per byte, the lowest first; a set high bit means that more follow.
package enum Varint {
  package static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }

  /// Removes a number from the front; `nil` if it is incomplete or has more than 64 bits.
  package static func removeFirst(from bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    for (offset, byte) in bytes.enumerated() {
      let part = UInt64(byte & 0x7F)
      guard shift < 64, (part << shift) >> shift == part else { return nil }
      value |= part << shift
      shift += 7
      if byte & 0x80 == 0 {
        bytes = bytes.dropFirst(offset + 1)
        return value
      }
    }
    return nil
  }
}
