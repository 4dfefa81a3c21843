import JSONCore
import Replaying
import Testing
import Timelines

@testable import DebugServer

@Suite("Branches of forms")
struct FormForkTests {
  @Test("an undo goes to no other entry that has its number there", arguments: [false, true])
  func undoBeyondTheStart(keeps: Bool) async throws {
    let form = try #require(BranchedMachine.all.first { $0.replay.kind == .form })
    let hosts = FakeHosts([form.replay], keeps: keeps)
    try await BranchWorld.with(hosts) { world in
      let id = TimelineID.random()
      var recording = Timeline(try BranchedRecording.header(of: form.replay, id))
      let replayer = try form.replay.makeReplayer()
      try recording.append(replayer.begin().entry())
      let events = [
        #"{"joined":{"_0":"Ada"}}"#, #"{"joined":{"_0":"Bob"}}"#, #"{"joined":{"_0":"Cem"}}"#,
        #"{"undo":{"to":0}}"#,
      ]
      for (index, event) in events.enumerated() {
        let seq = Int64(index) + 1
        let action = PlannedStep.Action.reduce(try JSONSlice(validating: Array(event.utf8)))
        var draft = try replayer.run(PlannedStep(seq: seq, t: seq, action: action))
        draft.was = nil
        try recording.append(draft.entry())
      }
      try await world.record(recording)
      #expect(recording.state(at: 4)?["people"] == [])
      // Entry 0 of the branch is the recording's entry 2, to which nobody goes back.
      let branch = try await world.fork(id, #"[{"start":{"seq":2}}]"#)
      await world.finished(branch)
      let made = try await world.timeline(branch)
      let undo = try #require(made.entries.last)
      #expect(undo.seq == 2 && undo.was == 4)
      #expect(undo.error?.contains("not part of this") == true)
      #expect(made.state(at: 2)?["people"] == ["Ada", "Bob", "Cem"])
    }
  }
}
