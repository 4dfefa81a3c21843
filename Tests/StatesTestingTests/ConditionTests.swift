import Foundation
import StatesCore
import StatesTesting
import Synchronization
import Testing

// Nested in a serialized suite, because all tests of the process share one failure hook.
extension ExpectationTests {
  @Suite("Conditions")
  struct ConditionTests {
    /// A till whose discounts may make the total negative, until it is fixed.
    struct Till: Reducible, Codable {
      var total = 0
      var isFixed: Bool
      enum Event: Codable {
        case added(cents: Int)
        case discounted(cents: Int)
      }
      static func reduce(state: Till, event: Event) -> Till {
        switch event {
        case .added(let cents): Till(total: state.total + cents, isFixed: state.isFixed)
        case .discounted(let cents):
          Till(
            total: state.isFixed ? max(0, state.total - cents) : state.total - cents,
            isFixed: state.isFixed)
        }
      }
      static var outputs: Outputs<Till> { Output("isOpen") { $0.total > 0 } }
    }

    private func till(isFixed: Bool) throws -> ReplayedMachine<Till.Event> {
      try ReplayedMachine(reducible: Till.self, from: ["total": 0, "isFixed": .json("\(isFixed)")])
    }

    private func buy(_ till: ReplayedMachine<Till.Event>) throws {
      try till.send(.added(cents: 50))
      try till.send(.discounted(cents: 80))
      try till.send(.added(cents: 100))
    }

    @Test("fail at the entry that breaks them, with the values they read, and pass once fixed")
    func never() throws {
      let broken = try self.till(isFixed: false)
      try broken.expect(never: "state.total < 0 && !outputs.isOpen")
      let failure = #expect(throws: ExpectationFailure.self) { try buy(broken) }
      let text = try #require(failure?.text)
      #expect(text.contains("After event 2, discounted(cents: 80) (entry 2):"))
      #expect(
        text.contains(
          "This must never hold, and here it does: state.total < 0 && !outputs.isOpen\n"))
      #expect(text.contains("state.total is -30, was 50\n"))
      #expect(text.contains("outputs.isOpen is false, was true\n"))
      let fixed = try self.till(isFixed: true)
      try fixed.expect(never: "state.total < 0 && !outputs.isOpen")
      try buy(fixed)
    }

    @Test("read the start, states from outside, and the event")
    func moments() throws {
      #expect(throws: ExpectationFailure.self) {
        try self.till(isFixed: true).expect(always: "state.total > 0")
      }
      let till = try self.till(isFixed: true).expect(never: "state.total == 7")
      #expect(throws: ExpectationFailure.self) {
        try till.restore(["total": 7, "isFixed": true], entry: 9)
      }
      let other = try self.till(isFixed: true)
        .expect(always: #"event == null || event.added.cents == 5"#)
      try other.send(.added(cents: 5))
      #expect(throws: ExpectationFailure.self) { try other.send(.added(cents: 6)) }
    }

    @Test("can be checked once, at the end")
    func finally() throws {
      let till = try self.till(isFixed: false)
      try till.send(.added(cents: 5)).expect("state.total == 5 && changed(outputs.isOpen)")
      let failure = #expect(throws: ExpectationFailure.self) { try till.expect("state.total > 5") }
      #expect(failure?.text.contains("This must hold, and it does not: state.total > 5") == true)
    }

    @Test("are reported once where a hook keeps the test going")
    func hook() throws {
      let reported = Mutex<[Int]>([])
      StatesTesting.onFailure = { failure in reported.withLock { $0.append(failure.line) } }
      defer { StatesTesting.onFailure = nil }
      let till = try self.till(isFixed: false).expect(never: "state.total < 0")
      try till.send(.discounted(cents: 1))
      try till.send(.discounted(cents: 1))
      #expect(reported.withLock { $0.count } == 1)
    }

    @Test("report where their text is not a predicate, and fail if they read a redacted value")
    func unusable() throws {
      let error = #expect(throws: (any Error).self) {
        try self.till(isFixed: true).expect(never: "stat.total < 0")
      }
      #expect(
        "\(try #require(error))"
          == """
          The condition is not a predicate: no value is called 'stat'; did you mean 'state'?
            stat.total < 0
            ^
          """)
      let till = try self.till(isFixed: true)
      try till.ignore("/state/total")
      try till.expect(never: "state.total < 0")
      #expect(throws: ExpectationFailure.self) { try till.send(.added(cents: 1)) }
    }

    @Test("a step that changed nothing says so")
    func nothing() throws {
      let till = try self.till(isFixed: true)
      try till.send(.discounted(cents: 1)).toChangeNothing()
      try till.send(.added(cents: 1))
      try till.send(.added(cents: 1)).toChangeNoOutputs()
      #expect(throws: ExpectationFailure.self) { try till.toChangeNothing() }
    }

    // MARK: Fixtures

    private static let lines = [
      #"{"timeline":"0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a","app":{"name":"T"},"#
        + #""machine":{"type":"Till","name":"till","kind":"states"},"#
        + #""started":"2026-01-01T00:00:00Z","outputs":{"isOpen":"ui"},"format":1}"#,
      #"{"seq":0,"t":0,"state":{"total":0,"isFixed":FIXED},"outputState":{"isOpen":false}}"#,
      #"{"seq":1,"t":1,"event":{"added":{"cents":50}},"#
        + #""patch":[{"op":"replace","path":"/total","value":50}],"#
        + #""outputs":[{"op":"replace","path":"/isOpen","value":true}]}"#,
      #"{"seq":2,"t":2,"event":{"discounted":{"cents":80}},"#
        + #""patch":[{"op":"replace","path":"/total","value":-30}],"#
        + #""outputs":[{"op":"replace","path":"/isOpen","value":false}]}"#,
    ]

    private func with(isFixed: Bool, _ body: (String) throws -> Void) throws {
      let file = FileManager.default.temporaryDirectory.appending(
        path: "condition-\(UUID().uuidString).timeline")
      let text = Self.lines.joined(separator: "\n").replacing("FIXED", with: "\(isFixed)") + "\n"
      try Data(text.utf8).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      try body(file.path)
    }

    @Test("replace the comparison with recorded values, unless a comparison is passed, too")
    func fixtures() throws {
      try with(isFixed: false) { path in
        let failure = #expect(throws: ExpectationFailure.self) {
          try replay(path, as: Till.self, expecting: .never("state.total < 0"))
        }
        let text = try #require(failure?.text)
        #expect(text.contains("(entry 2):\n  This must never hold, and here it does"))
        #expect(text.contains("state.total is -30, was 50"))
        #expect(!text.contains("STATES_RERECORD"))
        #expect(throws: ExpectationFailure.self) {
          try replay(path, as: Till.self, expecting: .finally("state.total == 0"))
        }
        let report = try replay(
          path, as: Till.self, expecting: .always("state.total > -100"), .finally("!outputs.isOpen")
        )
        #expect(report.same == 3)
      }
      // The recorded values are wrong, and today's are right.
      try with(isFixed: true) { path in
        let report = try replay(
          path, as: Till.self, expecting: .never("state.total < 0"), .finally("state.total == 0"))
        #expect(report.same == 3)
        let withState = try replay(
          path, as: Till.self, comparing: .state, accepting: .from(2),
          expecting: .never("state.total < 0"))
        #expect(withState.accepted == 1)
        #expect(throws: ExpectationFailure.self) {
          try replay(
            path, as: Till.self, comparing: .state, expecting: .never("state.total < 0"))
        }
      }
    }
  }
}
