import Foundation
import JSONCore
import Replaying
import StatesCore
import Testing
import Timelines

@testable import StatesTesting

// Nested in a serialized suite, because all tests of the process share one failure hook.
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

    /// Writes a fixture, and passes its path to a closure.
    private func with(
      _ lines: [String], header: String = header, ending: String = ".timeline",
      _ body: (String) throws -> Void
    ) throws {
      let path = try write(lines, header, ending)
      defer { try? FileManager.default.removeItem(atPath: path) }
      try body(path)
    }

    private func write(_ lines: [String], _ header: String, _ ending: String) throws -> String {
      let path = NSTemporaryDirectory() + "states-" + UUID().uuidString + ending
      let text = ([header] + lines).joined(separator: "\n") + "\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      return path
    }

    @Test("pass if everything matches the recording")
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
        #expect(
          text.contains(
            """
            To accept differences from here on, pass accepting: .from(2). To record it again, run the \
            test with STATES_RERECORD=1.
            """))
      }
    }

    @Test("accept differences from an entry on, and none before it")
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

    @Test("skip states that were not captured, and compute them")
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

    @Test("report a difference that may come from a stand-in as inconclusive")
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

    @Test("start again with the recorded state after lost entries")
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

    @Test("fail if the event's type no longer has the event")
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

    @Test("refuse an unusable file, and say why")
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
        try text([Self.start, "nonsense", Self.added(1, 1, to: 1)]).contains("cannot be read"))
      #expect(try text([Self.start], ending: ".json").contains("cannot be read"))
      #expect(throws: (any Error).self) { try replay("missing.timeline", as: Counter.self) }
    }

    /// The lines of a chart that refused the second message.
    private func flowLines(error: String?, thinned: Bool = false) throws -> [String] {
      let replayer = try Replay(of: ReplayedMachineTests.Flow.self).makeReplayer()
      var drafts = [try replayer.begin()]
      for event in [#"{"added":{"_0":2}}"#, #"{"added":{"_0":"two","refused":"String"}}"#] {
        let slice = try JSONSlice(validating: Array(event.utf8))
        let seq = Int64(drafts.count)
        drafts.append(
          try replayer.run(PlannedStep(seq: seq, was: nil, t: seq, action: .reduce(slice))))
      }
      #expect(drafts[2].error != nil)
      if let error { drafts[2].error = error.isEmpty ? nil : error }
      if thinned { drafts[2].thin() }
      return drafts.map { String(decoding: $0.line, as: UTF8.self) }
    }

    private static let flowHeader = header.replacingOccurrences(
      of: #""states""#, with: #""statechart""#)

    @Test(
      "miss no error that is new, another one, or gone",
      arguments: [
        ("", "The event fails: "), ("no such thing", "expected no such thing, got "),
        (nil, nil),
      ] as [(String?, String?)])
    func errors(recorded: String?, expected: String?) throws {
      try with(flowLines(error: recorded), header: Self.flowHeader) { path in
        guard let expected else {
          let report = try replay(path, as: ReplayedMachineTests.Flow.self)
          #expect(report.same == 3)
          return
        }
        let failure = #expect(throws: ExpectationFailure.self) {
          try replay(path, as: ReplayedMachineTests.Flow.self)
        }
        #expect(failure?.text.contains(expected) == true)
        #expect(failure?.text.contains("(entry 2)") == true)
      }
      // The error of such an entry may only say why nothing was captured.
      try with(flowLines(error: recorded, thinned: true), header: Self.flowHeader) { path in
        let report = try replay(path, as: ReplayedMachineTests.Flow.self)
        #expect(report.same == 2 && report.inconclusive == 1)
      }
    }

    @Test("fail if an event that failed no longer fails")
    func errorsThatAreGone() throws {
      var lines = [Self.start, Self.added(1, 2, to: 2)]
      lines[1].replace(#""t":1"#, with: #""t":1,"error":"no""#)
      try with(lines) { path in
        let failure = #expect(throws: ExpectationFailure.self) {
          try replay(path, as: Counter.self)
        }
        #expect(failure?.text.contains("but not now: no") == true)
        let report = try replay(path, as: Counter.self, accepting: .from(1))
        #expect(report.accepted == 1)
      }
      // The error is redacted, but there was one.
      lines[1].replace(#""error":"no""#, with: #""error":"no","redacted":{"/error":""}"#)
      try with(lines) { path in
        #expect(throws: ExpectationFailure.self) { try replay(path, as: Counter.self) }
      }
    }

    struct Fuse: Reducible, Codable {
      var burns = 0
      enum Event: String, Codable { case lit, blown }
      static func reduce(state: Fuse, event: Event) -> Fuse {
        precondition(event != .blown, "the fuse blows")
        return Fuse(burns: state.burns + 1)
      }
    }

    private static let blown = [
      #"{"seq":0,"t":0,"state":{"burns":0}}"#,
      #"{"seq":1,"t":1,"event":"lit","patch":[{"op":"replace","path":"/burns","value":1}]}"#,
      #"{"seq":2,"t":2,"event":"blown","error":"trapped"}"#,
    ]

    @Test("skip the event that ended the app", arguments: [ReplayComparison.outputs, .final])
    func traps(comparison: ReplayComparison) throws {
      try with(Self.blown) { path in
        let report = try replay(path, as: Fuse.self, comparing: comparison)
        #expect(report.trapped == 2 && report.inconclusive == 1)
        #expect(report.same == (comparison == .final ? 1 : 2))
      }
    }

    @Test("run the event that ended the app if its differences are accepted")
    func fixedTraps() throws {
      let lines = [Self.start, Self.added(1, 2, to: 2)]
      let trap = #"{"seq":2,"t":2,"event":{"added":{"_0":1}},"error":"trapped"}"#
      try with(lines + [trap]) { path in
        let report = try replay(path, as: Counter.self, accepting: .from(2))
        #expect(report.trapped == nil && report.same == 2 && report.inconclusive == 1)
      }
    }

    enum Names: Replayable {
      static func make() -> StateForm<[String], Never> { StateForm(state: []) }
    }

    @Test("use the recorded state if an undo restores one from before the recording")
    func undoneBeyond() throws {
      let lines = [
        #"{"seq":7,"t":0,"event":{"apply":{"patch":[]}},"state":["a","b"],"gap":{"lost":7,"why":"cut"}}"#,
        #"{"seq":8,"t":1,"event":{"undo":{"to":4}},"patch":[{"op":"remove","path":"/1"}]}"#,
        #"{"seq":9,"t":2,"event":{"redo":{"to":7}},"patch":[{"op":"add","path":"/1","value":"b"}]}"#,
      ]
      let header = Self.header.replacingOccurrences(of: #""states""#, with: #""form""#)
      try with(lines, header: header) { path in
        let report = try replay(path, as: Names.self)
        #expect(report.same == 3 && report.inconclusive == 0)
      }
    }

    private func rerecord(
      _ path: String, comparing comparison: ReplayComparison = .outputs
    ) throws -> ReplayReport {
      var run = try FixtureReplay(
        try Fixture(path, nextTo: #filePath), try Replay(reducible: Counter.self).makeReplayer(),
        comparison, .nothing, Place(#fileID, #filePath, #line, #column), isRerecording: true)
      return try run.run()
    }

    @Test("are recorded again on request, and pass afterwards")
    func rerecording() throws {
      let lines = [Self.start, Self.added(1, 2, to: 3), Self.added(2, 3, to: 6)]
      try with(lines) { path in
        let second = try rerecord(path)
        #expect(second.isRerecorded)
        let report = try replay(path, as: Counter.self, comparing: .state)
        #expect(report.same == 3)
      }
    }

    @Test(
      "do not change a file that matches the recording, whatever is compared",
      arguments: [ReplayComparison.outputs, .state, .final, .paths("/state/count")])
    func notRerecording(comparison: ReplayComparison) throws {
      try with([Self.start, Self.added(1, 2, to: 2), Self.added(2, 3, to: 5)]) { path in
        let report = try rerecord(path, comparing: comparison)
        #expect(!report.isRerecorded)
      }
      // Differences before the end are recorded, too, even if only the end is compared.
      let lines = [
        Self.start, Self.added(1, 2, to: 3),
        #"""
        {"seq":2,"t":2,"event":{"added":{"_0":3}},"state":{"count":5,"token":""},\#
        "outputState":{"count":5},"patch":[]}
        """#,
      ]
      try with(lines) { path in
        let second = try rerecord(path, comparing: comparison)
        #expect(second.isRerecorded)
        let report = try replay(path, as: Counter.self, comparing: .state)
        #expect(report.same == 3)
      }
    }

    @Test("are recorded again if the environment says so", arguments: ["1", "yes"])
    func rerecordingByEnvironment(word: String) async throws {
      let lines = [Self.start, Self.added(1, 2, to: 3)]
      let path = try write(lines, Self.header, ".timeline")
      defer { try? FileManager.default.removeItem(atPath: path) }
      // The environment belongs to the whole process, so this needs its own.
      await #expect(processExitsWith: .failure) { [path = path as String] in
        setenv("STATES_RERECORD", "0", 1)
        try replay(path, as: Counter.self)
      }
      await #expect(processExitsWith: .success) { [path = path as String, word = word as String] in
        setenv("STATES_RERECORD", word, 1)
        guard try replay(path, as: Counter.self).isRerecorded else { exit(1) }
      }
      #expect(try replay(path, as: Counter.self).same == 2)
    }
  }
}

extension String {
  fileprivate mutating func replace(_ old: String, with new: String) {
    self = replacingOccurrences(of: old, with: new)
  }
}
