import Foundation

extension AwkwardType {
  /// Arrays, dictionaries, and sets, and optionals in them.
  static let collections: [AwkwardType] = [
    AwkwardType("empty array", [Int]()),
    AwkwardType("optionals in an array", [1, nil, 3] as [Int?]),
    AwkwardType("arrays in arrays", [[], [[1]], [[2, 3], []]] as [[[Int]]]),
    AwkwardType("strings", ["", "a", "\u{0}"]),
    AwkwardType("doubles", [0, 0.1, 1e300, -2.5e-300]),
    AwkwardType("bytes", [0, 127, 255] as [UInt8]),
    AwkwardType("contiguous array", ContiguousArray([1, 2])),
    AwkwardType("set", Set(["b", "a", "c"])),
    AwkwardType("set of structs", Set([Place(x: 1, y: 2), Place(x: 2, y: 1)])),
    AwkwardType("empty dictionary", [String: Int]()),
    AwkwardType(
      "dictionary with awkward keys",
      ["": 1, "\"": 2, "a\nb": 3, "é": 4, "👍": 5, "\u{0}": 6, "\\": 7, "/": 8]),
    AwkwardType("dictionary of nulls", ["a": nil, "b": 1] as [String: Int?]),
    AwkwardType("dictionary by integer", [-1: "a", 0: "b", 12_345: "c"]),
    AwkwardType(
      "dictionaries in dictionaries", ["a": [1: true, 2: false]] as [String: [Int: Bool]]),
    AwkwardType("dictionary by enum of strings", [Side.heads: 1, .tails: 2]),
    AwkwardType("dictionary by represented key", [Stop("bus-7"): 1, Stop("tram \"2\""): 2]),
    AwkwardType("dictionary by represented integer", [Floor(level: -2): "garage"]),
    AwkwardType("dictionary by struct", [Place(x: 1, y: 2): "here", Place(x: 0, y: 0): "there"]),
    AwkwardType("dictionary by UUID", [uuid: 1]),
    AwkwardType("dictionary by double", [0.5: "half"]),
    AwkwardType(
      "large dictionary",
      Dictionary(uniqueKeysWithValues: (0..<200).map { ("key \($0)", [$0: $0]) })),
    AwkwardType("array of dictionaries", [["a": Place(x: 1, y: 1)], [:]]),
    AwkwardType("collection difference", [1, 2, 3].difference(from: [3, 2])),
  ]

  private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
}

private enum Side: String, Codable, CodingKeyRepresentable {
  case heads
  case tails
}

private struct Stop: Codable, Hashable, CodingKeyRepresentable {
  var id: String
  init(_ id: String) { self.id = id }
  init?<T: CodingKey>(codingKey: T) { id = codingKey.stringValue }
  var codingKey: any CodingKey { Name(stringValue: id) }

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

private struct Floor: Codable, Hashable, CodingKeyRepresentable {
  var level: Int
  init(level: Int) { self.level = level }
  init?<T: CodingKey>(codingKey: T) {
    guard let level = codingKey.intValue else { return nil }
    self.level = level
  }
  var codingKey: any CodingKey { level.codingKey }
}

private struct Place: Codable, Hashable {
  var x: Int
  var y: Int
}
