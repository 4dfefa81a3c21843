import Foundation
import JSONCore
import Testing

/// Types whose encoding has a turn of its own, each compared with Foundation's encoder.
@Suite("Canonical encoder")
struct EncoderTests {
  @Test("writes the same values as JSONEncoder", arguments: EncodableExample.all)
  func agreesWithFoundation(_ value: EncodableExample) throws {
    let ours = try CanonicalEncoder(userInfo: EncodableExample.userInfo).encode(value.value)
    let theirs = try Array(Self.foundation.encode(value.value))
    // Foundation's parser judges both, so that ours is valid for someone else too.
    let left = try JSONSerialization.jsonObject(with: Data(ours), options: .fragmentsAllowed)
    let right = try JSONSerialization.jsonObject(with: Data(theirs), options: .fragmentsAllowed)
    let text = String(decoding: ours, as: UTF8.self)
    #expect((left as? NSObject) == (right as? NSObject), "\(text)")
    #expect(try JSON(parsing: ours) == JSON(parsing: theirs), "\(text)")
  }

  @Test("writes the canonical text", arguments: CanonicalText.all)
  func writesText(_ example: CanonicalText) throws {
    let bytes = try CanonicalEncoder(userInfo: EncodableExample.userInfo).encode(example.value)
    #expect(String(decoding: bytes, as: UTF8.self) == example.text)
  }

  @Test("writes the same text again after reading it as a tree", arguments: EncodableExample.all)
  func treeAgrees(_ value: EncodableExample) throws {
    let bytes = try CanonicalEncoder(userInfo: EncodableExample.userInfo).encode(value.value)
    #expect(try JSON(parsing: bytes).encoded() == bytes)
  }

  @Test("refuses what JSONEncoder refuses")
  func refusesNothingAtTop() {
    #expect(throws: EncodingError.self) { try CanonicalEncoder().encode(EncodesNothing()) }
    #expect(throws: EncodingError.self) { try Self.foundation.encode(EncodesNothing()) }
  }

  @Test("reports the path of a value that throws")
  func errorPath() {
    let value = ["list": [Nested(inner: [1, 2, -1])]]
    do {
      _ = try CanonicalEncoder().encode(value)
      Issue.record("nothing was thrown")
    } catch EncodingError.invalidValue(_, let context) {
      #expect(context.codingPath.map(\.stringValue) == ["list", "Index 0", "inner", "Index 2"])
      #expect(context.codingPath.map(\.intValue) == [nil, 0, nil, 2])
      #expect(context.codingPath[2] is Nested.CodingKeys)
    } catch {
      Issue.record("\(error)")
    }
  }

  struct Nested: Encodable {
    var inner: [Fussy]
    init(inner: [Int]) { self.inner = inner.map(Fussy.init) }
    enum CodingKeys: CodingKey { case inner }
  }

  struct Fussy: Encodable {
    var value: Int
    func encode(to encoder: any Encoder) throws {
      if value < 0 {
        throw EncodingError.invalidValue(
          value, .init(codingPath: encoder.codingPath, debugDescription: "negative"))
      }
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  @Test("refuses a value that nests too deep, with its path, and still works afterwards")
  func refusesValueThatNestsTooDeep() throws {
    let encoder = CanonicalEncoder()
    for depth in [511, 512] {
      let bytes = try encoder.encode(Deep(depth: depth))
      #expect(try JSON(parsing: bytes).encoded() == bytes)
    }
    for depth in [513, 5_000] {
      do {
        _ = try encoder.encode(Deep(depth: depth))
        Issue.record("nothing was thrown at \(depth)")
      } catch EncodingError.invalidValue(_, let context) {
        #expect(context.codingPath.count == 512)
      }
    }
    #expect(throws: EncodingError.self) { try encoder.encode(Endless()) }
    #expect(throws: EncodingError.self) { try encoder.encode(EndlessWithoutContainers()) }
    #expect(try encoder.encode([1]) == Array("[1]".utf8))
  }

  /// `[[[…]]]` of so many arrays.
  struct Deep: Encodable {
    var depth: Int
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      if depth > 1 { try container.encode(Deep(depth: depth - 1)) }
    }
  }

  struct Endless: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(self)
    }
  }

  struct EndlessWithoutContainers: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(self)
    }
  }

  @Test("leaves no trace of a member whose error was caught")
  func caughtErrors() throws {
    let bytes = try CanonicalEncoder().encode(Catcher())
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":1,"b":[2,3],"c":4}"#)
  }

  struct Catcher: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode(1, forKey: "a")
      try? container.encode([Fussy(value: 1), Fussy(value: -1)], forKey: "bad")
      try? container.encode(["x": ["y": Fussy(value: -1)]], forKey: "bad")
      try? container.encode(EndlessWithoutContainers(), forKey: "bad")
      var list = container.nestedUnkeyedContainer(forKey: "b")
      try? list.encode(Fussy(value: -1))
      try list.encode(2)
      try? list.encode([[Fussy(value: -1)]])
      try list.encode(Fussy(value: 3))
      try container.encode(4, forKey: "c")
    }
  }

  @Test("refuses containers that are used after their value returned")
  func strayContainers() throws {
    let keeper = Keeper()
    #expect(try CanonicalEncoder().encode(keeper) == Array(#"{"a":1}"#.utf8))
    #expect(throws: (any Error).self) { try keeper.container?.encode(2, forKey: "b") }
    var nested = keeper.container?.nestedUnkeyedContainer(forKey: "c")
    #expect(throws: (any Error).self) { try nested?.encode(2) }
    #expect(keeper.container?.codingPath.isEmpty == true)
    // It does not affect the next value.
    #expect(try CanonicalEncoder().encode(["x": 1]) == Array(#"{"x":1}"#.utf8))
    #expect(throws: (any Error).self) { try CanonicalEncoder().encode([StrayUser(keeper: keeper)]) }
  }

  final class Keeper: Encodable {
    var container: KeyedEncodingContainer<AnyKey>?
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode(1, forKey: "a")
      self.container = container
    }
  }

  struct StrayUser: Encodable {
    var keeper: Keeper
    func encode(to encoder: any Encoder) throws {
      _ = encoder.unkeyedContainer()
      try keeper.encode(to: encoder)
    }
  }

  @Test("refuses two kinds of container in one place")
  func twoKinds() {
    #expect(throws: EncodingError.self) { try CanonicalEncoder().encode([TwoKinds()]) }
    #expect(throws: EncodingError.self) { try CanonicalEncoder().encode([TwoValues()]) }
  }

  struct TwoKinds: Encodable {
    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: AnyKey.self)
      try object.encode(1, forKey: "a")
      var array = encoder.unkeyedContainer()
      try array.encode(1)
    }
  }

  struct TwoValues: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(1)
      try container.encode(2)
    }
  }

  @Test("encodes from many tasks at once")
  func encodesFromManyTasksAtOnce() async throws {
    let expected = try CanonicalEncoder().encode(EncodableExample.all[0].value)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask {
          (0..<20).allSatisfy { _ in
            (try? CanonicalEncoder().encode(EncodableExample.all[0].value)) == expected
          }
        }
      }
      for await isEqual in group { #expect(isEqual) }
    }
  }

  static var foundation: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.dataEncodingStrategy = .base64
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    encoder.userInfo = EncodableExample.userInfo
    return encoder
  }
}
