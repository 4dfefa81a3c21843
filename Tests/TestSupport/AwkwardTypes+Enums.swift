extension AwkwardValue {
  /// Enums with and without payloads, and optionals of optionals.
  static let enums: [AwkwardValue] = [
    AwkwardValue("enum of integers", Level.high),
    AwkwardValue("case without payload", Event.opened),
    AwkwardValue("case with an unnamed payload", Event.loggedIn(true)),
    AwkwardValue("case with a label", Event.activatedTab(index: 2)),
    AwkwardValue(
      "case with several payloads", Event.moved("a", to: .moved("b", to: .opened, [1]), [])),
    AwkwardValue("case with a nil payload", Event.refetched(nil)),
    AwkwardValue("case with a payload", Event.refetched(.some(.opened))),
    AwkwardValue("cases in an array", [Event.opened, .loggedIn(false)]),
    AwkwardValue("renamed cases", [Renamed.first(value: 1), .second]),
    AwkwardValue("recursive enum", Tree.node(.node(.leaf(1), .leaf(2)), .leaf(3))),
    AwkwardValue("generic enum", Either<Int, [String]>.right(["a"])),
    AwkwardValue("optional of an optional", Nested(value: .some(.some(1)))),
    AwkwardValue("nil", Nested(value: nil)),
    AwkwardValue("dictionary of cases", ["a": Event.opened, "b": .activatedTab(index: 1)]),
    AwkwardValue("no cases", [Never]()),
    AwkwardValue("raw representable struct", [Raw(rawValue: "x"), Raw(rawValue: "")]),
    AwkwardValue("option set", Options([.a, .c])),
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
