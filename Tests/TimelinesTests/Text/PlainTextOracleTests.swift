import TestSupport
import Testing
import Timelines

/// Compares every code point with Python's `unicodedata`.
@Suite("Characters that are escaped, against Python's unicodedata")
struct PlainTextOracleTests {
  private static let dangerous: Set<String> = ["Cc", "Cf", "Zl", "Zp"]
  /// Planes of 65,536 code points.
  private static let planes = 0...16

  @Test(
    "are all controls, format characters, and line and paragraph separators, and no visible one")
  func allCodePoints() throws {
    let ranges = Self.planes.map { "\($0 << 16) \($0 << 16 | 0xFFFF)" }
    let answers = try PythonOracle.answers(of: "unicode_categories.py", to: ranges)
    var escaped = 0
    for (plane, answer) in zip(Self.planes, answers) {
      let letters = Array(answer.utf8)
      try #require(letters.count == 2 << 16)
      for index in 0...0xFFFF {
        guard let scalar = Unicode.Scalar(UInt32(plane << 16 | index)) else { continue }
        let category = String(decoding: letters[2 * index...2 * index + 1], as: UTF8.self)
        let isHostile = PlainText.isHostile(scalar)
        if isHostile { escaped += 1 }
        // Unicode assigns new ones each year, and Python may know fewer than Swift.
        guard category != "Cn" else { continue }
        if isHostile != Self.dangerous.contains(category) {
          Issue.record("U+\(String(scalar.value, radix: 16)) of category \(category): \(isHostile)")
        }
      }
    }
    #expect(escaped >= 65 + 165 + 2)
  }

  @Test(
    "are escaped in text and in JSON, which keeps its value",
    arguments: ["\u{AD}", "\u{600}", "\u{180E}", "\u{110BD}", "\u{13430}", "\u{1D173}", "\u{2028}"])
  func escaped(_ text: String) throws {
    let scalar = try #require(text.unicodeScalars.first)
    #expect(PlainText.escaping("a\(text)b") == "a\\u{\(String(scalar.value, radix: 16))}b")
    let json = String(decoding: PlainText.json(Array("\"\(text)\"".utf8)), as: UTF8.self)
    #expect(json.unicodeScalars.allSatisfy(\.isASCII) && json.hasPrefix("\"\\u"))
  }
}
