import Replaying
import StatesCore
import StatesTesting
import Testing

// Nested in a serialized suite, because all tests of the process share one failure hook.
extension ExpectationTests {
  @Suite("Replayed machines")
  struct ReplayedMachineTests {
    struct Till: Reducible, Codable {
      var sum = 0
      var rows: [String] = []
      enum Event: Codable {
        case added(String, cents: Int)
        case cleared
      }
      static func reduce(state: Till, event: Event) -> Till {
        switch event {
        case .added(let name, let cents): Till(sum: state.sum + cents, rows: state.rows + [name])
        case .cleared: Till()
        }
      }
      static var outputs: Outputs<Till> {
        Output("total", \.sum)
        Output("last") { $0.rows.last }
        Output("beep") { $0.sum > 100 ? () : nil }
      }
    }

    private func till() throws -> ReplayedMachine<Till.Event> {
      try ReplayedMachine(reducible: Till.self, from: ["sum": 0, "rows": []], entry: 7)
    }

    @Test("run events, and pass if everything is as expected")
    func passing() throws {
      let till = try till()
      try till.send(.added("Pen", cents: 80)).toChange(outputs: ["total": 80, "last": "Pen"])
        .toChange(state: ["sum": 80, "rows": ["Pen"]])
      try till.send(recorded: ["added": ["_0": "Ink", "cents": 40]])
        .toChange(outputs: ["total": 120, "last": "Ink", "beep": [:]])
        .toChange(state: [
          ["op": "replace", "path": "/sum", "value": 120],
          ["op": "add", "path": "/rows/1", "value": "Ink"],
        ])
      try till.send(.cleared).toChange(outputs: ["total": 0, "last": nil, "beep": nil])
      try till.to("/state/rows", equal: []).to("/outputs/last", equal: nil)
      try till.to(state: .json(#"{"rows":[],"sum":0}"#)).to(outputs: ["total": 0])
    }

    @Test("report the event, the entry, the output, and both values")
    func failing() throws {
      let till = try till()
      try till.send(.added("Pen", cents: 80))
      let failure = #expect(throws: ExpectationFailure.self) {
        try till.send(.added("Ink", cents: 4)).toChange(outputs: ["total": 85, "last": "Ink"])
      }
      let text = try #require(failure?.text)
      #expect(text.contains("After event 2, added(\"Ink\", cents: 4) (entry 9)"))
      #expect(text.contains("output \"total\" (/outputs/total): expected 85, got 84"))
      #expect(!text.contains("\"last\""))
      #expect(text.contains("ReplayedMachineTests.swift:"))
      #expect(text.contains("before it: added(\"Pen\", cents: 80)"))
    }

    @Test("notice every output that changed, and every one that did not")
    func completeness() throws {
      #expect(throws: ExpectationFailure.self) {
        try till().send(.added("Pen", cents: 1)).toChange(outputs: ["total": 1])
      }
      #expect(throws: ExpectationFailure.self) {
        try till().send(.added("Pen", cents: 1))
          .toChange(outputs: ["total": 1, "last": "Pen", "beep": [:]])
      }
      #expect(throws: ExpectationFailure.self) {
        try till().send(.cleared).toChange(state: [["op": "replace", "path": "/sum", "value": 1]])
      }
      #expect(throws: ExpectationFailure.self) { try till().to("/state/sum", equal: 1) }
      #expect(throws: ExpectationFailure.self) { try till().to(state: ["sum": 0]) }
      // For a large value, only the place that differs is reported.
      let failure = #expect(throws: ExpectationFailure.self) {
        try till().to("/outputs", equal: ["total": 7])
      }
      let line = #"output "total" (/outputs/total): expected 7, got 0"#
      #expect(failure?.text.contains(line) == true)
    }

    @Test("ignore redacted values")
    func redacted() throws {
      let till = try till()
      try till.ignore("/outputs/last", "/state/rows/0")
      try till.send(.added("Pen", cents: 1)).toChange(outputs: ["total": 1])
      try till.to(state: ["sum": 1, "rows": ["something"]])
    }

    @Test("accept a state from outside")
    func restored() throws {
      let till = try till()
      try till.restore(["sum": 500, "rows": []])
      try till.send(.added("Pen", cents: 1)).toChange(outputs: ["total": 501, "last": "Pen"])
    }

    enum Flow: Replayable {
      static func make() throws -> Statechart<Int> {
        try Statechart(
          0,
          ChartDefinition<Int> {
            OnEnter { $0.goTo("closed") }
            On("added", Int.self) { $0.value += $1 }
            ChartState("closed") { On("pushed", goTo: "open") }
            ChartState("open") { On("closed", goTo: "closed") }
          })
      }
    }

    @Test("send messages to charts, and expect their errors")
    func charts() throws {
      let flow = try ReplayedMachine(of: Flow.self)
      try flow.send("pushed").to("/state/path", equal: ["root", "open"])
      try flow.send("added", 2).to("/state/value", equal: 2)
      try flow.send(recorded: ["added": ["_0": "two", "refused": "String"]]).failing()
      #expect(throws: ExpectationFailure.self) { try flow.send("added", 1).failing() }
      #expect(throws: ExpectationFailure.self) { try flow.send("added", 1).failing("no") }
      let other = #expect(throws: ExpectationFailure.self) {
        try flow.send(recorded: ["added": ["_0": "two", "refused": "String"]]).failing("no")
      }
      #expect(other?.text.contains("The event fails in another way: expected no, got ") == true)
      try flow.send(recorded: ["added": ["_0": "two", "refused": "String"]])
      #expect(throws: ExpectationFailure.self) { try flow.to("/state/value", equal: 3) }
    }

    enum Names: Replayable {
      static func make() -> StateForm<[String], Never> { StateForm(state: []) }
    }

    @Test("apply the changes of forms' closures, and undo them")
    func forms() throws {
      let form = try ReplayedMachine(of: Names.self, from: ["Ada"], entry: 3)
      try form.change([["op": "add", "path": "/1", "value": "Bo"]]).to(state: ["Ada", "Bo"])
      try form.undo(to: 3).to(state: ["Ada"])
      try form.redo(to: 4).to(state: ["Ada", "Bo"])
      // Lost entries count, too.
      try form.restore(["Cy"], entry: 20)
      try form.change([["op": "remove", "path": "/0"]]).to(state: [])
      try form.undo(to: 20).to(state: ["Cy"])
      #expect(throws: ReplayError.self) { try form.undo(to: 7) }
      let failure = #expect(throws: ExpectationFailure.self) { try form.to(state: []) }
      #expect(failure?.text.contains("(entry 22)") == true)
    }

    final class Lamp: Stateful {
      private(set) lazy var state = Dispatcher(for: self)
      private(set) var level = 0
      static func on(level: Int) -> State {
        state(level) {
          $0.level = level
          if level > 9 { $0.state.apply { $0.off() } }
        }
      }
      static func off() -> State { state { $0.level = 0 } }
      static var dispatchable: [Dispatchable] {
        [Dispatchable("on(level:)", on(level:)), Dispatchable(off)]
      }
    }

    @Test("run objects with their closures")
    func objects() throws {
      let object = Lamp()
      let lamp = try ReplayedMachine(running: object)
      try lamp.apply("on(level:)", [3]).complete(1).to("/state/current/arguments", equal: [3])
      #expect(object.level == 3)
      try lamp.apply("on(level:)", [10]).complete(2)
      #expect(throws: ExpectationFailure.self) {
        try lamp.complete(2).to("/state/applied", equal: 2)
      }
      let alone = try ReplayedMachine(functional: Lamp.self)
      try alone.apply("on(level:)", [10]).to("/state/target/name", equal: "on(level:)")
      try alone.complete(1).to("/state/applied", equal: 1)
    }

    @Test(
      "read literals as what they were recorded as",
      arguments: [
        (nil, "null"), (true, "true"), (-3, "-3"), (0.5, "0.5"), ("a", #""a""#),
        ([1, "b"], #"[1,"b"]"#), (["k": [:]], #"{"k":{}}"#),
      ] as [(RecordedValue, String)])
    func literals(value: RecordedValue, json: String) {
      #expect(value == .json(json))
      #expect(value != .json("[]]"))
    }
  }
}
