import JSONCore
import Replaying
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import Reruns

/// What a host does to one entry of each answer, and how the daemon calls it.
private struct Change: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let complaint: String
  let apply: @Sendable (inout JSON.Object) -> Void

  init(
    _ what: String, _ complaint: String, _ apply: @escaping @Sendable (inout JSON.Object) -> Void
  ) {
    (testDescription, self.complaint, self.apply) = (what, complaint, apply)
  }

  /// Changes a key that is copied from the step.
  static func copied(_ key: String, to value: JSON?, named: String? = nil) -> Change {
    let what = value.map { String(decoding: $0.encoded(), as: UTF8.self) } ?? "nothing"
    return Change(named ?? "\(key): \(what)", "entry 7 with another '\(key)' than its step has") {
      $0[key] = value
    }
  }

  static let refused: [Change] = [
    .copied("event", to: ["added": ["_0": "i8", "price": 9]]),
    .copied("event", to: ["added": ["_0": "i8", "price": 7, "more": 1]]),
    .copied("event", to: ["added": ["_0": "i8"]]),
    .copied("event", to: ["noted": ["_0": "i8"]]),
    Change("no event", "entry 7: 'event' is missing") { $0["event"] = nil },
    .copied("cause", to: 1),
    .copied("cause", to: "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a:3"),
    .copied("cause", to: nil),
    .copied("origin", to: "app"),
    .copied("origin", to: nil),
    .copied("at", to: "Other.swift:1"),
    .copied("at", to: nil),
    Change("jump: true", "'event' excludes 'jump'") { members in
      members["jump"] = true
      members["state"] = ["items": [], "total": 0]
    },
    Change("restored", "'event' excludes 'restored'") { members in
      members["restored"] = ["timeline": "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a", "seq": 3]
      members["state"] = ["items": [], "total": 0]
    },
    Change("gap", "another 'gap'") { $0["gap"] = ["lost": 1, "why": "it was lost"] },
    Change("seq: 8", "which was not requested") { $0["seq"] = 8 },
    Change("seq: 6", "'cause' must be an earlier entry") { $0["seq"] = 6 },
    Change("t", "which was not requested") { $0["t"] = 71 },
    Change("was", "which was not requested") { $0["was"] = 7 },
    Change("no was", "which was not requested") { $0["was"] = nil },
    Change("no patch", "which was not requested") { members in
      members["patch"] = nil
      members["outputs"] = nil
    },
    Change("no entry", "invalid entry") { $0["t"] = "late" },
    Change("hidden, and another name", "another 'event'") { members in
      members["event"] = ["noted": ["_0": "i8", "price": 0]]
      members["redacted"] = ["/event/noted/price": ""]
    },
    Change("hidden, and another value", "another 'event'") { members in
      members["event"] = ["added": ["_0": "other", "price": 0]]
      members["redacted"] = ["/event/added/price": "", "/state/total": ""]
    },
  ]

  static let accepted: [Change] = [
    Change("the time in the reducer", "") { $0["ns"] = 5 },
    Change("an error", "") { $0["error"] = "It was empty." },
    Change("another order of keys", "") { members in
      let event = members["event"]
      members["event"] = nil
      members["event"] = event
    },
    Change("a hidden value of the event", "") { members in
      members["event"] = ["added": ["_0": "•••", "price": 0]]
      members["redacted"] = ["/event/added/_0": "", "/event/added/price": ""]
    },
  ]
}

@Suite("What a host changes in its answer", .timeLimit(.minutes(10)))
struct ChangedAnswerTests {
  private static let replay = BranchedMachine.all[0].replay

  /// Twenty entries that have everything that a host copies.
  private static func recording() throws -> Timeline {
    var timeline = try BranchedRecording.make(BranchedMachine.all[0], count: 0, seed: 1)
    let replayer = try replay.makeReplayer()
    let first = try #require(timeline.entries.first?.state)
    try replayer.load(state: first)
    for seq in 1...20 as ClosedRange<Int64> {
      let event = #"{"added":{"_0":"i\#(seq)","price":7}}"#
      var draft = try replayer.run(
        PlannedStep(
          seq: seq, t: seq * 10, action: .reduce(JSONSlice(validating: Array(event.utf8))),
          cause: .here(seq - 1), origin: .timer, at: "App.swift:\(seq)"))
      draft.was = nil
      try timeline.append(draft.entry())
    }
    return timeline
  }

  /// The branch, by default without entry 3, of a host that changes the entry with this number.
  private func branch(
    _ change: Change, at seq: Int64 = 7, edits: String = #"[{"drop":3}]"#, keeps: Bool,
    _ body: (BranchWorld, TimelineID, BranchProgress?) async throws -> Void
  ) async throws {
    try await BranchWorld.with(FakeHosts([Self.replay], keeps: keeps)) { world in
      let recording = try Self.recording()
      try await world.record(recording)
      world.hosts.onAnswer { _, reduced in
        var changed = reduced
        changed.entries = try reduced.entries.map { entry in
          guard entry["seq"]?.int == seq, case .object(var members) = entry.value else {
            return entry
          }
          change.apply(&members)
          return try JSONSlice(validating: JSON.object(members).encoded())
        }
        return changed
      }
      let branch = try await world.fork(recording.header.timeline, edits)
      try await body(world, branch, await world.finished(branch))
    }
  }

  @Test(
    "is refused if it is not the host's to decide; after three attempts, the branch fails",
    arguments: Change.refused)
  fileprivate func refused(change: Change) async throws {
    for keeps in [false, true] {
      try await branch(change, keeps: keeps) { world, branch, progress in
        let record = try await world.record(of: branch)
        #expect(record.ended == .failed)
        #expect(record.last == 6)
        let message = progress?.message ?? ""
        #expect(message.contains(change.complaint), "\(message)")
        if !keeps { #expect(world.hosts.requests == 3) }
      }
    }
  }

  @Test("is stored if the host decides it", arguments: Change.accepted)
  fileprivate func accepted(change: Change) async throws {
    for keeps in [false, true] {
      try await branch(change, keeps: keeps) { world, branch, progress in
        let record = try await world.record(of: branch)
        #expect(record.ended == nil && record.last == 19, "\(progress?.message ?? "")")
        let report = try await world.store.check(thorough: true)
        #expect(report.isClean)
      }
    }
  }

  @Test(
    "is refused in the first state of a branch that shares nothing",
    arguments: [
      ("jump", true),
      ("gap", ["lost": 1, "why": "it was lost"]),
      ("restored", ["timeline": "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a", "seq": 3]),
    ] as [(String, JSON)])
  func first(key: String, value: JSON) async throws {
    let change = Change(key, "") { $0[key] = value }
    try await branch(change, at: 0, edits: #"[{"start":{"seq":3}}]"#, keeps: false) {
      world, branch, progress in
      let record = try await world.record(of: branch)
      #expect(record.ended == .failed)
      #expect(progress?.message?.hasPrefix("The host answered ") == true)
      #expect(world.hosts.requests == 3)
    }
  }

  @Test("is reported with the key, and what to do")
  func message() async throws {
    let change = Change.copied("origin", to: "app")
    try await branch(change, keeps: false) { _, _, progress in
      #expect(
        progress?.message == """
          The host answered entry 7 with another 'origin' than its step has. To fix, have it copy \
          'event', 'was', 't', 'cause', 'origin', and 'at' from the step.
          """)
    }
  }

  @Test(
    "in the changes of the branch's first entry is replaced by the difference of the states",
    arguments: [
      #"[{"op":"replace","path":"/nowhere/at/all","value":1}]"#,
      #"[{"op":"replace","path":"/total","value":-1}]"#, "[]",
    ])
  func firstChanges(patch: String) async throws {
    let patch = try JSON(parsing: patch)
    let change = Change("patch", "") { members in
      members["patch"] = patch
      members["outputs"] = nil
    }
    for keeps in [false, true] {
      try await branch(change, at: 3, keeps: keeps) { world, branch, progress in
        let record = try await world.record(of: branch)
        #expect(record.last == 19, "\(progress?.message ?? "")")
        let report = try await world.store.check(thorough: true)
        #expect(report.findings == [])
        let timeline = try await world.timeline(branch)
        let entry = try #require(timeline[3])
        var (state, outputs): (JSON, JSON) = (
          ["items": ["i1", "i2"], "total": 14], ["count": 2, "last": "i2"]
        )
        try state.apply(Patch(try #require(entry.patch)))
        try outputs.apply(Patch(try #require(entry.outputs)))
        #expect(state == ["items": ["i1", "i2", "i4"], "total": 21])
        #expect(outputs == ["count": 3, "last": "i4"])
      }
    }
  }
}
