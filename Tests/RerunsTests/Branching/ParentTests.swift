import JSONCore
import Replaying
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import Reruns

@Suite("What was recorded")
struct ParentTests {
  /// Every line of a timeline as it is stored, and its header.
  private func stored(_ id: TimelineID, in world: BranchWorld) async throws -> [String] {
    try await world.store.read { reader in
      let header = try reader.timeline(id).header
      var lines = [String(decoding: header, as: UTF8.self)]
      let lineage = try reader.lineage(of: id)
      try reader.forEachEntry(of: lineage, in: 0...(.max - 1)) { lines.append($0.line.text) }
      return lines
    }
  }

  @Test("stays the same after its branches were computed", arguments: BranchedMachine.all)
  func untouched(machine: BranchedMachine) async throws {
    try await BranchWorld.with(FakeHosts([machine.replay], partEntries: 7)) { world in
      let full = try BranchedRecording.make(machine, count: 60, seed: 11, isEven: true)
      var parent = Timeline(full.header)
      for entry in full.entries {
        var draft = EntryDraft(entry)
        if (20...24).contains(entry.seq) { draft.thin() }
        if entry.seq == 25 {
          let moment = full.moment(at: entry.seq)
          draft.state = moment?.state?.encoded()[...]
          draft.outputState = machine.replay.kind == .form ? nil : moment?.outputs?.encoded()[...]
        }
        try parent.append(draft.entry())
      }
      try await world.record(parent)
      let id = full.header.timeline
      let before = try await stored(id, in: world)
      #expect(before.count == 62)
      let branches = world.branches
      let proofs = RerunService(store: world.store, hosts: world.hosts) {
        try await branches.fork($0)
      }

      var made: [(TimelineID, [String])] = []
      for script in [
        #"[{"drop":2}]"#, #"[{"drop":[5,30]}]"#, #"[{"move":40,"before":3}]"#, #"[{"cut":9}]"#,
        #"[{"start":{"seq":7}}]"#,
      ] {
        let branch = try await world.fork(id, script)
        await world.finished(branch)
        made.append((branch, try await stored(branch, in: world)))
      }
      // A branch is recorded, too, for those that are made of it.
      let second = try await world.fork(made[0].0, #"[{"drop":4}]"#)
      await world.finished(second)
      for timeline in [id, made[0].0] {
        let verify = FromInspector.Verify { $0.timeline = timeline }
        _ = try await proofs.answer(.verify(verify)) { _ in }
        for other in [nil, made[1].0] {
          let compare = FromInspector.Compare {
            $0.timeline = timeline
            $0.with = other
          }
          _ = try await proofs.answer(.compare(compare)) { _ in }
        }
      }
      let compute = FromInspector.Compute {
        $0.timeline = id
        $0.from = 0
        $0.to = 60
      }
      _ = try await world.branches.compute(compute) { _ in }
      #expect(try await stored(id, in: world) == before)
      for (branch, lines) in made { #expect(try await stored(branch, in: world) == lines) }
    }
  }
}
