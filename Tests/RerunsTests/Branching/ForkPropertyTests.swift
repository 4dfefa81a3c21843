import JSONCore
import Replaying
import TestSupport
import Testing
import TimelineStore
import Timelines

@testable import Reruns

@Suite("Branches equal a naive replay")
struct ForkPropertyTests {
  @Test(
    "for any machine and any script", arguments: BranchedMachine.all,
    0..<Rounds.choose(2, all: 4) as Range<UInt64>)
  func anyScript(machine: BranchedMachine, seed: UInt64) async throws {
    try await anyScript(machine, seed, keeps: false)
  }

  @Test(
    "also where the host keeps the steps", arguments: BranchedMachine.all,
    Rounds.choose(12, all: 10)..<14 as Range<UInt64>)
  func anyScriptKept(machine: BranchedMachine, seed: UInt64) async throws {
    try await anyScript(machine, seed, keeps: true)
  }

  private func anyScript(_ machine: BranchedMachine, _ seed: UInt64, keeps: Bool) async throws {
    let hosts = FakeHosts([machine.replay], partEntries: 7, keeps: keeps)
    try await BranchWorld.with(hosts) { world in
      var random = SeededGenerator(seed: seed)
      // Longer than the first batch, so that states are handed from one to the next.
      let count: Int64 = seed % 3 == 0 ? 420 : 60
      let parent = try BranchedRecording.make(machine, count: count, seed: seed)
      try await world.record(parent)
      let before = parent.entries.map(\.line.text)
      for round in 0..<2 {
        var naive = NaiveFork(parent)
        for _ in 0...Int.random(in: 0..<6, using: &random) { naive.edit(machine, &random) }
        let script = "[" + naive.script.joined(separator: ",") + "]"
        let comment: Comment = "seed \(seed), round \(round): \(script)"
        let branch = try await world.fork(parent.header.timeline, script)
        let progress = await world.finished(branch)
        let record = try await world.record(of: branch)
        #expect(
          record.computing == nil && record.ended == nil, "\(progress?.message ?? ""), \(script)")
        try naive.expect(try await world.timeline(branch), machine, comment)
      }
      let after = try await world.timeline(parent.header.timeline).entries.map(\.line.text)
      #expect(after == before, "a branch leaves its parent as it was")
    }
  }

  @Test("also when made of another branch", arguments: BranchedMachine.all, [false, true])
  func branchOfBranch(machine: BranchedMachine, keeps: Bool) async throws {
    try await BranchWorld.with(FakeHosts([machine.replay], keeps: keeps)) { world in
      var random = SeededGenerator(seed: 4)
      let parent = try BranchedRecording.make(machine, count: 40, seed: 9, isEven: true)
      try await world.record(parent)
      var timeline = parent
      for round in 0..<4 {
        var naive = NaiveFork(timeline)
        for _ in 0..<3 { naive.edit(machine, &random) }
        let script = "[" + naive.script.joined(separator: ",") + "]"
        let branch = try await world.fork(timeline.header.timeline, script)
        await world.finished(branch)
        let next = try await world.timeline(branch)
        try naive.expect(next, machine, "round \(round): \(script)")
        timeline = next
      }
    }
  }
}
