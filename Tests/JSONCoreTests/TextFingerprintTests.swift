import JSONCore
import TestSupport
import Testing

@Suite("Fingerprints of texts")
struct TextFingerprintTests {
  /// The same value with the members of each object in another order.
  private static func reordered(_ value: JSON, _ random: inout SeededGenerator) -> JSON {
    switch value {
    case .null, .bool, .number, .string: return value
    case .array(let elements): return .array(elements.map { reordered($0, &random) })
    case .object(let members):
      var object = JSON.Object()
      for key in members.keys.shuffled(using: &random) {
        object[key] = members[key].map { reordered($0, &random) }
      }
      return .object(object)
    }
  }

  @Test(
    "are equal exactly where values are, in whichever order members are written",
    arguments: 0..<Rounds.choose(8, all: 200) as Range<UInt64>)
  func equality(seed: UInt64) {
    var (values, random) = (RandomJSON(seed: seed), SeededGenerator(seed: seed))
    var known: [UInt64: JSON] = [:]
    for _ in 0..<200 {
      let value = values.value()
      for one in [value, Self.reordered(value, &random), values.mutation(of: value)] {
        let hash = TextFingerprint.of(one.encoded())
        #expect(known[hash, default: one].fingerprint == one.fingerprint)
        known[hash] = one
      }
    }
    #expect(Set(known.values.map(\.fingerprint)).count == known.count)
  }

  @Test("of small numbers in a list have no two alike")
  func smallNumbers() {
    var known: Set<UInt64> = []
    for left in 0..<200 {
      for right in 0..<200 {
        known.insert(TextFingerprint.of(Array(#"{"a":[\#(left),\#(right)],"b":\#(left)}"#.utf8)))
      }
    }
    #expect(known.count == 40_000)
  }

  @Test("of what is not JSON come to an end")
  func notJSON() {
    let texts = [
      "", "{", "[", "\"", "{\"a\"", "{\"a\":", "[1,", "\"\\", "{,}", "[,]", "}", "]", "{1:2}",
      "{{}",
      "[}", "{]", String(repeating: "[", count: 100_000),
    ]
    for text in texts { _ = TextFingerprint.of(Array(text.utf8)) }
  }
}
