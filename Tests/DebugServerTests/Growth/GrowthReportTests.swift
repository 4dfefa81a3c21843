import JSONCore
import TestSupport
import Testing

@testable import DebugServer

@Suite("What grows")
struct GrowthReportTests {
  private static func parts(_ states: [String]) throws -> [GrowthReport.Part] {
    let sizes = try states.map { SizeTree(try JSON(parsing: Array($0.utf8))) }
    return GrowthReport(sizes, at: ["state"]).parts
  }

  private static func names(_ states: [String]) throws -> [String] {
    try parts(states).map { $0.path.joined(separator: "/") }
  }

  @Test("the bytes are those of the JSON text")
  func bytes() throws {
    for text in [
      "null", "[]", "{}", #"{"a":1}"#, #"{"a":{"b":[1,{"c":"é\n\""}]},"":-1.5e300}"#,
      #"[[],{},"x",true]"#,
    ] {
      let value = try JSON(parsing: Array(text.utf8))
      #expect(SizeTree(value).bytes == value.encoded().count)
    }
    let wide = JSON.object(
      (0..<20_000).reduce(into: JSON.Object()) { $0["k\($1 % 200)"] = ["n\($1)": [:]] })
    let whole: JSON = ["a": wide]
    #expect(SizeTree(whole).bytes == whole.encoded().count)
  }

  @Test("the innermost part that grows is named, and not what contains it")
  func innermost() throws {
    let parts = try Self.parts([
      #"{"shop":{"log":[],"name":"a","total":1}}"#,
      #"{"shop":{"log":[1,2],"name":"a","total":1}}"#,
      #"{"shop":{"log":[1,2,3,4],"name":"abc","total":1}}"#,
    ])
    #expect(
      parts == [
        GrowthReport.Part(
          path: ["state", "shop", "log"], bytes: [2, 5, 9], elements: [0, 2, 4]),
        GrowthReport.Part(path: ["state", "shop", "name"], bytes: [3, 3, 5], elements: nil),
      ])
  }

  @Test("a dictionary grows as a whole, and optional parts by themselves")
  func dictionaries() throws {
    let keys = (0..<8).map { #""k\#($0)":1"# }.joined(separator: ",")
    #expect(try Self.names(["{\"cache\":{}}", "{\"cache\":{\(keys)}}"]) == ["state/cache"])
    let few = (0..<7).map { #""k\#($0)":"v""# }.joined(separator: ",")
    #expect(
      try Self.names(["{}", "{\(few)}"]) == (0..<7).map { "state/k\($0)" })
    let many = (0..<200).map { #""k\#($0)":1"# }.joined(separator: ",")
    #expect(
      try Self.names(["{\"cache\":{\"k0\":1}}", "{\"cache\":{\(many)}}"]) == ["state/cache"])
    #expect(try Self.names(["{\"user\":null}", #"{"user":{"name":"x"}}"#]) == ["state/user/name"])
  }

  @Test("what shrank again, or changes its kind, is not mistaken for growth")
  func others() throws {
    #expect(try Self.names(["[1]", "[1,2,3]", "[1]"]).isEmpty)
    #expect(try Self.names([#"{"a":[1,2]}"#, #"{"a":{"b":1,"c":2}}"#]) == ["state/a"])
    #expect(try Self.names([#""a""#, #""ab""#]) == ["state"])
    #expect(try Self.names([]).isEmpty)
  }

  @Test("a number with more digits does not grow, and neither does a Boolean")
  func scalars() throws {
    #expect(
      try Self.names([
        #"{"tea":9,"isOn":true,"left":null,"log":"a"}"#,
        #"{"tea":10,"isOn":false,"left":-1.25,"log":"ab","new":7}"#,
      ]) == ["state/log"])
    #expect(try Self.names(["1", "22"]).isEmpty)
    #expect(try Self.names([#"{"a":[1]}"#, #"{"a":[22]}"#]) == ["state/a"])
  }

  @Test("deep and broad states are measured in bounded memory")
  func bounded() throws {
    var deep = JSON.string("x")
    for _ in 0..<300 { deep = ["a": deep] }
    #expect(SizeTree(deep).bytes == deep.encoded().count)
    func wide(_ levels: Int) -> JSON {
      guard levels > 0 else { return 1 }
      return .object(
        (0..<30).reduce(into: JSON.Object()) { $0["k\($1)"] = wide(levels - 1) })
    }
    let value = wide(4)
    func count(_ tree: SizeTree) -> Int {
      tree.members.values.reduce(1) { $0 + count($1) }
    }
    let tree = SizeTree(value)
    #expect(tree.bytes == value.encoded().count)
    #expect(count(tree) <= SizeTree.maximumParts + 1)
  }
}
