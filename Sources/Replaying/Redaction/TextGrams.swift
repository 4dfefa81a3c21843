/// A fixed-size filter for the texts that did not fit: decides whether a text may contain one.
///
/// It has one bit for the hash of each text's last bytes. There are no false negatives, and more
/// false positives the more texts there are.
struct TextGrams: Sendable {
  /// The number of bytes to hash, for long and for short texts. The last bytes, because tokens often
  /// have a common prefix, and rarely a common suffix.
  private static let long = 8
  private static let short = TextPatterns.minimumLength
  private static let bits = 1 << 20

  private var longEnds: [UInt64] = []
  private var shortEnds: [UInt64] = []

  var isEmpty: Bool { longEnds.isEmpty && shortEnds.isEmpty }

  /// Adds a text of at least four bytes.
  mutating func insert(_ text: [UInt8]) {
    if text.count >= Self.long {
      Self.mark(text.suffix(Self.long), in: &longEnds)
    } else {
      Self.mark(text.suffix(Self.short), in: &shortEnds)
    }
  }

  /// Whether this text may contain one of the added texts.
  func mayOccur(in text: [UInt8]) -> Bool {
    Self.isAnyMarked(in: text, Self.long, longEnds)
      || Self.isAnyMarked(in: text, Self.short, shortEnds)
  }

  private static func mark(_ bytes: ArraySlice<UInt8>, in table: inout [UInt64]) {
    if table.isEmpty { table = Array(repeating: 0, count: bits / 64) }
    let bit = bit(of: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    table[bit >> 6] |= 1 << UInt64(bit & 63)
  }

  private static func isAnyMarked(
    in text: [UInt8], _ length: Int, _ table: [UInt64]
  ) -> Bool {
    guard !table.isEmpty, text.count >= length else { return false }
    let mask: UInt64 = length == 8 ? .max : (1 << UInt64(8 * length)) - 1
    var gram: UInt64 = 0
    for (index, byte) in text.enumerated() {
      gram = (gram << 8 | UInt64(byte)) & mask
      guard index >= length - 1 else { continue }
      let bit = bit(of: gram)
      if table[bit >> 6] & (1 << UInt64(bit & 63)) != 0 { return true }
    }
    return false
  }

  private static func bit(of gram: UInt64) -> Int {
    var hash = gram
    hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
    hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: hash >> 32) & (bits - 1)
  }
}
