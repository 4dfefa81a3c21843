import Foundation
import JSONCore
import TestSupport
import Testing

@Suite("Decoder: errors")
struct DecoderErrorTests {
  /// A text, the type asked for, and what the error must be.
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let testDescription: String
    /// Decodes with ours and with Foundation's decoder.
    let decode: @Sendable () -> (ours: Failure?, foundation: Failure?)

    init<T: Decodable & Sendable>(_ type: T.Type, _ text: String) {
      self.text = text
      testDescription = "\(type) from \(text)"
      decode = {
        (
          Failure { _ = try CanonicalDecoder().decode(type, from: Array(text.utf8)) },
          Failure {
            _ = try DecoderTypesTests.foundationDecoder.decode(type, from: Data(text.utf8))
          }
        )
      }
    }
  }

  /// What a decoding error says, apart from its wording.
  struct Failure: Equatable {
    var kind: String
    var path: [String]
    var indices: [Int?]

    init?(_ work: () throws -> Void) {
      do {
        try work()
        return nil
      } catch let error as DecodingError {
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(_, let inner): (kind, context) = ("typeMismatch", inner)
        case .valueNotFound(_, let inner): (kind, context) = ("valueNotFound", inner)
        case .keyNotFound(let key, let inner):
          (kind, context) = ("keyNotFound \(key.stringValue)", inner)
        case .dataCorrupted(let inner): (kind, context) = ("dataCorrupted", inner)
        @unknown default: return nil
        }
        path = context.codingPath.map(\.stringValue)
        indices = context.codingPath.map(\.intValue)
      } catch {
        (kind, path, indices) = ("\(error)", [], [])
      }
    }
  }

  struct Inner: Codable, Sendable {
    var value: Int
    var names: [String]?
  }

  struct Outer: Codable, Sendable {
    var list: [Inner]
    var byName: [String: [Int: Inner]]?
    var date: Date?
    var data: Data?
    var url: URL?
  }

  enum Event: Codable, Sendable {
    case opened
    case moved(Int, to: Int)
  }

  final class Derived: Decodable, Sendable {
    private enum Keys: CodingKey { case a }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      _ = try Inner(from: container.superDecoder())
    }
  }

  static let cases: [Case] = [
    Case(Int.self, "\"1\""), Case(Int.self, "1.5"), Case(Int.self, "null"), Case(Int.self, "[]"),
    Case(Int8.self, "128"), Case(UInt.self, "-1"), Case(Int64.self, "9223372036854775808"),
    Case(UInt64.self, "18446744073709551616"), Case(Int.self, "1e19"), Case(Bool.self, "1"),
    Case(Bool.self, "\"true\""), Case(String.self, "1"), Case(String.self, "null"),
    Case(Double.self, "\"Infinity\""), Case(Double.self, "true"), Case(Double.self, "1e999"),
    Case(Float.self, "1e39"), Case(Float.self, "null"), Case([Int].self, "{}"),
    Case([Int].self, "[1,\"2\"]"), Case([Int].self, "[1,null]"), Case([String].self, "null"),
    Case([[Double]].self, "[[0],[1,{}]]"), Case([Inner].self, "[{\"value\":1},{}]"),
    Case(Inner.self, "{}"), Case(Inner.self, "[]"), Case(Inner.self, "null"),
    Case(Inner.self, "{\"value\":null}"), Case(Inner.self, "{\"value\":1,\"names\":[\"a\",1]}"),
    Case(Outer.self, "{\"list\":[{\"value\":1},{\"value\":true}]}"),
    Case(Outer.self, "{\"list\":[],\"byName\":{\"a\":{\"7\":{\"value\":\"x\"}}}}"),
    Case(Outer.self, "{\"list\":[],\"byName\":{\"a\":{\"x\":{\"value\":1}}}}"),
    Case(Outer.self, "{\"list\":[],\"date\":\"today\"}"),
    Case(Outer.self, "{\"list\":[],\"data\":\"***\"}"),
    Case(Outer.self, "{\"list\":[],\"data\":1}"), Case(Outer.self, "{\"list\":[],\"url\":\"\"}"),
    Case(Outer.self, "{\"list\":[],\"url\":1}"), Case(UUID.self, "\"x\""),
    Case([UUID].self, "[\"x\"]"), Case(Decimal.self, "\"1\""), Case([Decimal].self, "[null]"),
    Case(Event.self, "{}"), Case(Event.self, "{\"opened\":{},\"moved\":{}}"),
    Case(Event.self, "{\"closed\":{}}"), Case(Event.self, "{\"moved\":{\"_0\":1}}"),
    Case(Event.self, "{\"moved\":{\"_0\":1,\"to\":\"x\"}}"), Case(Event.self, "\"opened\""),
    Case(Derived.self, "{}"), Case(Derived.self, "{\"super\":{\"value\":\"x\"}}"),
    Case(Never.self, "1"), Case(Range<Int>.self, "[2,1]"), Case(Range<Int>.self, "[1]"),
    Case([Int: Int].self, "{\"a\":1}"), Case([Double: Int].self, "[1]"),
  ]

  @Test("fails where Foundation's decoder fails, in the same way", arguments: cases)
  func sameFailure(example: Case) {
    let (ours, foundation) = example.decode()
    #expect(ours != nil)
    #expect(ours == foundation)
  }

  @Test("keeps the type's own keys in the path")
  func ownKeys() throws {
    let error = try #require(throws: DecodingError.self) {
      try CanonicalDecoder().decode(Outer.self, from: Array("{\"list\":[{\"value\":{}}]}".utf8))
    }
    guard case .typeMismatch(let type, let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(ObjectIdentifier(type) == ObjectIdentifier(Int.self))
    #expect(context.codingPath.count == 3)
    #expect("\(context.codingPath[0])".contains("CodingKeys"))
    #expect(context.debugDescription == "Expected to decode Int but found an object instead.")
  }

  @Test(
    "carries the syntax error",
    arguments: [
      ("{\"a\":1,}", JSONError.Reason.unexpected(UInt8(ascii: "}"), expected: "a key")),
      ("[1", .truncated), ("1 2", .trailing), ("\"\\ud800\"", .loneSurrogate),
      ("{\"a\":1,\"a\":2}", .duplicateKey("a")),
    ])
  func carriesSyntaxError(text: String, reason: JSONError.Reason) throws {
    let error = try #require(throws: DecodingError.self) {
      try CanonicalDecoder().decode([String: Int].self, from: Array(text.utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error)")
      return
    }
    let cause = try #require(context.underlyingError as? JSONError)
    switch (cause.reason, reason) {
    case (.unexpected(let found, _), .unexpected(let expected, _)): #expect(found == expected)
    default: #expect(cause.reason == reason)
    }
    #expect(context.codingPath.isEmpty)
  }

  @Test("refuses values deeper than the limit, from text, slice, and tree")
  func refusesValuesDeeperThanLimit() throws {
    let deep = Array(String(repeating: "[", count: 600).utf8) + Array(repeating: 0x5D, count: 600)
    let slice = try JSONSlice(validating: deep, limits: JSONLimits(depth: 1000))
    let tree = slice.value
    #expect(throws: DecodingError.self) { try CanonicalDecoder().decode(Deep.self, from: deep) }
    #expect(throws: DecodingError.self) { try CanonicalDecoder().decode(Deep.self, from: slice) }
    #expect(throws: DecodingError.self) { try CanonicalDecoder().decode(Deep.self, from: tree) }
    let decoder = CanonicalDecoder(limits: JSONLimits(depth: 600))
    #expect(try decoder.decode(Deep.self, from: deep).depth == 600)
    #expect(try decoder.decode(Deep.self, from: slice).depth == 600)
    #expect(try decoder.decode(Deep.self, from: tree).depth == 600)
  }

  /// Arrays in arrays.
  struct Deep: Decodable {
    var depth: Int
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      depth = container.isAtEnd ? 1 : try container.decode(Deep.self).depth + 1
    }
  }

  @Test("never traps on damaged texts", arguments: [1, 2, 3, 4] as [UInt64])
  func neverTrapsOnDamagedTexts(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let texts =
      Self.cases.map(\.text) + [
        #"{"list":[{"value":1,"names":["a","\u00e9\n"]}],"byName":{"x":{"7":{"value":2}}},"date":1.5}"#
      ]
    for _ in 0..<400 {
      var bytes = Array(texts.randomElement(using: &generator)?.utf8 ?? "".utf8)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        guard let index = bytes.indices.randomElement(using: &generator) else { continue }
        switch UInt8.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = .random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        default: bytes.insert(bytes[index], at: index)
        }
      }
      _ = try? CanonicalDecoder().decode(Outer.self, from: bytes)
      _ = try? CanonicalDecoder().decode([Inner].self, from: bytes)
      _ = try? CanonicalDecoder().decode(Event.self, from: bytes)
      _ = try? CanonicalDecoder().decode(Double.self, from: bytes)
      _ = try? CanonicalDecoder().decode(Int128.self, from: bytes)
    }
  }
}
