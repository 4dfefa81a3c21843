import TestSupport
import Testing

@testable import JSONCore

@Suite("Where values end")
struct SkipTests {
  /// The byte after the array or object at the beginning, as simply as can be.
  private func end(of text: [UInt8]) -> Int {
    var (depth, isInString, index) = (0, false, 0)
    while index < text.count {
      let byte = text[index]
      index += 1
      if isInString {
        if byte == UInt8(ascii: "\\") { index += 1 }
        if byte == UInt8(ascii: "\"") { isInString = false }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
    }
    return text.count
  }

  // Safe: the buffer is lent for the call, and nothing is read beyond its count.
  private func skipped(_ text: [UInt8], before limit: Int? = nil) -> Int {
    text.withUnsafeBufferPointer { JSONSkip.value($0, from: 0, before: limit ?? text.count) }
  }

  @Test("finds the ends in random arrays and objects, with any alignment and any following text")
  func findsEndsInRandomArraysAndObjects() {
    var generator = SeededGenerator(seed: 11)
    let pieces = [
      "[", "{", "]", "}", "\"", "\\\"", "\\\\", "é😀", "a", "long enough for a word", ":", ",", "1",
      "Û", "û",
    ]
    for _ in 0..<Rounds.choose(4_000, all: 20_000) {
      // Brackets in any order, and strings that hold what ends and begins elsewhere.
      var text = Bool.random(using: &generator) ? "[" : "{"
      var isInString = false
      for _ in 0..<Int.random(in: 0...24, using: &generator) {
        let piece = pieces[Int.random(in: pieces.indices, using: &generator)]
        if piece == "\"" { isInString.toggle() }
        if piece.hasPrefix("\\"), !isInString { continue }
        text += piece
      }
      let bytes = Array(text.utf8)
      #expect(skipped(bytes) == end(of: bytes), "\(text)")
    }
  }

  @Test("finds the ends of valid texts")
  func findsEndsOfValidTexts() throws {
    var random = RandomJSON(seed: 12)
    for _ in 0..<Rounds.choose(400, all: 2_000) {
      let value = JSON.array([random.value()])
      let text = value.encoded()
      #expect(skipped(text + Array(#","x":"]}"#.utf8)) == text.count)
      // Nothing is read at or beyond the limit.
      for limit in stride(from: 1, to: text.count, by: 7) {
        #expect(skipped(text, before: limit) <= limit)
      }
    }
  }
}
