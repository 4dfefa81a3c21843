import JSONCore
import TestSupport
import Testing

@Suite("Numbers")
struct NumberTests {
  /// Numbers where forms meet: around 2^53, 2^63, 2^64, the ends of doubles, long decimals.
  static let edges = [
    "0", "1", "-1", "1.0", "0.1", "0.10000000000000001", "0.1000000000000000055511151231257827",
    "1e0", "10e-1", "9007199254740991", "9007199254740992", "9007199254740993",
    "9007199254740993.5", "9007199254740992.0", "4503599627370497.3", "4503599627370497.5",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "9223372036854775807.5", "9223377234560678.5", "922337723456067.25", "18446744073709551615",
    "18446744073709551616", "18446744073709551617",
    "18446744073709552000", "1.8446744073709552e19", "1e19", "1e20", "1e21", "1e22", "1e23",
    "99999999999999999999999", "1.7976931348623157e308", "1.7976931348623159e308", "1e400",
    "-1e400",
    "5e-324", "4e-324", "2.5e-324", "1e-400", "2.2250738585072014e-308", "2.2250738585072011e-308",
    "123456789012345678", "1234567890123456789", "0.123456789012345678", "0.3",
    "0.30000000000000004",
    "123456789.123456789", "1e-6", "1e-7", "0.000001", "12345678901234567890e-10",
  ]

  @Test("compares exactly, and converts to the nearest double")
  func comparesExactlyAndConvertsToNearestDouble() throws {
    let seed: UInt64 = 0x5EED_0006
    var random = SeededGenerator(seed: seed)
    var pairs: [(String, String)] = []
    for left in Self.edges { for right in Self.edges { pairs.append((left, right)) } }
    for _ in 0..<3_000 {
      let text = Self.randomText(using: &random)
      pairs.append((text, Self.edges.randomElement(using: &random) ?? "0"))
      pairs.append((text, Self.neighbour(of: text, using: &random)))
    }
    let answers = try PythonOracle.answers(
      of: "number_order.py", to: pairs.map { $0.0 + " " + $0.1 })
    for (index, (leftText, rightText)) in pairs.enumerated() {
      let left = try #require(JSON.Number(text: leftText))
      let right = try #require(JSON.Number(text: rightText))
      let order = left < right ? "<" : left == right ? "=" : ">"
      let bits = String(left.double.bitPattern, radix: 16)
      let answer = order + " " + String(repeating: "0", count: 16 - bits.count) + bits
      #expect(answer == answers[index], "seed \(seed): \(leftText) and \(rightText)")
      #expect((left > right) == (order == ">") && (right < left) == (order == ">"))
      #expect((left.hashValue == right.hashValue) || left != right)
    }
  }

  @Test("reads its own spelling as the same number", arguments: edges)
  func readsSpellingAsSameNumber(text: String) throws {
    let number = try #require(JSON.Number(text: text))
    let again = try #require(JSON.Number(text: number.text))
    #expect(again == number)
    #expect(again.text == number.text)
    #expect(JSON.number(number).encoded() == Array(number.text.utf8))
  }

  @Test("preserves every double")
  func preservesEveryDouble() throws {
    let seed: UInt64 = 0x5EED_0007
    var random = SeededGenerator(seed: seed)
    for _ in 0..<4_000 {
      let double = Double(bitPattern: random.next())
      guard let number = JSON.Number(double) else {
        #expect(!double.isFinite)
        continue
      }
      #expect(number.double.bitPattern == double.bitPattern, "seed \(seed): \(double)")
      #expect(JSON.Number(text: number.text) == number, "seed \(seed): \(double)")
      #expect(JSON.Number(text: "\(double)") == number, "seed \(seed): \(double)")
    }
  }

  @Test("distinguishes minus zero from zero, and orders it first")
  func minusZero() throws {
    let minus = try #require(JSON.Number(-0.0))
    let zero = JSON.Number(0 as Int64)
    #expect(minus != zero && minus < zero && !(zero < minus))
    #expect(JSON.Number(text: "-0.000e7") == minus)
    #expect(JSON.Number(text: "0.000e7") == zero)
    #expect(try #require(JSON.Number(text: "-1e-400")) < minus)
    #expect(zero < (try #require(JSON.Number(text: "1e-400"))))
  }

  @Test(
    "refuses a text that is not a number",
    arguments: [
      "", "-", "+1", "01", "-01", "1.", ".5", "1.e3", "1e", "1e+", "0x1", "1 ", " 1", "1,", "NaN",
      "Infinity", "--1", "1e1000000001", "1e-1000000001", "١",
    ])
  func refusesTextThatIsNotNumber(text: String) {
    #expect(JSON.Number(text: text) == nil)
  }

  private static func randomText(using random: inout SeededGenerator) -> String {
    let digits = Int.random(in: 1...24, using: &random)
    var text = random.chance(0.3) ? "-" : ""
    text += String(Int.random(in: 1...9, using: &random))
    let point = Int.random(in: 0...digits, using: &random)
    for index in 0..<digits {
      if index == point { text += "." }
      text += String(random.chance(0.3) ? 0 : Int.random(in: 0...9, using: &random))
    }
    return random.chance(0.3) ? text + "e\(Int.random(in: -330...310, using: &random))" : text
  }

  /// The same number spelled otherwise, or one a little off.
  private static func neighbour(of text: String, using random: inout SeededGenerator) -> String {
    let parts = text.split(separator: "e")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let mantissa = String(parts[0])
    let suffix = random.chance(0.5) ? "000" : "001"
    if mantissa.contains(".") { return mantissa + suffix + "e\(exponent)" }
    return mantissa + suffix + "e\(exponent - 3)"
  }
}
