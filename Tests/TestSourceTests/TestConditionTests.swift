import JSONCore
import Predicates
import TestSource
import Testing
import Timelines

@Suite("Exported conditions")
struct TestConditionTests {
  private func source(
    _ conditions: [TestCondition], as kind: TestExport.Kind = .swiftTesting,
    pinning assertion: TestExport.Assertion? = nil, limit: Int = 100, of timeline: Timeline? = nil
  ) throws -> String {
    var export = TestExport(as: kind)
    export.conditions = conditions
    export.assertion = assertion
    export.inlineLimit = limit
    return Recorded.source(try export.files(of: timeline ?? Recorded.coin()))
  }

  private func never(_ text: String) throws -> TestCondition { .never(try Predicate(text)) }

  @Test("replace the recorded values, and a comment says that the test fails until the fix")
  func inline() throws {
    let text = try source([
      never(#"outputs.side == "Tails""#), .finally(Predicate("state.isHeads")),
    ])
    #expect(
      text.contains(
        """
        // This test fails until the bug is fixed: in the recording, entry 1 breaks its
        // condition.

        import StatesTesting
        """))
    #expect(
      text.contains(
        """
          @Test("meets its condition")
          func meetsItsCondition() throws {
            let coin = try ReplayedMachine(reducible: CoinState.self, from: ["isHeads": true])
            try coin.expect(never: #"outputs.side == "Tails""#)
            try coin.send(.flipped)
            try coin.send(.laid)
            try coin.expect("state.isHeads")
          }
        """))
  }

  @Test(
    "name the test in words if they are simple",
    arguments: [
      ("outputs.total < 0", "total is never below 0"),
      ("outputs.total < 0 && !(before.outputs.total < 0)", "total is never below 0"),
      ("state.n == 5 && before.state.n != 5", "n is never 5"),
      ("state.cart.total >= -3", "total is never at least minus 3"),
      ("state.total > 3", "total is never above 3"),
      ("state.total <= 3", "total is never at most 3"),
      ("outputs.total != 0", "total is always 0"),
      ("outputs.isLoading", "isLoading is never true"),
      (#"outputs.side == "Tails""#, "side is never Tails"),
      ("state.user == null", "user is never nil"),
      ("state.items.count > 5", "items.count is never above 5"),
      ("outputs.count == 0 && outputs.total != 0", "count is never 0 while total is not 0"),
      ("state.a != 1 && state.b < 2", "a is never other than 1 while b is below 2"),
      ("error != null", "no event fails"),
      ("error", "no event fails"),
      (#"error == "trapped""#, "no event traps"),
    ])
  func titles(predicate: String, title: String) throws {
    let text = try source([never(predicate)])
    #expect(text.contains("@Suite(\"coin: \(title)\")"))
    #expect(text.contains("@Test(\"\(title)\")"))
  }

  @Test(
    "do not name the test if no words are simple",
    arguments: [
      "seq > 7", "state.a < 1.5", "state.a < state.b", "state.items[0] < 1", "before.state.a < 1",
      "state.a < 1 && !(before.state.b < 1)", "state.a < 1 || state.b < 1",
      "state.a < 1 && state.b < 1 && state.c < 1", "state.items[*].cents < 0",
      #"state["a b"] < 1"#, #"state.a == "x \u202e""#, "changed(state.a)", "!(state.a < 1)",
    ])
  func noTitles(predicate: String) throws {
    let text = try source([never(predicate)])
    #expect(text.contains("@Suite(\"coin\")"))
    #expect(text.contains("@Test(\"meets its condition\")"))
  }

  @Test("name the file, the suite, the test, and the fixture alike")
  func names() throws {
    let condition = TestCondition.finally(try Predicate("outputs.total == 0"))
    var export = TestExport(as: .xctest)
    export.conditions = [condition]
    export.inlineLimit = 0
    let files = try export.files(of: Recorded.coin())
    #expect(
      files.map(\.name) == ["TotalIs0AtTheEndTests.swift", "total-is-0-at-the-end.timeline"])
    let text = Recorded.source(files)
    #expect(text.contains("final class TotalIs0AtTheEndTests: XCTestCase {"))
    #expect(text.contains("func testTotalIs0AtTheEnd() throws {"))
    export.name = "1 event: outputs.total < 0"
    let named = Recorded.source(try export.files(of: Recorded.coin()))
    #expect(named.contains("final class Coin1EventOutputsTotal0Tests: XCTestCase {"))
    #expect(named.contains("func test1EventOutputsTotal0() throws {"))
    export.kind = .swiftTesting
    let unnamed = Recorded.source(try export.files(of: Recorded.coin()))
    #expect(unnamed.contains("func meetsItsCondition() throws {"))
  }

  @Test("leave the machine's name to tests that pin recorded values, too")
  func pinnedNames() throws {
    let text = try source([never("state.total < 0")], pinning: .changedOutputs)
    #expect(text.contains("@Suite(\"coin\")"))
    #expect(text.contains("func replaysAsRecorded() throws {"))
  }

  @Test("say so when the recording meets them")
  func met() throws {
    let text = try source([never("seq > 7")])
    #expect(text.contains("// The recording meets the condition, so this test passes until"))
  }

  @Test("are combined with recorded values on request")
  func pinned() throws {
    let text = try source([never("seq > 7")], pinning: .changedOutputs)
    #expect(text.contains(#"try coin.expect(never: "seq > 7")"#))
    #expect(text.contains(#".toChange(outputs: ["side": "Tails"])"#))
  }

  @Test("work with a fixture, for each library", arguments: TestExport.Kind.allCases)
  func fixtures(kind: TestExport.Kind) throws {
    let text = try source(
      [never("state.total < 0"), .finally(Predicate("seq == 2"))], as: kind, limit: 0)
    let words = text.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains(#"expecting: .never("state.total < 0"), .finally("seq == 2"))"#))
    #expect(!text.contains("comparing:"))
    let both = try source([never("seq > 7")], as: kind, pinning: .changedOutputs, limit: 0)
    #expect(both.contains("comparing: .outputs,"))
  }

  @Test(
    "cannot end their literal",
    arguments: [
      (##"error == "\"# ""##, ##""error == \"\\\"# \"""##),
      (##"error == "\\#(exit(1))""##, ##""error == \"\\\\#(exit(1))\"""##),
      (##""" == name"##, ##""\"\" == name""##),
      (##"name == "\u202e""##, ##""name == \"\u{202e}\"""##),
      (##"name matches "\\d""##, ##"#"name matches "\\d""#"##),
    ])
  func hostile(text: String, literal: String) throws {
    let source = try source([never(text)])
    #expect(source.contains("try coin.expect(never: \(literal))"))
  }

  @Test("of a minimized branch say that its failure must not happen again")
  func minimized() throws {
    var fields = try Recorded.coin().header.fields
    let edits = try EditScript(
      reading: JSONSlice(validating: Array(#"[{"replace":1,"event":"flipped"}]"#.utf8)))
    fields.parent = Header.Parent(timeline: .random(), through: 2, start: 1, edits: edits)
    fields.parent?.failure = try Predicate("!state.isHeads")
    var branch = Timeline(try Header(fields))
    #expect(branch.header.parent?.failure == fields.parent?.failure)
    for entry in try Recorded.coin().entries { try branch.append(entry) }
    let text = try source([], of: branch)
    #expect(text.contains(#"try coin.expect(never: "!state.isHeads")"#))
    #expect(text.contains("try coin.send(.flipped)\n"))
    #expect(text.contains("// The events have simplified payloads"))
    // Setting an assertion exports only the recorded values.
    let pinned = try source([], pinning: .changedOutputs, of: branch)
    #expect(!pinned.contains("expect(never:"))
    #expect(pinned.contains(#".toChange(outputs: ["side": "Tails"])"#))
  }

  /// Two taps, each with a response.
  private func coupon() throws -> Timeline {
    try Recorded.timeline(
      outputs: [],
      [
        #"{"seq":0,"t":0,"state":{"cents":0}}"#,
        #"{"seq":1,"t":1,"event":"tapped","patch":[]}"#,
        #"{"seq":2,"t":2,"event":"tapped","patch":[]}"#,
        #"{"seq":3,"t":3,"event":"response","patch":[],"cause":1}"#,
        #"{"seq":4,"t":4,"event":"response","patch":[],"cause":2}"#,
      ])
  }

  @Test("say which event caused which, because a fix may prevent it")
  func causes() throws {
    let text = try source([never("seq == 4")], of: coupon())
    #expect(
      text.contains(
        """
        // Some events were caused by others, such as the response to a request. The test starts no
        // effects. If an event no longer starts its effect, the test skips the events that the effect
        // sent. It can tell only if the reducer returns nil, an empty list, or a case 'none'. If it
        // cannot, and your fix prevents such an event, remove it from the test.
        """))
    #expect(
      text.contains(
        """
            try coin.send(recorded: "tapped")
            // Event 3, which event 1 caused:
            try coin.send(recorded: "response", causedBy: 1)
            // Event 4, which event 2 caused:
            try coin.send(recorded: "response", causedBy: 2)
        """))
    let long = try source([never("seq == 4")], limit: 0, of: coupon())
    #expect(long.contains("your fix prevents such an event, export a branch without it."))
    let pinned = try source([], of: coupon())
    #expect(!pinned.contains("caused"))
  }

  @Test("name no cause from before the test")
  func earlierCause() throws {
    // The first event that it sends is entry 3.
    let text = try source([never("seq == 4")], of: coupon().stretch(from: 2, to: 4))
    #expect(text.contains("send"))
    #expect(!text.contains("caused"))
  }

  @Test("are absent if this build cannot parse the branch's failure")
  func newerPredicates() throws {
    var fields = try Recorded.coin().header.fields
    fields.parent = Header.Parent(timeline: .random(), through: 2, start: 1, edits: EditScript([]))
    let line = String(decoding: fields.line, as: UTF8.self)
      .replacing(#""edits":[]"#, with: #""edits":[],"failure":"new(state)""#)
    let header = try Header(reading: line)
    #expect(header.parent?.failure == nil)
    #expect(header.parent?.failureText == "new(state)")
    var branch = Timeline(header)
    for entry in try Recorded.coin().entries { try branch.append(entry) }
    #expect(throws: TestExportError.failure("new(state)")) {
      try TestExport(as: .swiftTesting).files(of: branch)
    }
    #expect(String(decoding: header.fields.line, as: UTF8.self) == line)
  }
}
