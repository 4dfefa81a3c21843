import Foundation
import Replaying
import StatesCore
import Testing

@testable import StatesTesting

// Nested, because the hook for failures is one for the whole process, and its tests run in turns.
extension ExpectationTests {
  @Suite("Replayed fixtures")
  struct ReplayFixtureTests {
    struct Counter: Reducible, Codable {
      var count = 0
      var token = ""
      enum Event: Codable {
        case added(Int)
        case signedIn(String)
      }
      static func reduce(state: Counter, event: Event) -> Counter {
        switch event {
        case .added(let number): Counter(count: state.count + number, token: state.token)
        case .signedIn(let token): Counter(count: state.count + token.count, token: token)
        }
      }
      static var outputs: Outputs<Counter> { Output("count", \.count) }
    }

    private static let header = """
      {"timeline":"0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a","app":{"name":"Tests"},"machine":\
      {"type":"Tests.Counter","name":"counter","kind":"states"},"started":"2026-01-01T00:00:00Z",\
      "outputs":{"count":"data"},"format":1}
      """
    private static let start =
      #"{"seq":0,"t":0,"state":{"count":0,"token":""},"outputState":{"count":0}}"#

    private static func added(_ seq: Int, _ number: Int, to count: Int) -> String {
      """
      {"seq":\(seq),"t":\(seq),"event":{"added":{"_0":\(number)}},"patch":\
      [{"op":"replace","path":"/count","value":\(count)}],"outputs":\
      [{"op":"replace","path":"/count","value":\(count)}]}
      """
    }

    /// Writes a fixture, and lends its path.
    private func with(
      _ lines: [String], ending: String = ".timeline", _ body: (String) throws -> Void
    ) throws {
      let path = NSTemporaryDirectory() + "states-" + UUID().uuidString + ending
      let text = ([Self.header] + lines).joined(separator: "\n") + "\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      try body(path)
    }

    @Test("are silent when everything comes out as recorded")
    func passing() throws {
      let lines = [Self.start, Self.added(1, 2, to: 2), Self.added(2, 3, to: 5)]
      try with(lines) { path in
        for comparison in [ReplayComparison.outputs, .state, .paths("/state/count")] {
          let report = try replay(path, as: Counter.self, comparing: comparison)
          #expect(report.entries == 3 && report.same == 3 && report.inconclusive == 0)
        }
        let final = try replay(path, as: Counter.self, comparing: .final)
        #expect(final.same == 1)
      }
    }

    @Test(
      "stop at the first entry that differs, and tell what",
      arguments: [ReplayComparison.outputs, .state, .paths("/outputs/count"), .final])
    func failing(comparison: ReplayComparison) throws {
      let lines = [Self.start, Self.added(1, 2, to: 2), Self.added(2, 3, to: 6)]
      try with(lines) { path in
        let failure = #expect(throws: ExpectationFailure.self) {
          try replay(path, as: Counter.self, comparing: comparison)
        }
        let text = try #require(failure?.text)
        #expect(text.contains(#"after event {"added":{"_0":3}} (entry 2)"#))
        #expect(text.contains("expected 6, got 5"))
        #expect(text.contains("accepting: .from(2)") && text.contains("STATES_RERECORD=1"))
      }
    }

    @Test("accept what is new from an entry on, and nothing before it")
    func accepting() throws {
      let lines = [Self.start, Self.added(1, 2, to: 2), Self.added(2, 3, to: 6)]
      try with(lines) { path in
        let report = try replay(path, as: Counter.self, accepting: .from(2))
        #expect(report.accepted == 1)
        #expect(throws: ExpectationFailure.self) {
          try replay(path, as: Counter.self, accepting: .from(3))
        }
      }
    }

    @Test("tell nothing of what was not captured, and compute on through it")
    func thinned() throws {
      let lines = [
        Self.start, #"{"seq":1,"t":1,"event":{"added":{"_0":2}}}"#,
        #"""
        {"seq":2,"t":2,"event":{"added":{"_0":3}},"state":{"count":5,"token":""},"outputState":{"count":5}}
        """#,
      ]
      try with(lines) { path in
        let report = try replay(path, as: Counter.self)
        #expect(report.same == 2 && report.inconclusive == 1)
      }
    }

    @Test("call a difference inconclusive that may come from a stand-in")
    func redacted() throws {
      let lines = [
        Self.start, Self.added(1, 2, to: 2),
        #"""
        {"seq":2,"t":2,"event":{"signedIn":{"_0":""}},"patch":[{"op":"replace","path":"/count","value":9}],\#
        "outputs":[{"op":"replace","path":"/count","value":9}],"redacted":{"/event/signedIn/_0":"",\#
        "/state/token":""}}
        """#,
      ]
      try with(lines) { path in
        let report = try replay(path, as: Counter.self)
        #expect(report.same == 2 && report.inconclusive == 1)
      }
    }

    @Test("take what follows on lost entries as given")
    func gaps() throws {
      let lines = [
        Self.start,
        #"""
        {"seq":9,"t":2,"event":{"added":{"_0":3}},"state":{"count":70,"token":""},\#
        "outputState":{"count":70},"gap":{"lost":8,"why":"buffer"}}
        """#,
        Self.added(10, 1, to: 71),
      ]
      try with(lines) { path in
        let report = try replay(path, as: Counter.self)
        #expect(report.same == 3)
      }
    }

    @Test("fail when the event is none of today's")
    func undecodable() throws {
      let lines = [Self.start, #"{"seq":1,"t":1,"event":{"gone":{}},"patch":[]}"#]
      try with(lines) { path in
        let failure = #expect(throws: ExpectationFailure.self) {
          try replay(path, as: Counter.self)
        }
        #expect(failure?.text.contains("gone") == true)
        let report = try replay(path, as: Counter.self, accepting: .from(1))
        #expect(report.accepted == 1)
      }
    }

    @Test("refuse a file that nothing could be learnt from, and say why")
    func refusals() throws {
      func text(_ lines: [String], ending: String = ".timeline") throws -> String {
        var text = ""
        try with(lines, ending: ending) { path in
          do { try replay(path, as: Counter.self) } catch { text = "\(error)" }
        }
        return text
      }
      #expect(try text([]).contains("no entries"))
      #expect(try text([#"{"seq":0,"t":0}"#]).contains("could not"))
      #expect(
        try text([Self.start, "nonsense", Self.added(1, 1, to: 1)]).contains("can not be read"))
      #expect(try text([Self.start], ending: ".json").contains("can not be read"))
      #expect(throws: (any Error).self) { try replay("missing.timeline", as: Counter.self) }
    }

    @Test("record anew when asked to, and pass afterwards")
    func recordingAnew() throws {
      let lines = [Self.start, Self.added(1, 2, to: 3), Self.added(2, 3, to: 6)]
      try with(lines) { path in
        let place = Place(#fileID, #filePath, #line, #column)
        var run = FixtureReplay(
          try Fixture(path, besides: #filePath), try Replay(reducible: Counter.self).makeReplayer(),
          .outputs, .nothing, place, isRecordingAnew: true)
        let anew = try run.run()
        #expect(anew.isRecordedAnew)
        let report = try replay(path, as: Counter.self, comparing: .state)
        #expect(report.same == 3)
      }
    }
  }
}
