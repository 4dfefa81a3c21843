import JSONCore
import Replaying
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer
@testable import Reruns

@Suite("Branches of forms")
struct FormForkTests {
  /// A recording of a form to which these things happened.
  private func recording(_ form: BranchedMachine, _ events: [String]) throws -> Timeline {
    var recording = Timeline(try BranchedRecording.header(of: form.replay, .random()))
    let replayer = try form.replay.makeReplayer()
    try recording.append(replayer.begin().entry())
    for (index, event) in events.enumerated() {
      let seq = Int64(index) + 1
      let action = PlannedStep.Action.reduce(try JSONSlice(validating: Array(event.utf8)))
      var draft = try replayer.run(PlannedStep(seq: seq, t: seq, action: action))
      draft.was = nil
      try recording.append(draft.entry())
    }
    return recording
  }

  @Test("that begin where an undo goes to are answered before anything of them is stored")
  func quick() async throws {
    let form = try #require(BranchedMachine.all.first { $0.replay.kind == .form })
    let hosts = FakeHosts([form.replay], keeps: true)
    try await BranchWorld.with(hosts) { world in
      let recording = try recording(
        form,
        [
          #"{"joined":{"_0":"Ada"}}"#, #"{"joined":{"_0":"Bob"}}"#, #"{"undo":{"to":1}}"#,
          #"{"joined":{"_0":"Cem"}}"#,
        ])
      try await world.record(recording)
      let (stream, release) = AsyncStream.makeStream(of: Void.self)
      hosts.onRequest { _, request in
        guard request.timeline == nil || request.quiet == nil, !request.load else { return }
        for await _ in stream {}
      }
      // What was undone is left out: the undo goes to the entry right before the first new one.
      let branch = try await world.fork(recording.header.timeline, #"[{"drop":2}]"#)
      let answer = try await world.queries.state(
        FromInspector.State {
          $0.timeline = branch
          $0.seq = 3
        })
      #expect(answer.value?["state"]?.value["people"] == ["Ada", "Cem"])
      #expect(try await world.record(of: branch).last == 1, "nothing of it is stored")
      release.finish()
      await world.finished(branch)
      #expect(try await world.timeline(branch).state(at: 3)?["people"] == ["Ada", "Cem"])
    }
  }

  @Test("an undo goes to no other entry that has its number there", arguments: [false, true])
  func undoBeyondTheStart(keeps: Bool) async throws {
    let form = try #require(BranchedMachine.all.first { $0.replay.kind == .form })
    let hosts = FakeHosts([form.replay], keeps: keeps)
    try await BranchWorld.with(hosts) { world in
      let recording = try recording(
        form,
        [
          #"{"joined":{"_0":"Ada"}}"#, #"{"joined":{"_0":"Bob"}}"#, #"{"joined":{"_0":"Cem"}}"#,
          #"{"undo":{"to":0}}"#,
        ])
      try await world.record(recording)
      #expect(recording.state(at: 4)?["people"] == [])
      // Entry 0 of the branch is the recording's entry 2, which no event goes back to.
      let branch = try await world.fork(recording.header.timeline, #"[{"start":{"seq":2}}]"#)
      await world.finished(branch)
      let made = try await world.timeline(branch)
      let undo = try #require(made.entries.last)
      #expect(undo.seq == 2 && undo.was == 4)
      #expect(undo.error?.contains("not part of this") == true)
      #expect(made.state(at: 2)?["people"] == ["Ada", "Bob", "Cem"])
    }
  }
}
