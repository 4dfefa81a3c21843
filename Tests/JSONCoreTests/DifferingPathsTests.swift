import JSONCore
import TestSupport
import Testing

@Suite("The paths at which two values differ")
struct DifferingPathsTests {
  @Test(
    "lead as far down as both have containers of the same kind",
    arguments: [
      ("1", "1", []),
      ("1", "2", [""]),
      (#"{"a":1,"b":{"c":[1,2]}}"#, #"{"a":1,"b":{"c":[1,2]}}"#, []),
      (#"{"a":1,"b":2}"#, #"{"b":3,"c":4}"#, ["/b", "/c", "/a"]),
      (#"{"a":{"b":{"c":1,"d":2}}}"#, #"{"a":{"b":{"c":1,"d":3}}}"#, ["/a/b/d"]),
      (#"{"a":{"b":1}}"#, #"{"a":[1]}"#, ["/a"]),
      (#"{"a":null}"#, #"{"a":{}}"#, ["/a"]),
      (#"[1,2,3]"#, #"[1,5,3,4]"#, ["/1", "/3"]),
      (#"{"a":[1,2,3]}"#, #"{"a":[1,3]}"#, ["/a"]),
      (#"{"a/b":{"~":1}}"#, #"{"a/b":{"~":2}}"#, ["/a~1b/~0"]),
    ])
  func paths(_ old: String, _ new: String, _ expected: [String]) throws {
    let (old, new) = (try JSON(parsing: old), try JSON(parsing: new))
    #expect(Patch.differingPaths(from: old, to: new).map(\.description) == expected)
  }

  @Test("lead to values that differ; equal values have no paths", arguments: 0..<100)
  func property(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (old, new) = (Self.value(3, &random), Self.value(3, &random))
    let paths = Patch.differingPaths(from: old, to: new)
    #expect(paths.isEmpty == (old == new))
    for path in paths { #expect(old[path] != new[path], "\(path)") }
  }

  private static func value(_ depth: Int, _ random: inout SeededGenerator) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 4 : 2), using: &random) {
    case 0: return .number(JSON.Number(Int64.random(in: 0..<3, using: &random)))
    case 1: return .null
    case 2:
      return .array(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth - 1, &random) })
    default:
      var object = JSON.Object()
      for key in ["a", "b", "c"] where Bool.random(using: &random) {
        object[key] = value(depth - 1, &random)
      }
      return .object(object)
    }
  }
}
