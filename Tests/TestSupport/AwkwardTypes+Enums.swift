extension AwkwardType {
  /// Enums with and without payloads, and optionals of optionals.
  static let enums: [AwkwardType] = [
    AwkwardType("enum of integers", Level.high),
    AwkwardType("case without payload", Event.opened),
    AwkwardType("case with an unnamed payload", Event.loggedIn(true)),
    AwkwardType("case with a label", Event.activatedTab(index: 2)),
    AwkwardType(
      "case with several payloads", Event.moved("a", to: .moved("b", to: .opened, [1]), [])),
    AwkwardType("case with a nil payload", Event.refetched(nil)),
    AwkwardType("case with a payload", Event.refetched(.some(.opened))),
    AwkwardType("cases in an array", [Event.opened, .loggedIn(false)]),
    AwkwardType("renamed cases", [Renamed.first(value: 1), .second]),
    AwkwardType("recursive enum", Tree.node(.node(.leaf(1), .leaf(2)), .leaf(3))),
    AwkwardType("generic enum", Either<Int, [String]>.right(["a"])),
    AwkwardType("optional of an optional", Nested(value: .some(.some(1)))),
    AwkwardType("nil", Nested(value: nil)),
    AwkwardType("dictionary of cases", ["a": Event.opened, "b": .activatedTab(index: 1)]),
    AwkwardType("no cases", [Never]()),
    AwkwardType("raw representable struct", [Raw(rawValue: "x"), Raw(rawValue: "")]),
    AwkwardType("option set", Options([.a, .c])),
  ]
}

private enum Level: Int, Codable {
  case low = -1
  case high = 7
}

private indirect enum Event: Codable, Equatable, Sendable {
  case opened
  case loggedIn(Bool)
  case activatedTab(index: Int)
  case moved(String, to: Event, [Int])
  case refetched(Event?)
}

private enum Renamed: Codable, Equatable {
  case first(value: Int)
  case second

  enum CodingKeys: String, CodingKey {
    case first = "1st"
    case second = "a \"second\""
  }
  enum FirstCodingKeys: String, CodingKey {
    case value = "v"
  }
}

private indirect enum Tree: Codable, Equatable, Sendable {
  case leaf(Int)
  case node(Tree, Tree)
}

private enum Either<Left: Codable & Equatable & Sendable, Right: Codable & Equatable & Sendable>:
  Codable, Equatable
{
  case left(Left)
  case right(Right)
}

private struct Nested: Codable, Equatable {
  var value: Int??
}

private struct Raw: Codable, RawRepresentable, Equatable {
  var rawValue: String
}

private struct Options: OptionSet, Codable {
  var rawValue: UInt8
  static let a = Options(rawValue: 1)
  static let c = Options(rawValue: 4)
}
