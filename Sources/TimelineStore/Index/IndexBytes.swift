/// Writes the encodings of the index: unsigned numbers as varints, and texts with their length.
///
/// A varint has seven bits per byte, the lowest first, and the high bit set in all bytes but the
/// last.
struct IndexWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Appends bytes as they are.
  mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Appends a number.
  mutating func number(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a nonnegative number.
  mutating func number(_ value: some BinaryInteger) { number(UInt64(clamping: value)) }

  /// Appends a length and that many bytes.
  mutating func sized(_ value: some Collection<UInt8>) {
    number(value.count)
    bytes.append(contentsOf: value)
  }

  /// How many bytes a number takes.
  static func size(of value: UInt32) -> Int {
    value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : value < 1 << 28 ? 4 : 5
  }
}

/// Reads what ``IndexWriter`` wrote; every method returns `nil` if the bytes end too early.
///
/// An unreadable index is rebuilt, so no reason is reported.
struct IndexReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { index == bytes.count }

  mutating func byte() -> UInt8? {
    guard index < bytes.count else { return nil }
    defer { index += 1 }
    return bytes[index]
  }

  mutating func number() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = byte(), shift < 64 {
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// The next number, if it fits.
  mutating func int() -> Int64? { number().flatMap { Int64(exactly: $0) } }

  /// As many bytes as the next number says.
  mutating func sized() -> ArraySlice<UInt8>? {
    guard let count = number(), count <= UInt64(bytes.count - index) else { return nil }
    defer { index += Int(count) }
    return bytes[index..<index + Int(count)]
  }

  mutating func rest() -> ArraySlice<UInt8> {
    defer { index = bytes.count }
    return bytes[index...]
  }
}
