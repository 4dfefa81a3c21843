import Foundation

/// A state with every kind of part that is reused, or must not be.
struct World: Encodable {
  var title = "world"
  var revision = 0
  var text: String
  var items: [Item]
  var maybe: [Item]?
  var index: [String: Item]
  var numbered: [Int: [String]]
  var tags: Set<String>
  var matrix: [[Int]]
  var pages: [Page]
  var events: [Event]
  var flags: [Bool]
  var doubles: [Double]
  var holders: [Holder]
  var padded: [Padded]
  var derived: Derived
  var small: [Small]
  var texts: [String]
  var ids: [UUID]
  var dates: [Date?]
  var pairs: [Small: Int]
  var spans: [String: [String: [Item]]]
  var interleaved: [InterleavedItems]
  var statuses: [Status]
}

/// An enum whose payloads are of many kinds.
enum Status: Encodable {
  case idle
  case loading(Double)
  case failed(String, code: Int?)
  indirect case nested(Status, [Item])
  case kind(Small)
}

/// Equal to others with its id, whatever else differs.
struct Item: Encodable, Hashable {
  var id: Int
  var isOn = false
  var name = "an item with a name of some length"
  var count = Int32(0)
  var price = 1.5
  var tags = ["a", "b"]
  var note: String?
  var limit: Int?
  var big: [Int] = []

  static func == (left: Item, right: Item) -> Bool { left.id == right.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

struct Page: Encodable {
  var title: String
  var isOpen = true
  var items: [Item]
}

struct Small: Encodable, Hashable {
  var a: Int8
  var b: Int16?
}

/// Bytes between its fields.
struct Padded: Encodable {
  var isOn = false
  var index: Int
  var letter: UInt8 = 1
  var maybe: Int32?
  var wide = 2.5
  var last = true

  init(index: Int) { self.index = index }
}

final class Counter: Encodable {
  var value: Int
  init(_ value: Int) { self.value = value }
}

struct Holder: Encodable {
  var name: String
  var counter: Counter
}

/// Throws when it is negative.
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

struct Nest: Encodable {
  var children: [Nest]
}

/// Any value, with a reference in between.
struct AnyValue: Encodable {
  var value: any Encodable
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// Encodes something made of its contents, the same thing twice, and things on conditions.
struct Derived: Encodable {
  var items: [Item]
  var isReversed = false
  var showsItems = true

  enum CodingKeys: CodingKey { case on, all, again, list, nested }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(items.filter(\.isOn), forKey: .on)
    let all = isReversed ? items.reversed() : items
    if showsItems {
      try container.encode(all, forKey: .all)
      try container.encode(all, forKey: .again)
    } else {
      try container.encode("hidden", forKey: .all)
    }
    var list = container.nestedUnkeyedContainer(forKey: .list)
    for item in items.prefix(5) { try list.encode(item) }
    try list.encode(items.map(\.id))
    var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: .nested)
    try nested.encode(items.map(\.name), forKey: isReversed ? "names" : "others")
  }
}

/// Needs the tree, because its containers take turns.
struct InterleavedItems: Encodable {
  var items: [Item]

  func encode(to encoder: any Encoder) throws {
    var outer = encoder.container(keyedBy: AnyKey.self)
    var first = outer.nestedUnkeyedContainer(forKey: "first")
    var second = outer.nestedUnkeyedContainer(forKey: "second")
    try first.encode(items)
    try second.encode(items.map(\.id))
    try first.encode(items.count)
  }
}
