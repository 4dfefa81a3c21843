import Foundation
import Testing

/// A value whose type does something out of the ordinary when it is encoded.
struct EncodableExample: CustomTestStringConvertible, Sendable {
  let name: String
  let value: any Encodable & Sendable

  var testDescription: String { name }

  init(_ name: String, _ value: any Encodable & Sendable) {
    self.name = name
    self.value = value
  }

  static let key = CodingUserInfoKey(rawValue: "greeting")
  static let userInfo: [CodingUserInfoKey: any Sendable] =
    key.map { [$0: "hello" as any Sendable] } ?? [:]

  static let all = common + uncommon

  private static let common: [EncodableExample] = [
    .init("every scalar", Scalars()),
    .init("integers at their limits", Limits()),
    .init("wide integers", [Int128(Int64.max) + 1, Int128(-5)]),
    .init(
      "doubles of every size",
      [0.1, 1.0, -0.5, 1e21, 1e-7, 123_456.789, .leastNonzeroMagnitude, 1.5e300]),
    .init("floats", [Float(0.1), 16_777_216, 3.4e38, 1e-10]),
    .init("what is not finite", [Double.nan, .infinity, -.infinity]),
    .init("strings to be escaped", ["\"\\\n\t\r\u{8}\u{C}\u{0}\u{1F}\u{7F}/\u{2028}é👩‍👩‍👧", ""]),
    .init("a long string with one quote", String(repeating: "x", count: 1_000) + "\"y"),
    .init("a fragment", 5),
    .init("a nil fragment", Int?.none),
    .init("nil properties and nil elements", Nils()),
    .init("optionals of optionals", [Int??.some(.some(1)), .some(.none), .none]),
    .init("Foundation's own", Foundations()),
    .init("dates in collections", ["a": [Date(timeIntervalSince1970: 1.5)]]),
    .init("a dictionary with string keys", ["b": 1, "a": 2, "\"": 3, "": 4]),
    .init("a dictionary with integer keys", [10: "a", 9: "b", -1: "c"]),
    .init("a dictionary with one key of another type", [Suit.hearts: 1]),
    .init("a dictionary with keys that are coding keys", [Named(rawValue: "x"): 1]),
    .init("a dictionary with pairs", [2.5: "a"]),
    .init("a set of one", Set([1])),
    .init("enums with payloads", [Event.plain, .text("a"), .pair(x: 1, y: nil), .many([.plain])]),
    .init("an indirect enum", Tree.node(.node(.leaf(1), .leaf(2)), .leaf(3))),
    .init("a raw-valued enum", [Suit.hearts, .spades]),
    .init("a class with a parent's encoder", Subclass()),
    .init("a class that shares its parent's encoder", SharingSubclass()),
    .init("a parent's key again", OverridingSubclass()),
    .init("nested containers of all kinds", NestedContainers()),
    .init("nested containers in turns", Interleaved()),
    .init("the same key twice", SameKeyTwice()),
    .init("the same nested container twice", SameNestedTwice()),
    .init("two containers", TwoContainers()),
    .init("an encoder for super that encodes nothing", EmptySuper()),
    .init("a member that encodes nothing", ["a": EncodesNothing()]),
    .init("a single value of a single value", Wrapper(Wrapper(Wrapper("x")))),
    .init("a single value of a container", Wrapper(["a": Wrapper([1])])),
    .init("a flattened member", Flattened()),
    .init("userInfo", [ReadsUserInfo()]),
    .init("an existential member", Existential()),
    .init("more members than the hashes are walked for", WideObject(count: 500)),
    .init("wide objects inside one another", [WideObject(count: 40), WideObject(count: 33)]),
    .init("an empty object", EmptyStruct()),
    .init("empty collections", [[Int]](repeating: [], count: 2)),
    .init("bytes", [UInt8](0...255)),
    .init("a contiguous array", ["a": ContiguousArray(["x"])]),
    .init("a range", [1..<3]),
    .init("a long array", Array(0..<3_000)),
    .init("interleaving in depth", [["a": Interleaved()], ["b": Interleaved()]]),
    .init("an encoder used for several arrays", AppendingUnkeyed()),
  ]
}

/// A coding key written as a literal.
struct AnyKey: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  let intValue: Int?
  init(stringLiteral value: String) { self.init(stringValue: value) }
  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }
  init?(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

struct Scalars: Codable, Sendable {
  var bool = true
  var int = -1
  var int8 = Int8(-8)
  var int16 = Int16(-16)
  var int32 = Int32(-32)
  var int64 = Int64(-64)
  var uint = UInt(1)
  var uint8 = UInt8(8)
  var uint16 = UInt16(16)
  var uint32 = UInt32(32)
  var uint64 = UInt64(64)
  var double = 2.5
  var float = Float(0.25)
  var string = "text"
  var big = Int128(1) << 80
}

struct Limits: Codable, Sendable {
  var a = Int64.min
  var b = Int64.max
  var c = UInt64.max
  var d = Int8.min
  var e = 0
}

struct Nils: Codable, Sendable {
  var a: Int?
  var b: String? = "b"
  var c: [Int?] = [1, nil, 3]
  var d: [String: Int?] = ["x": nil]
  var e: Date?
}

struct Foundations: Codable, Sendable {
  var date = Date(timeIntervalSinceReferenceDate: 700_000_000.123)
  var data = [Data(), Data([1]), Data([1, 2]), Data([1, 2, 3]), Data([250, 251, 252, 253])]
  var url = URL(string: "https://example.org/a/b?c=d%20e#f")
  var decimals = [
    Decimal(string: "12345678901234567890.123456789"), Decimal(string: "-1e20"), Decimal(0),
  ]
  var uuid = UUID(uuidString: "DEADBEEF-0123-4567-89AB-CDEF00112233")
}

enum Suit: String, Codable, Sendable { case hearts, spades }

struct Named: RawRepresentable, Codable, Hashable, Sendable, CodingKeyRepresentable {
  var rawValue: String
}

enum Event: Codable, Sendable {
  case plain
  case text(String)
  case pair(x: Int, y: Double?)
  indirect case many([Event])
}

indirect enum Tree: Codable, Sendable {
  case leaf(Int)
  case node(Tree, Tree)
}

// Safe: neither this class nor its subclasses have anything that changes.
class Base: Encodable, @unchecked Sendable {
  let id = 1
  enum CodingKeys: CodingKey { case id }
}

final class Subclass: Base, @unchecked Sendable {
  let name = "sub"
  enum CodingKeys: CodingKey { case name, other }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try super.encode(to: container.superEncoder())
    try container.encode(name, forKey: .name)
    try super.encode(to: container.superEncoder(forKey: .other))
  }
}

final class SharingSubclass: Base, @unchecked Sendable {
  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: AnyKey.self)
    try container.encode("sub", forKey: "name")
  }
}

final class OverridingSubclass: Base, @unchecked Sendable {
  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: AnyKey.self)
    try container.encode("overridden", forKey: "id")
  }
}

struct NestedContainers: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var outer = encoder.container(keyedBy: AnyKey.self)
    var object = outer.nestedContainer(keyedBy: AnyKey.self, forKey: "object")
    try object.encode(1, forKey: "a")
    var array = object.nestedUnkeyedContainer(forKey: "array")
    try array.encode("x")
    try array.encodeNil()
    var inner = array.nestedContainer(keyedBy: AnyKey.self)
    try inner.encode(true, forKey: "t")
    try inner.encodeNil(forKey: "n")
    var innermost = array.nestedUnkeyedContainer()
    try innermost.encode(1.5)
    try innermost.encode(Float(1.5))
    _ = array.nestedUnkeyedContainer()
    try Scalars().encode(to: array.superEncoder())
    try [1, 2].encode(to: array.superEncoder())
    try outer.encode(2, forKey: "last")
    _ = outer.nestedContainer(keyedBy: AnyKey.self, forKey: "empty")
  }
}

struct Interleaved: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var outer = encoder.container(keyedBy: AnyKey.self)
    var a = outer.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
    var b = outer.nestedUnkeyedContainer(forKey: "b")
    for round in 0..<3 {
      try a.encode(round, forKey: AnyKey(stringValue: "r\(round)"))
      try b.encode([round])
      try b.encode(["k": Date(timeIntervalSince1970: Double(round))])
      try outer.encode(Event.text("x"), forKey: AnyKey(stringValue: "o\(round)"))
    }
    let parent = outer.superEncoder()
    try a.encode(9, forKey: "late")
    try Scalars().encode(to: parent)
    try b.encodeNil()
  }
}

struct SameKeyTwice: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    try container.encode(1, forKey: "a")
    try container.encode([2], forKey: "b")
    try container.encode("three", forKey: "a")
  }
}

struct SameNestedTwice: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    var first = container.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
    try first.encode(1, forKey: "x")
    var second = container.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
    try second.encode(2, forKey: "y")
    try first.encode(3, forKey: "z")
  }
}

struct TwoContainers: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var first = encoder.container(keyedBy: AnyKey.self)
    var second = encoder.container(keyedBy: AnyKey.self)
    try first.encode(1, forKey: "a")
    try second.encode(2, forKey: "b")
    try first.encode(3, forKey: "c")
  }
}

struct EmptySuper: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    _ = container.superEncoder()
    try container.encode(1, forKey: "a")
  }
}

struct EncodesNothing: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {}
}

struct EmptyStruct: Codable, Sendable {}

struct Wrapper<Value: Encodable & Sendable>: Encodable, Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

struct Flattened: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    try Nils().encode(to: encoder)
    var container = encoder.container(keyedBy: AnyKey.self)
    try container.encode("flat", forKey: "kind")
  }
}

struct ReadsUserInfo: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(EncodableExample.key.flatMap { encoder.userInfo[$0] as? String })
  }
}

struct Existential: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    let values: [any Encodable] = [1, "a", [2.5], Date(timeIntervalSince1970: 3), Data([1])]
    for (index, value) in values.enumerated() {
      try container.encode(value, forKey: AnyKey(stringValue: "v\(index)"))
    }
  }
}

struct WideObject: Encodable, Sendable {
  var count: Int
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    for index in 0..<count {
      try container.encode(index, forKey: AnyKey(stringValue: "key \(index)"))
    }
  }
}

struct AppendingUnkeyed: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var first = encoder.unkeyedContainer()
    try first.encode(1)
    var second = encoder.unkeyedContainer()
    try second.encode(first.count)
    try first.encode(second.count)
  }
}
