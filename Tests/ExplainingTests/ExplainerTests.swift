import JSONCore
import Predicates
import TestSupport
import Testing
import Timelines

@testable import Explaining

@Suite("Explaining an entry")
struct ExplainerTests {
  private typealias Step = ListedFacts.Step

  private static func explanation(
    _ steps: [Step], at seq: Int64, _ predicate: String? = nil
  ) async throws -> Explanation {
    let explainer = Explainer(
      try ListedFacts(steps), try predicate.map { try Predicates.Predicate($0) })
    return try #require(try await explainer.explanation(of: ListedFacts.place(seq)))
  }

  private static func place(_ seq: Int64) -> EntryReference { ListedFacts.place(seq) }

  /// A counter that is renamed in between.
  private static let counted: [Step] = [
    Step(state: ["n": 0, "name": "a"]),
    Step(event: ["add": ["_0": 2]], state: ["n": 2, "name": "a"]),
    Step(event: ["rename": ["_0": "b"]], state: ["n": 2, "name": "b"]),
    Step(event: ["add": ["_0": -3]], state: ["n": -1, "name": "b"]),
    Step(event: "look", state: ["n": -1, "name": "b"]),
  ]

  @Test("names the entry that set each value, with an edge to the one that read it")
  func setters() async throws {
    let found = try await Self.explanation(
      Self.counted, at: 4, "state.n < 0 && state.name == \"b\"")
    #expect(
      found.values == [
        Explanation.Value(
          path: "state.n", value: -1, before: -1, setter: Self.place(3), certainty: .recorded),
        Explanation.Value(
          path: "state.name", value: "b", before: "b", setter: Self.place(2), certainty: .recorded),
      ])
    #expect(
      found.links == [
        Explanation.Link(
          entry: Self.place(3), target: Self.place(4), reason: .value("state.n"),
          certainty: .recorded),
        Explanation.Link(
          entry: Self.place(1), target: Self.place(3), reason: .earlierValue("state.n"),
          certainty: .inferred),
        Explanation.Link(
          entry: Self.place(2), target: Self.place(4), reason: .value("state.name"),
          certainty: .recorded),
      ])
    #expect(found.entries(of: Self.place(4)).map(\.seq) == [4, 3, 1, 2])
    #expect(!found.isCut)
  }

  @Test("without a predicate, the values are those that the entry changed")
  func changed() async throws {
    let found = try await Self.explanation(Self.counted, at: 3)
    #expect(
      found.values == [
        Explanation.Value(
          path: "state.n", value: -1, before: 2, setter: Self.place(3), certainty: .recorded)
      ])
    let nothing = try await Self.explanation(Self.counted, at: 4)
    #expect(nothing.values.isEmpty && nothing.links.isEmpty)
  }

  @Test("an appended element is a change of its array")
  func appended() async throws {
    let steps = [
      Step(state: ["items": [1]]), Step(event: "add", state: ["items": [1, 2]]),
      Step(event: "add", state: ["items": [1, 2, 3]]),
    ]
    let found = try await Self.explanation(steps, at: 2, "state.items.count > 2")
    #expect(found.values.map(\.path) == ["state.items.count"])
    #expect(found.values.map(\.value) == [3])
    #expect(found.values.map(\.setter) == [Self.place(2)])
    #expect(found.links.map(\.entry.seq) == [1])
  }

  @Test("a value that no entry changed is as at the start")
  func start() async throws {
    let found = try await Self.explanation(Self.counted, at: 1, "state.name == \"a\"")
    #expect(
      found.values == [
        Explanation.Value(
          path: "state.name", value: "a", before: "a", setter: nil, certainty: .recorded)
      ])
    #expect(found.links.isEmpty)
  }

  @Test("a value before the entry was set by an earlier one")
  func before() async throws {
    let found = try await Self.explanation(Self.counted, at: 3, "before.state.n > state.n")
    #expect(found.values.map(\.setter?.seq) == [1, 3])
    #expect(found.values.map(\.value) == [2, -1])
  }

  @Test("a value is inferred where entries after its setter were not captured")
  func unknown() async throws {
    var steps = Self.counted
    steps[2].state = nil
    let found = try await Self.explanation(steps, at: 4, "state.n < 0")
    // What is known to have changed it last; the entry without a state may have, too.
    #expect(found.values.map(\.setter?.seq) == [1])
    #expect(found.values.map(\.certainty) == [.inferred])
  }

  @Test("what is read in the line belongs to the entry itself")
  func line() async throws {
    var steps = Self.counted
    steps[4].error = "no more"
    let found = try await Self.explanation(steps, at: 4, "error != null && event == \"look\"")
    #expect(found.values.map(\.path) == ["error", "event"])
    #expect(found.values.map(\.setter) == [Self.place(4), Self.place(4)])
    #expect(found.values.map(\.value) == ["no more", "look"])
  }

  @Test("recorded causes are followed, also to a timeline that is not stored")
  func causes() async throws {
    var steps = Self.counted
    steps[4].cause = .here(3)
    steps[3].cause = .here(1)
    steps[1].cause = .elsewhere(EntryReference(timeline: ListedFacts.other, seq: 7))
    let found = try await Self.explanation(steps, at: 4)
    #expect(found.links.map(\.reason) == [.cause, .cause, .cause])
    #expect(found.links.map(\.certainty) == [.recorded, .recorded, .recorded])
    #expect(found.links.map(\.entry.seq) == [3, 1, 7])
    #expect(found.links.map(\.target.seq) == [4, 3, 1])
    #expect(found.links.last?.entry.timeline == ListedFacts.other)
  }

  @Test("the causes of an entry that set a value are followed, too, each once")
  func causesOfSetters() async throws {
    var steps = Self.counted
    steps[3].cause = .here(2)
    let found = try await Self.explanation(steps, at: 4, "state.n < 0 && state.n != 5")
    #expect(found.links.map(\.reason) == [.value("state.n"), .cause, .earlierValue("state.n")])
  }

  @Test("long lists are cut, and it says so")
  func limits() async throws {
    var state = JSON.Object()
    for index in 0..<40 { state["v\(index)"] = 0 }
    var after = JSON.Object()
    for index in 0..<40 { after["v\(index)"] = 1 }
    let wide = [Step(state: .object(state)), Step(event: "set", state: .object(after))]
    let predicate = (0..<40).map { "state.v\($0) == 1" }.joined(separator: " && ")
    let found = try await Self.explanation(wide, at: 1, predicate)
    #expect(found.values.count == 16)
    #expect(found.isCut)
    let chain = (0..<40).map { index in
      Step(
        event: index > 0 ? "tick" : nil, state: 0, cause: index > 0 ? .here(Int64(index) - 1) : nil)
    }
    let long = try await Self.explanation(chain, at: 39)
    #expect(long.links.count == 8)
    #expect(long.isCut)
    let short = try await Self.explanation(chain, at: 8)
    #expect(short.links.count == 8)
    #expect(!short.isCut)
  }

  @Test("an entry that is not stored has no explanation")
  func missing() async throws {
    let explainer = Explainer(try ListedFacts(Self.counted), nil)
    #expect(try await explainer.explanation(of: ListedFacts.place(9)) == nil)
  }

  @Test("setters agree with a comparison of neighbors", arguments: 0..<20)
  func property(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var steps = [Step(state: ["a": 0, "b": 0, "list": []])]
    for _ in 0..<30 {
      var state = steps[steps.count - 1].state?.object ?? JSON.Object()
      switch Int.random(in: 0..<4, using: &random) {
      case 0: state["a"] = .number(JSON.Number(Int64.random(in: 0...2, using: &random)))
      case 1: state["b"] = .number(JSON.Number(Int64.random(in: 0...2, using: &random)))
      case 2:
        state["list"] = .array(Array(repeating: 1, count: Int.random(in: 0...2, using: &random)))
      default: break
      }
      steps.append(Step(event: "step", state: .object(state)))
    }
    for seq in 1..<steps.count {
      let found = try await Self.explanation(
        steps, at: Int64(seq), "state.a >= 0 && state.b >= 0 && state.list.count >= 0")
      let expected = ["a", "b", "list"].map { key in
        (1...seq).last { steps[$0].state?[key] != steps[$0 - 1].state?[key] }.map(Int64.init)
      }
      #expect(found.values.map(\.setter?.seq) == expected)
    }
  }
}
