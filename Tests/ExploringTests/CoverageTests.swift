import JSONCore
import TestSupport
import Testing

@testable import Exploring

@Suite("Coverage")
struct CoverageTests {
  private static let chart: JSON = [
    "states": [
      ["name": "root", "path": ["root"]], ["name": "open", "path": ["root", "open"]],
      ["name": "closed", "path": ["root", "closed"]],
    ],
    "declared": [
      ["from": ["root", "open"], "to": "closed", "trigger": ["message": "close"]],
      ["from": ["root"], "to": "open", "trigger": ["message": "reset"]],
    ],
    "observed": [["from": ["root", "closed"], "to": "open", "trigger": ["message": "open"]]],
  ]

  private static func at(_ name: String) -> JSON { ["path": ["root", .string(name)]] }

  @Test("counts events and their effects, and the edges of a chart that they took")
  func chart() {
    var coverage = Coverage(of: ChartEdges(Self.chart))
    coverage.add(state: Self.at("open"))
    #expect(coverage.unreachedStates == ["root/closed"])
    coverage.add("close", from: Self.at("open"), to: Self.at("closed"), isEffective: true)
    coverage.add("close", from: Self.at("closed"), to: Self.at("closed"), isEffective: false)
    // An edge of a state around the active one.
    coverage.add("reset", from: Self.at("closed"), to: Self.at("open"), isEffective: true)
    #expect(coverage.unreachedStates == [])
    #expect(coverage.events["close"]?.sent == 2)
    #expect(coverage.events["close"]?.effects == 1)
    #expect(coverage.edges.map(\.message).sorted() == ["close", "reset"])
    #expect(coverage.untakenEdges.map(\.text) == ["root/closed --open--> root/open"])
  }

  @Test("names states by the path of a chart, the case of an enum, or a short text")
  func names() {
    #expect(Coverage.name(of: Self.at("open")) == "root/open")
    #expect(Coverage.name(of: ["value": ["n": 1], "path": ["root", "open"]]) == "root/open")
    #expect(Coverage.name(of: ["loading": ["page": 3]]) == "loading")
    #expect(Coverage.name(of: "heads") == "heads")
    #expect(Coverage.name(of: ["isHeads": true]) == nil)
    #expect(Coverage.name(of: ["a": [:], "b": [:]]) == nil)
  }

  @Test("names states as text as it names them as values", arguments: 0..<20 as Range<UInt64>)
  func textNames(seed: UInt64) throws {
    var random = RandomJSON(seed: seed)
    let named: [JSON] = [
      Self.at("open"), ["path": ["root", 1]], ["value": ["n": 1], "path": ["root", "open"]],
      ["path": ["root", 1], "value": ["n": 1]], ["loading": ["page": 3]], ["loading": 3], "heads",
      "", .string(String(repeating: "x", count: 41)), ["a": [:], "b": [:]], [:],
    ]
    for value in named + (0..<200).map({ _ in random.value() }) {
      let slice = try JSONSlice(validating: value.encoded())
      #expect(Coverage.name(of: slice) == Coverage.name(of: value), "\(value)")
    }
  }

  @Test("adds up what several hosts did")
  func sum() {
    var one = Coverage()
    one.add("a", from: "x", to: "y", isEffective: true)
    var other = Coverage()
    other.add("a", from: "x", to: "x", isEffective: false, isFailure: true)
    one.add(other)
    #expect(one.events["a"]?.sent == 2)
    #expect(one.events["a"]?.failures == 1)
    #expect(one.states == ["y"])
  }

  @Test("has a limited number of names of states, also when it adds those of others")
  func limit() {
    var sum = Coverage()
    for part in 0..<3 {
      var one = Coverage()
      for index in 0..<200 { one.add(state: .string("state \(part) \(index)")) }
      sum.add(one)
    }
    #expect(sum.states.count == 256)
  }
}
