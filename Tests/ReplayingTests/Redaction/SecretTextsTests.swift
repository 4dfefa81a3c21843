import Foundation
import JSONCore
import TestSupport
import Testing

@testable import Replaying

@Suite("Replaying: secret texts")
struct SecretTextsTests {
  private func secrets(_ values: JSON..., limits: TextPatterns.Limits = .init()) -> SecretTexts {
    var secrets = SecretTexts(limits: limits)
    for value in values { secrets.learn(from: value) }
    return secrets
  }

  private func randomText(
    _ generator: inout SeededGenerator, _ letters: [String], _ lengths: ClosedRange<Int>
  ) -> String {
    (0..<Int.random(in: lengths, using: &generator)).map { _ in
      letters.randomElement(using: &generator) ?? ""
    }.joined()
  }

  @Test("mask every secret of the documented length, and nothing else")
  func naive() {
    // Few letters, so that secrets overlap, contain one another, and are cut by masks.
    let letters = ["a", "b", "é", "•", "1"]
    for seed in UInt64(0)..<60 {
      var generator = SeededGenerator(seed: seed)
      var secrets = SecretTexts()
      var known: [String] = []
      for _ in 0..<40 {
        let secret = randomText(&generator, letters, 2...9)
        secrets.learn(from: .string(secret))
        if secret.unicodeScalars.count >= 4, secret != SecretTexts.mask { known.append(secret) }
        let text = randomText(&generator, letters, 0...60)
        let masked = secrets.masking(text)
        let shown = masked ?? text
        for secret in known {
          #expect(
            !bytes(shown).contains(bytes(secret)),
            "seed \(seed): \(secret) in \(shown), from \(text)")
        }
        let digits = text.contains("1")
        if !digits, !known.contains(where: { bytes(text).contains(bytes($0)) }) {
          #expect(masked == nil, "seed \(seed): \(text) became \(shown)")
        }
      }
    }
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("each of the first four bytes of a pattern changes its bit", arguments: [0, 8, 16, 24])
  func bits(shift: UInt32) {
    let bits = (0..<256).map { byte in
      TextPatterns.bit(of: 0x6162_6364 ^ (UInt32(byte) << shift), among: 1 << 12)
    }
    // 248 of 256 random numbers below 4,096 are different, on average.
    #expect(Set(bits).count > 200)
  }

  @Test("remember thousands, including some with a common prefix")
  func many() {
    var secrets = SecretTexts()
    for number in 0..<3_000 { secrets.learn(from: .string("eyJhbGciOiJIUzI1NiJ9.\(number).x")) }
    #expect(!secrets.isFull)
    #expect(secrets.masking("token eyJhbGciOiJIUzI1NiJ9.0.x, again") == "token •••, again")
    #expect(secrets.masking("token eyJhbGciOiJIUzI1NiJ9.2999.x") == "token •••")
    #expect(secrets.masking("token eyJhbGciOiJIUzI1NiJ9.x") == nil)
  }

  @Test("hide more if the memory is full, never less", arguments: [1, 8])
  func full(count: Int) {
    let limits = TextPatterns.Limits(count: count, bytes: 1 << 10, length: 64)
    var secrets = SecretTexts(limits: limits)
    var known: [String] = []
    for number in 0..<200 {
      let secret = "secret-\(number * 7_919)-\(number)"
      known.append(secret)
      secrets.learn(from: .string(secret))
      secrets.learn(from: .number(JSON.Number(Int64(1_000_007 + number * 999_983))))
      for secret in known {
        #expect(secrets.masking("<\(secret)>")?.contains(secret) == false)
      }
    }
    #expect(secrets.isFull)
    #expect(secrets.masking("call 5551234567 now") == "call ••• now", "any number may be one")
    #expect(secrets.masking("nothing of that kind") == nil)
    #expect(secrets.hides(number: 1_000_007) && secrets.hides(number: 5_551_234_567))
    #expect(!secrets.hides(number: 12_345))
  }

  @Test("a text that is too long to be remembered is hidden with its surroundings")
  func long() {
    let long = String(repeating: "0123456789abcdef", count: 5_000)
    let secrets = secrets(.string(long))
    #expect(secrets.isFull)
    #expect(secrets.masking("begin \(long) end") == SecretTexts.mask)
    #expect(secrets.masking("something else") == nil)
  }

  @Test(
    "a hidden number is found as it is written for people",
    arguments: [
      ("1234567", "pin 1234567!", "pin •••!"), ("-1234567", "at -1234567", "at -•••"),
      ("-1234567", "at 1234567", "at •••"), ("1234567", "1,234,567 and 12", "••• and 12"),
      ("4111111111111111", "card 4111 1111-1111 1111.", "card •••."),
      ("1234567", "(123) - 4567", "(•••"), ("123456", "123     456", "123     456"),
      ("1234567.5", "is 1,234,567.50", "is •••0"), ("1234567", "99123456700", "99•••00"),
      ("1.2345678e20", "1.2345678e+20", "•••"), ("0.00012345678", "0.00012345678", "0.000•••"),
      ("1e9", "1000000000", "•••"), ("1500000", "1 500 000 €", "••• €"),
      ("123456", "1\u{202F}23\u{A0}456", "•••"),
    ])
  func numbers(number: String, text: String, masked: String) throws {
    #expect(try secrets(JSON(parsing: number)).masking(text) ?? text == masked)
  }

  @Test(
    "a hidden text of digits, such as a phone number, is found as a number, and written otherwise",
    arguments: [
      ("0171 2345678", "1712345678", "171/234-5678"),
      ("+49 (171) 234-5678", "491712345678", "49 171 2345678"),
      ("(555) 123-4567", "5551234567", "555.123.4567"), ("00420 777 000", "420777000", "420-777"),
      ("000123456000", "123456", "1 23 456"), ("100000", "100000", "100,000"),
    ])
  func phones(hidden: String, number: String, text: String) throws {
    let secrets = secrets(.string(hidden))
    #expect(try secrets.hides(number: JSON(parsing: number)))
    #expect(secrets.masking("call \(text)!")?.hasPrefix("call •••") == true)
    #expect(secrets.masking("call \(number)!")?.hasPrefix("call •••") == true)
  }

  @Test(
    "a hidden number is found as Swift and JSON print it",
    arguments: [
      1e21, -1e21, 1e22, 2.5e33, 1.5e-7, -1.5e-7, 1e-5, 1.5e-5, 1e16, 123_456, 120_000, 1_500_000,
      1.2345678e20, 1.2345678e21, 1.2345678e-9, 1e308, 3e-300, 1.7976931348623157e308,
    ] as [Double])
  func printed(number: Double) throws {
    var hidden = secrets()
    hidden.learn(from: .number(try #require(JSON.Number(number))))
    let json = try String(decoding: JSONEncoder().encode([number]), as: UTF8.self).dropLast()
    let forms = [
      number.description, Float(number).description, String(format: "%.15e", number),
      String(json.dropFirst()), number.description.uppercased(),
      String(decoding: JSON.number(try #require(JSON.Number(number))).encoded(), as: UTF8.self),
    ]
    for form in forms where Double(form) == number {
      let masked = hidden.masking("is \(form), or so") ?? ""
      #expect(masked.hasPrefix(number < 0 ? "is -•••" : "is •••"), "\(form)")
      if form.lowercased().contains("e") { #expect(masked.hasSuffix("•••, or so"), "\(form)") }
      #expect(try hidden.hides(number: JSON(parsing: form)), "\(form)")
    }
    #expect(forms.contains { Double($0) == number })
  }

  @Test("numbers with an exponent are not confused")
  func otherNumbers() throws {
    let secrets = secrets(try JSON(parsing: "1e21"), try JSON(parsing: "1.5e-7"), 1_000)
    for text in [
      "1e20", "2e21", "1e2", "1e-21", "1.5e-6", "17e-8", "1e3", "e21", "1e", "1e+", ".e9",
    ] {
      #expect(secrets.masking(text) == nil, "\(text)")
    }
    #expect(secrets.masking("1.0E+021 and 15e-08") == "••• and •••")
    #expect(secrets.masking("0.00000015 or 1000000000000000000000") == "••• or •••")
    #expect(!secrets.hides(number: try JSON(parsing: "1e20")))
  }

  @Test("a short number stays visible, and so do other numbers")
  func shortNumbers() throws {
    let secrets = secrets(12_345, 1_234_567, "4711", "2024-11-22")
    #expect(secrets.masking("12345 and 7654321") == nil)
    #expect(secrets.hides(number: 1_234_567) && secrets.hides(number: -1_234_567))
    #expect(secrets.hides(number: 20_241_122), "a text of digits is a number, too")
    #expect(!secrets.hides(number: 4_711) && !secrets.hides(number: 7_654_321))
    #expect(secrets.masking("id-1234567", isKey: true) == "id-•••")
  }

  @Test("a malicious text that takes too much work is hidden completely")
  func slow() {
    var secrets = SecretTexts()
    for length in 4..<400 {
      secrets.learn(from: .string(String(repeating: "a", count: length) + "b"))
    }
    let text = String(repeating: "a", count: 200_000)
    #expect(secrets.masking(text) == SecretTexts.mask)
  }
}
