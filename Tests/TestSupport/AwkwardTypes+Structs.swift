extension AwkwardType {
  /// Structs, synthesized and handwritten.
  static let structs: [AwkwardType] = [
    AwkwardType("empty struct", Empty()),
    AwkwardType("structs in an array", [Empty(), Empty()]),
    AwkwardType("generic struct", Pair(first: 1, second: Pair(first: "a", second: [true]))),
    AwkwardType("optional members", Optionals(b: 2, d: [nil, 1])),
    AwkwardType("property wrapper", Settings(volume: 7, name: "x")),
    AwkwardType("several containers", TwoContainers(a: 1, b: "two")),
    AwkwardType("nested containers", Flattened(name: "n", x: 1, y: 2, tags: ["t"], deep: 9)),
    AwkwardType("array of different types", Heterogeneous(name: "n", count: 3, isOn: true)),
    AwkwardType("single value of a struct", Boxed(pair: Pair(first: 1, second: 2))),
    AwkwardType("renamed members", RenamedMembers(value: 1, other: "o")),
    AwkwardType("more members than are compared", Wide(count: 60)),
    AwkwardType("members in another order", Backwards(first: 1, second: "2", third: [3])),
    AwkwardType("deep list", List(depth: 100)),
  ]
}

private struct Empty: Codable, Equatable {}

private struct Pair<First: Codable & Equatable & Sendable, Second: Codable & Equatable & Sendable>:
  Codable, Equatable
{
  var first: First
  var second: Second
}

private struct Optionals: Codable, Equatable {
  var a: String?
  var b: Int?
  var c: Pair<Int, Int>?
  var d: [Int?]
  var e: [String]?
  var f: Double?
}

@propertyWrapper
private struct Clamped: Codable, Equatable {
  var wrappedValue: Int
  init(wrappedValue: Int) { self.wrappedValue = min(max(wrappedValue, 0), 10) }
  init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Int.self))
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

private struct Settings: Codable, Equatable {
  @Clamped var volume: Int
  var name: String
}

private struct TwoContainers: Codable, Equatable {
  var a: Int
  var b: String

  private enum KeysA: String, CodingKey { case a }
  private enum KeysB: String, CodingKey { case b }

  init(a: Int, b: String) { (self.a, self.b) = (a, b) }

  init(from decoder: any Decoder) throws {
    let second = try decoder.container(keyedBy: KeysB.self)
    a = try decoder.container(keyedBy: KeysA.self).decode(Int.self, forKey: .a)
    b = try second.decode(String.self, forKey: .b)
  }

  func encode(to encoder: any Encoder) throws {
    var first = encoder.container(keyedBy: KeysA.self)
    var second = encoder.container(keyedBy: KeysB.self)
    try second.encode(b, forKey: .b)
    try first.encode(a, forKey: .a)
  }
}

private struct Flattened: Codable, Equatable {
  var name: String
  var x: Int
  var y: Int
  var tags: [String]
  var deep: Int

  private enum Keys: String, CodingKey { case name, position, lists }
  private enum PositionKeys: String, CodingKey { case x, y }

  init(name: String, x: Int, y: Int, tags: [String], deep: Int) {
    (self.name, self.x, self.y, self.tags, self.deep) = (name, x, y, tags, deep)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    let position = try container.nestedContainer(keyedBy: PositionKeys.self, forKey: .position)
    var lists = try container.nestedUnkeyedContainer(forKey: .lists)
    name = try container.decode(String.self, forKey: .name)
    x = try position.decode(Int.self, forKey: .x)
    y = try position.decode(Int.self, forKey: .y)
    tags = try lists.decode([String].self)
    var inner = try lists.nestedUnkeyedContainer()
    deep = try inner.nestedContainer(keyedBy: PositionKeys.self).decode(Int.self, forKey: .x)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    var position = container.nestedContainer(keyedBy: PositionKeys.self, forKey: .position)
    try position.encode(x, forKey: .x)
    try container.encode(name, forKey: .name)
    try position.encode(y, forKey: .y)
    var lists = container.nestedUnkeyedContainer(forKey: .lists)
    try lists.encode(tags)
    var inner = lists.nestedUnkeyedContainer()
    var deepest = inner.nestedContainer(keyedBy: PositionKeys.self)
    try deepest.encode(deep, forKey: .x)
  }
}

private struct Heterogeneous: Codable, Equatable {
  var name: String
  var count: Int
  var isOn: Bool

  init(name: String, count: Int, isOn: Bool) {
    (self.name, self.count, self.isOn) = (name, count, isOn)
  }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    name = try container.decode(String.self)
    guard try container.decodeNil() else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "null expected")
    }
    count = try container.decode(Int.self)
    isOn = try container.decode(Bool.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(name)
    try container.encodeNil()
    try container.encode(count)
    try container.encode(isOn)
  }
}

private struct Boxed: Codable, Equatable {
  var pair: Pair<Int, Int>
  init(pair: Pair<Int, Int>) { self.pair = pair }
  init(from decoder: any Decoder) throws {
    pair = try decoder.singleValueContainer().decode(Pair<Int, Int>.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(pair)
  }
}

private struct RenamedMembers: Codable, Equatable {
  var value: Int
  var other: String
  enum CodingKeys: String, CodingKey {
    case value = "a \"quoted\"\nname"
    case other = "e\u{301}"
  }
}

/// A struct with numbered keys, which can have any number of members.
private struct Wide: Codable, Equatable {
  var values: [Int]

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int?
    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { self.init(stringValue: "member\(intValue)") }
  }

  init(count: Int) { values = Array(0..<count) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    // Backward, so that no member is where the last search ended.
    values = try container.allKeys.indices.reversed().map {
      try container.decode(Int.self, forKey: Key(intValue: $0))
    }.reversed()
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for value in values { try container.encode(value, forKey: Key(intValue: value)) }
  }
}

private struct Backwards: Codable, Equatable {
  var first: Int
  var second: String
  var third: [Int]

  init(first: Int, second: String, third: [Int]) {
    (self.first, self.second, self.third) = (first, second, third)
  }

  private enum CodingKeys: CodingKey { case first, second, third }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(third, forKey: .third)
    try container.encode(second, forKey: .second)
    try container.encode(first, forKey: .first)
  }
}

private indirect enum List: Codable, Equatable, Sendable {
  case end
  case more(List)

  init(depth: Int) { self = depth == 0 ? .end : .more(List(depth: depth - 1)) }
}
