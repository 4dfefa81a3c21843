internal import JSONCore

// Safe: the bytes are lent for the length of a call, and every index is checked against the range,
// which is within them.

/// The tokens of a pointer in text whose JSON escapes are resolved, but not the pointer's own
/// escapes.
struct PointerTokens {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index: Int
  private let end: Int

  /// - Precondition: the range is empty or begins with a slash.
  @inline(__always)
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    self.bytes = bytes
    index = range.lowerBound
    end = range.upperBound
  }

  /// Whether there are no more tokens.
  var isAtEnd: Bool { index >= end }

  /// The next token, or `nil` at the end.
  @inline(__always)
  mutating func next() -> Range<Int>? {
    guard index < end else { return nil }
    let start = index + 1
    var place = start
    while place < end, bytes[place] != UInt8(ascii: "/") { place += 1 }
    index = place
    return start..<place
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The number of tokens of the pointer at a place.
  func tokenCount(_ range: Range<Int>) -> Int {
    var count = 0
    for index in range where self[index] == UInt8(ascii: "/") { count += 1 }
    return count
  }

  /// The index that a token names, by the rule of ``Pointer/index(_:)``.
  func index(token: Range<Int>) -> Int? {
    guard let first = token.first, token.count == 1 || self[first] != UInt8(ascii: "0") else {
      return nil
    }
    var index = 0
    for place in token {
      let digit = self[place] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      let (product, isTooLarge) = index.multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) = product.addingReportingOverflow(Int(digit))
      guard !isTooLarge, !isBeyond else { return nil }
      index = sum
    }
    return index
  }

  /// A hash of a token with escapes resolved. FNV-1a: equal for equal keys, and practically never
  /// for others; a peer that constructs a collision only misleads the check of its own patches.
  func hash(token: Range<Int>) -> UInt64 {
    var hash = Self.seed
    var isEscape = false
    for place in token {
      var byte = self[place]
      if isEscape {
        byte = byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/")
        isEscape = false
      } else if byte == UInt8(ascii: "~") {
        isEscape = true
        continue
      }
      hash = (hash ^ UInt64(byte)) &* Self.prime
    }
    return hash
  }

  /// The same hash for a key in a range.
  func hash(key: Range<Int>) -> UInt64 {
    if hasEscape(key) { return Self.hash(Array(text(inside: key).utf8)) }
    return Self.hash(self[key])
  }

  private static func hash(_ key: some Sequence<UInt8>) -> UInt64 {
    key.reduce(seed) { ($0 ^ UInt64($1)) &* prime }
  }

  private static var seed: UInt64 { 0xCBF2_9CE4_8422_2325 }
  private static var prime: UInt64 { 0x0000_0100_0000_01B3 }

  /// The text of a token, its escapes resolved.
  func text(token: Range<Int>) -> String {
    let text = "/" + String(decoding: self[token], as: UTF8.self)
    return (try? Pointer(text))?.tokens.first ?? text
  }
}
