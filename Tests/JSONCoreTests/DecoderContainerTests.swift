import Foundation
import JSONCore
import TestSupport
import Testing

@Suite("Decoder: containers")
struct DecoderContainerTests {
  /// Hands its decoder out, to be asked later.
  struct Kept: Decodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) { self.decoder = decoder }
  }

  /// A key of any name.
  struct Key: CodingKey, Hashable, ExpressibleByStringLiteral {
    var stringValue: String
    var intValue: Int?
    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { self.init(stringValue: String(intValue)) }
    init(stringLiteral value: String) { self.init(stringValue: value) }
  }

  private func decoder(_ text: String) throws -> any Decoder {
    try CanonicalDecoder().decode(Kept.self, from: Array(text.utf8)).decoder
  }

  private func object(_ text: String) throws -> KeyedDecodingContainer<Key> {
    try decoder(text).container(keyedBy: Key.self)
  }

  @Test("a decoder that a type stores remains valid after decoding")
  func decoderThatTypeStoresRemainsValidAfterDecoding() throws {
    let container = try object(#"{"a":[1,2],"b":"x"}"#)
    #expect(try container.decode([Int].self, forKey: "a") == [1, 2])
    #expect(try container.decode(String.self, forKey: "b") == "x")
  }

  @Test("distinguishes missing, null, and present members")
  func distinguishesMissingNullAndPresentMembers() throws {
    let container = try object(#"{"null":null,"one":1}"#)
    #expect(container.contains("null"))
    #expect(!container.contains("none"))
    #expect(try container.decodeNil(forKey: "null"))
    #expect(try !container.decodeNil(forKey: "one"))
    #expect(throws: DecodingError.self) { try container.decodeNil(forKey: "none") }
    #expect(try container.decodeIfPresent(Int.self, forKey: "null") == nil)
    #expect(try container.decodeIfPresent(Int.self, forKey: "none") == nil)
    #expect(try container.decodeIfPresent(Int.self, forKey: "one") == 1)
    #expect(try container.decodeIfPresent([Int].self, forKey: "none") == nil)
    #expect(throws: DecodingError.self) {
      try container.decodeIfPresent(String.self, forKey: "one")
    }
    #expect(try container.decode(Int?.self, forKey: "null") == nil)
    #expect(throws: DecodingError.self) { try container.decode(Int?.self, forKey: "none") }
  }

  @Test("finds members in any order of requests")
  func findsMembersInAnyOrderOfRequests() throws {
    var generator = SeededGenerator(seed: 7)
    for count in [1, 2, 24, 25, 26, 100] {
      let members = (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
      let container = try object("{\(members)}")
      for index in (0..<count).shuffled(using: &generator) {
        #expect(try container.decode(Int.self, forKey: Key(stringValue: "k\(index)")) == index)
        #expect(!container.contains(Key(stringValue: "k\(index)x")))
      }
      #expect(container.allKeys.map(\.stringValue) == (0..<count).map { "k\($0)" })
    }
  }

  @Test("compares keys after their escapes, and as Swift compares strings")
  func comparesKeysAfterEscapes() throws {
    let container = try object(#"{"\u0061\"":1,"e\u0301":2,"":3}"#)
    #expect(try container.decode(Int.self, forKey: "a\"") == 1)
    #expect(try container.decode(Int.self, forKey: "é") == 2)
    #expect(try container.decode(Int.self, forKey: "e\u{301}") == 2)
    #expect(try container.decode(Int.self, forKey: "") == 3)
    let both = try object(#"{"é":1,"e\u0301":2}"#)
    #expect(try both.decode(Int.self, forKey: "é") == 1)
    #expect(try both.decode(Int.self, forKey: "e\u{301}") == 2)
  }

  @Test("an element that could not be read remains the next one")
  func staysAtElement() throws {
    var container = try decoder(#"["x",null,{"a":1},[2],3]"#).unkeyedContainer()
    #expect(container.count == 5)
    #expect(throws: DecodingError.self) { try container.decode(Int.self) }
    #expect(container.currentIndex == 0)
    #expect(try !container.decodeNil())
    #expect(try container.decodeIfPresent(String.self) == "x")
    #expect(try container.decodeIfPresent(String.self) == nil)
    #expect(container.currentIndex == 2)
    #expect(throws: DecodingError.self) { try container.nestedUnkeyedContainer() }
    let nested = try container.nestedContainer(keyedBy: Key.self)
    #expect(try nested.decode(Int.self, forKey: "a") == 1)
    #expect(nested.codingPath.map(\.intValue) == [2])
    #expect(nested.codingPath.map(\.stringValue) == ["Index 2"])
    var list = try container.nestedUnkeyedContainer()
    #expect(try list.decode(Int.self) == 2)
    #expect(list.isAtEnd)
    let last = try container.superDecoder()
    #expect(try last.singleValueContainer().decode(Int.self) == 3)
    #expect(container.isAtEnd)
    let beyond = try container.decodeIfPresent(Int.self)
    #expect(beyond == nil)
    #expect(throws: DecodingError.self) { try container.decodeNil() }
  }

  @Test("a missing superclass is null, not an error of its own")
  func missingSuper() throws {
    let container = try object(#"{"b":{"x":1}}"#)
    #expect(try container.superDecoder().singleValueContainer().decodeNil())
    #expect(try container.superDecoder().codingPath.map(\.stringValue) == ["super"])
    let named = try container.superDecoder(forKey: "b").container(keyedBy: Key.self)
    #expect(try named.decode(Int.self, forKey: "x") == 1)
  }

  /// Reads what the caller gave.
  struct Asking: Decodable, Equatable {
    var answer: String
    static let key = CodingUserInfoKey(rawValue: "answer")
    init(from decoder: any Decoder) throws {
      answer = Self.key.flatMap { decoder.userInfo[$0] as? String } ?? "none"
    }
  }

  @Test("passes the caller's user info to types")
  func userInfo() throws {
    let key = try #require(Asking.key)
    let decoder = CanonicalDecoder(userInfo: [key: "yes"])
    #expect(try decoder.decode([Asking].self, from: [0x5B, 0x31, 0x5D]).first?.answer == "yes")
    #expect(try CanonicalDecoder().decode(Asking.self, from: [0x31]).answer == "none")
  }

  @Test("reads whole numbers in any spelling as integers")
  func readsWholeNumbersInAnySpellingAsIntegers() throws {
    let decoder = CanonicalDecoder()
    for (text, value) in [("1.0", 1), ("1e2", 100), ("1200e-2", 12), ("-0", 0), ("-0.0", 0)] {
      #expect(try decoder.decode(Int.self, from: Array(text.utf8)) == value, "\(text)")
    }
    let wide = "170141183460469231731687303715884105727"
    #expect(try decoder.decode(Int128.self, from: Array(wide.utf8)) == Int128.max)
    let power = UInt128(10_000_000_000_000_000_000) * 10_000_000_000_000_000_000
    #expect(try decoder.decode(UInt128.self, from: Array("1e38".utf8)) == power)
    #expect(throws: DecodingError.self) {
      try decoder.decode(Int128.self, from: Array((wide + "0").utf8))
    }
  }

  @Test(
    "reads every decimal that it writes, to the largest",
    arguments: [
      "1e127", "1e128", "-18404e155", "99999999999999999999999999999999999999e127",
      "340282366920938463463374607431768211455e127", "1e-127",
    ])
  func largeDecimals(text: String) throws {
    let parts = text.split(separator: "e")
    let exponent = try #require(Int(parts[1]))
    // Foundation itself reads an exponent up to 127 only.
    let zeros = String(repeating: "0", count: max(0, exponent - 127))
    let decimal = try #require(Decimal(string: "\(parts[0])\(zeros)e\(min(127, exponent))"))
    #expect(try CanonicalDecoder().decode(Decimal.self, from: Array(text.utf8)) == decimal)
    let written = try CanonicalEncoder().encode(decimal)
    #expect(try CanonicalDecoder().decode(Decimal.self, from: written) == decimal)
    #expect(try CanonicalDecoder().decode(Decimal.self, from: JSON(parsing: written)) == decimal)
  }

  @Test("reads a decimal by its digits, whatever the spelling, from text and tree")
  func readsDecimalByDigits() throws {
    let decoder = CanonicalDecoder()
    let texts = [
      "1.50", "15e-1", "0.1", "1E+2", "-0", "0e9", "123456789012345678901234567890123456789.5",
      "0.00000000000000000000000000000000000000000000000001", "1e-128", "1e-140", "1e165", "9e127",
      "-12345678901234567890123456789012345678", "1.00000000000000000000000000000000000000000001",
    ]
    for text in texts {
      let bytes = Array(text.utf8)
      let fromText = try? decoder.decode(Decimal.self, from: bytes)
      let fromTree = try? decoder.decode(Decimal.self, from: JSON(parsing: bytes))
      #expect(fromText == fromTree, "\(text)")
    }
    #expect(try decoder.decode(Decimal.self, from: Array("1.50".utf8)) == Decimal(string: "1.5"))
    #expect(throws: DecodingError.self) {
      try decoder.decode(Decimal.self, from: Array("1e400".utf8))
    }
  }

  @Test("reads dates and decimals that are not a number as they were written")
  func notNumbers() throws {
    let seconds: [Double] = [.infinity, -.infinity, .nan, -0.5]
    let bytes = try CanonicalEncoder().encode(seconds.map { Date(timeIntervalSince1970: $0) })
    #expect(String(decoding: bytes, as: UTF8.self) == #"["inf","-inf","nan",-0.5]"#)
    let dates = try CanonicalDecoder().decode([Date].self, from: bytes)
    #expect(dates.map(\.timeIntervalSince1970).map(\.description) == seconds.map(\.description))
    let decimals = try CanonicalEncoder().encode([Decimal.nan, 1.5])
    #expect(String(decoding: decimals, as: UTF8.self) == #"["nan",1.5]"#)
    #expect(try CanonicalDecoder().decode([Decimal].self, from: decimals) == [.nan, 1.5])
    #expect(throws: DecodingError.self) {
      try CanonicalDecoder().decode([Decimal].self, from: Array(#"["inf"]"#.utf8))
    }
  }

  @Test("reads every double as the nearest one", arguments: [11, 12] as [UInt64])
  func readsEveryDoubleAsNearestOne(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let decoder = CanonicalDecoder()
    for _ in 0..<2000 {
      let digits = String(UInt64.random(in: 0...UInt64.max, using: &generator))
        .prefix(Int.random(in: 1...20, using: &generator))
      let point = digits.dropFirst().isEmpty ? "" : "." + digits.dropFirst()
      let exponent = Int.random(in: -45...38, using: &generator)
      let text = (digits.first.map(String.init) ?? "0") + point + "e\(exponent)"
      #expect(try decoder.decode(Double.self, from: Array(text.utf8)) == Double(text), "\(text)")
      guard let float = Float(text), float.isFinite else { continue }
      #expect(try decoder.decode(Float.self, from: Array(text.utf8)) == float, "\(text)")
    }
  }
}
