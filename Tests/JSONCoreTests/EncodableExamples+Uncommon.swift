import Foundation

extension EncodableExample {
  /// What few types do and every encoder must get right.
  static let uncommon: [EncodableExample] = [
    .init("parents' encoders inside arrays inside objects", SupersInArrays()),
    .init("every way to encode nil", EveryNil()),
    .init("conditional members", Conditional()),
    .init("contents of a sequence", SequenceContents()),
    .init("a member over a nested container", MemberOverNested()),
    .init("a parent's encoder over a member", SuperOverMember()),
    .init("single values in parents' encoders", SingleSupers()),
    .init("types that encode through their own function", Bypassing()),
    .init("counts of arrays while they grow", Counts()),
    .init("a dictionary by bytes", [Int8(-3): 1]),
    .init("a dictionary by wide integers", [UInt64.max: 1]),
    .init("a dictionary by Boolean", [true: [nil, 1] as [Int?]]),
    .init("a dictionary by date", [Date(timeIntervalSince1970: 1.5): "a"]),
    .init("a dictionary by UUID", [UUID(uuidString: "DEADBEEF-0123-4567-89AB-CDEF00112233"): 1]),
    .init("a dictionary by optional", [Int?.none: 1]),
    .init("a dictionary by array", [[1, 2]: ["a": 1]]),
    .init("a dictionary of optionals of optionals", ["a": Int??.some(nil), "b": 1]),
    .init("keys that need escapes", ["a\u{0}\"\\/\u{7F}é": ["\n": 1]]),
    .init("a float of half the size", [Float16(0.1), -0.0, .greatestFiniteMagnitude]),
    .init("the widest integers", [UInt128.max]),
    .init("wide integers in every place", WideIntegers()),
    .init("ranges of everything", Ranges()),
    .init("optionals of empty collections", [[Int]?.some([]), nil]),
    .init("turns inside turns inside turns", Turns(depth: 12)),
    .init("a child that writes into its parent", WritesIntoParent(depth: 8)),
  ]
}

private struct SupersInArrays: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: AnyKey.self)
    var array = object.nestedUnkeyedContainer(forKey: "array")
    var inner = array.superEncoder().container(keyedBy: AnyKey.self)
    var innerArray = inner.superEncoder(forKey: "deep").unkeyedContainer()
    try Nils().encode(to: innerArray.superEncoder())
    try innerArray.encode(1)
    var last = innerArray.superEncoder().singleValueContainer()
    try last.encode(["x": 1.5])
    try inner.encode("after", forKey: "k")
    try array.encode("after")
    _ = array.superEncoder()
    _ = array.superEncoder().unkeyedContainer()
    try object.encode("after", forKey: "k")
    _ = object.superEncoder(forKey: "none").container(keyedBy: AnyKey.self)
  }
}

private struct EveryNil: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: AnyKey.self)
    try object.encodeNil(forKey: "a")
    try object.encode(Int?.none, forKey: "b")
    try object.encode(Int??.some(nil), forKey: "c")
    try object.encodeIfPresent(Int?.none, forKey: "d")
    try object.encodeIfPresent(Int??.some(nil), forKey: "e")
    try object.encodeIfPresent(Int128?.some(5), forKey: "f")
    var array = object.nestedUnkeyedContainer(forKey: "g")
    try array.encodeNil()
    try array.encode([Int]?.none)
    var single = array.superEncoder().singleValueContainer()
    try single.encodeNil()
    var nested = object.superEncoder(forKey: "h").singleValueContainer()
    try nested.encode(String??.none)
  }
}

private struct Conditional: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: AnyKey.self)
    let base = Base()
    try object.encodeConditional(base, forKey: "a")
    var array = object.nestedUnkeyedContainer(forKey: "b")
    try array.encodeConditional(base)
    try array.encodeConditional(Subclass())
  }
}

private struct SequenceContents: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var array = encoder.unkeyedContainer()
    try array.encode(contentsOf: [1, 2, 3] as [UInt8])
    try array.encode(contentsOf: ["a", "b"])
    try array.encode(contentsOf: [Double.nan, 1])
    try array.encode(contentsOf: [Int128(1)])
    try array.encode(contentsOf: [[1], []])
    try array.encode(contentsOf: [Date(timeIntervalSince1970: 5)])
    try array.encode(contentsOf: [Bool?.none, true])
    try array.encode(array.count)
  }
}

private struct MemberOverNested: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: AnyKey.self)
    var nested = object.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
    try nested.encode(1, forKey: "lost")
    try object.encode([2], forKey: "a")
    try object.encodeNil(forKey: "b")
    try object.encode("there", forKey: "b")
  }
}

private struct SuperOverMember: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: AnyKey.self)
    try object.encode([1], forKey: "a")
    try Nils().encode(to: object.superEncoder(forKey: "a"))
    try object.encode(1, forKey: "super")
    try EmptyStruct().encode(to: object.superEncoder())
  }
}

private struct SingleSupers: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: AnyKey.self)
    let values: [any Encodable] = [
      1, "a", [1], ["a": Wrapper(2)], Data([1]), Date(timeIntervalSince1970: 1), Suit.hearts,
      Event.pair(x: 1, y: nil), Double.infinity, Int?.none,
    ]
    for (index, value) in values.enumerated() {
      var single = object.superEncoder(forKey: AnyKey(stringValue: "\(index)"))
        .singleValueContainer()
      try single.encode(value)
    }
  }
}

/// Not asking the encoder, but the values themselves.
private struct Bypassing: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var array = encoder.unkeyedContainer()
    let values: [any Encodable] = [
      1, 2.5, "a", true, [1, 2], [1: "a"], ["b": [2]], Set([3]), Int?.some(4), [Int?.none],
      Data([1, 2]), Date(timeIntervalSinceReferenceDate: 7), Suit.spades, Event.text("x"), 1..<2,
      [Suit.hearts: Date(timeIntervalSinceReferenceDate: 1)], Float(0.5), Int8(1),
      UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), Decimal(5),
      URL(fileURLWithPath: "/a"),
    ]
    for value in values { try value.encode(to: array.superEncoder()) }
  }
}

/// Encodes where it stands.
private struct Place: Encodable, Hashable, Sendable {
  var number = 0
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(encoder.codingPath.map { "\($0.stringValue)|\($0.intValue ?? -1)" })
  }
}

struct Paths: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: AnyKey.self)
    try object.encode(Place(), forKey: "a")
    try object.encode([Place(), Place()], forKey: "b")
    try object.encode(["x": Place()], forKey: "c")
    try object.encode([4: [Place()]], forKey: "d")
    try object.encode(Named(rawValue: "e"), forKey: "named")
    try object.encode([Named(rawValue: "n"): Place()], forKey: "e")
    try object.encode(Wrapper(Wrapper([Place()])), forKey: "f")
    try object.encode(Place?.some(Place()), forKey: "g")
    var array = object.nestedUnkeyedContainer(forKey: "h")
    try array.encode(1)
    try array.encode(Place())
    var inner = array.nestedContainer(keyedBy: AnyKey.self)
    try inner.encode(Place(), forKey: "i")
    try inner.encode(inner.codingPath.map(\.stringValue), forKey: "own")
    try array.encode(array.codingPath.map(\.stringValue))
    try Place().encode(to: array.superEncoder())
    try Place().encode(to: object.superEncoder())
    try [Place()].encode(to: object.superEncoder(forKey: "j"))
    try object.encode(object.codingPath.map(\.stringValue), forKey: "own")
  }
}

struct InterleavedPaths: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: AnyKey.self)
    var first = object.nestedUnkeyedContainer(forKey: "first")
    var second = object.nestedContainer(keyedBy: AnyKey.self, forKey: "second")
    try first.encode(["x": [Place()]])
    try second.encode(Place(), forKey: "y")
    try first.encode(Place())
    try Place().encode(to: second.superEncoder())
    try Place().encode(to: first.superEncoder())
    try second.encode(second.codingPath.map(\.stringValue), forKey: "own")
  }
}

private struct Counts: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var array = encoder.unkeyedContainer()
    try array.encode(array.count)
    try array.encodeNil()
    try array.encode([array.count])
    _ = array.superEncoder()
    _ = array.nestedContainer(keyedBy: AnyKey.self)
    var nested = array.nestedUnkeyedContainer()
    try nested.encode(array.count)
    try array.encode(array.count)
  }
}

private struct WideIntegers: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: AnyKey.self)
    try object.encode(Int128.min, forKey: "a")
    try object.encode(UInt128.max, forKey: "b")
    var array = object.nestedUnkeyedContainer(forKey: "c")
    try array.encode(Int128.max)
    try array.encode(UInt128(1))
    var single = object.superEncoder(forKey: "d").singleValueContainer()
    try single.encode(UInt128.max)
    try object.encode(["x": Int128(7)], forKey: "e")
    try object.encode(Int128(8), forKey: "a")
  }
}

private struct Ranges: Codable, Sendable {
  var a = 1..<1
  var b = "a"..."b"
  var c = PartialRangeThrough(Date(timeIntervalSince1970: 1))
  var d: Range<Double>? = -Double.infinity..<(.infinity)
}

/// Needs the tree at every level.
struct Turns: Encodable, Sendable {
  var depth: Int
  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: AnyKey.self)
    try object.encode(depth, forKey: "n")
    if depth > 0 { try object.encode(Turns(depth: depth - 1), forKey: "child") }
    try object.encode(-depth, forKey: "n")
  }
}

/// Its innermost child writes into a container of the outermost.
struct WritesIntoParent: Encodable, Sendable {
  var depth: Int

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: AnyKey.self)
    var list = object.nestedUnkeyedContainer(forKey: "list")
    try list.encode("first")
    try object.encode(Child(depth: depth, list: list), forKey: "child")
  }

  struct Child: Encodable {
    var depth: Int
    var list: any UnkeyedEncodingContainer

    func encode(to encoder: any Encoder) throws {
      var array = encoder.unkeyedContainer()
      guard depth > 0 else {
        var list = list
        return try list.encode("innermost")
      }
      try array.encode(Child(depth: depth - 1, list: list))
    }
  }
}
