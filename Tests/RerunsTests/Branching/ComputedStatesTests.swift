import JSONCore
import Replaying
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer
@testable import Reruns

@Suite("States that were not captured")
struct ComputedStatesTests {
  /// A recording with two thinned stretches, and what its states were.
  private func withThinned(
    _ machine: BranchedMachine,
    _ body: (BranchWorld, FakeHosts, TimelineID, Timeline) async throws
      -> Void
  ) async throws {
    let hosts = FakeHosts([machine.replay], partEntries: 9)
    try await BranchWorld.with(hosts) { world in
      let full = try BranchedRecording.make(machine, count: 40, seed: 3, isEven: true)
      var thinned = Timeline(full.header)
      for entry in full.entries {
        var draft = EntryDraft(entry)
        if (8...12).contains(entry.seq) || (20...34).contains(entry.seq) { draft.thin() }
        if entry.seq == 13 || entry.seq == 35 {
          let moment = full.moment(at: entry.seq)
          draft.state = moment?.state?.encoded()[...]
          draft.outputState = machine.replay.kind == .form ? nil : moment?.outputs?.encoded()[...]
        }
        try thinned.append(draft.entry())
      }
      try await world.record(thinned)
      try await body(world, hosts, full.header.timeline, full)
    }
  }

  private func state(
    _ world: BranchWorld, _ id: TimelineID, _ seq: Int64, compute: Bool = false
  ) async throws -> ToInspector.State {
    try await world.queries.state(
      FromInspector.State {
        $0.timeline = id
        $0.seq = seq
        $0.compute = compute
      })
  }

  @Test("are restored in a live app once they were computed")
  func restored() async throws {
    try await withThinned(BranchedMachine.all[0]) { world, _, id, full in
      let moment = EntryReference(timeline: id, seq: 25)
      let error = await #expect(throws: Refusal.self) {
        _ = try await world.queries.stateToRestore(moment)
      }
      #expect(error?.reply.code == .thinned)
      _ = try await state(world, id, 25, compute: true)
      let answer = try await world.queries.stateToRestore(moment)
      #expect(answer.value?.value == full.state(at: 25))
    }
  }

  @Test("are equal to the original, and are shown as computed", arguments: BranchedMachine.all)
  func compute(machine: BranchedMachine) async throws {
    try await withThinned(machine) { world, _, id, full in
      let lines = try await world.timeline(id).entries.map(\.line.text)
      await #expect(throws: Refusal.self) { try await state(world, id, 25) }
      _ = try await world.branches.compute(
        FromInspector.Compute {
          $0.timeline = id
          $0.from = 0
          $0.to = 40
        }
      ) { _ in }
      for seq in Int64(0)...40 {
        let answer = try await state(world, id, seq)
        let moment = try #require(full.moment(at: seq))
        #expect(answer.value?["state"]?.value == moment.state, "\(seq)")
        #expect(answer.value?["outputs"]?.value == moment.outputs, "\(seq)")
        #expect(answer.computed == ((8...12).contains(seq) || (20...34).contains(seq)))
      }
      let window = try await world.queries.entries(
        FromInspector.Entries {
          $0.timeline = id
          $0.from = 18
          $0.count = 5
        }
      ) { _ in }
      #expect(window.entries.map { $0["computed"]?.bool } == [nil, nil, true, true, true])
      #expect(window.entries.allSatisfy { $0["patch"] != nil && $0["state"] == nil })
      // The stored lines are as they were.
      #expect(try await world.timeline(id).entries.map(\.line.text) == lines)
    }
  }

  @Test("are forgotten when a host was rebuilt, and then computed again")
  func rebuilt() async throws {
    try await withThinned(BranchedMachine.all[0]) { world, hosts, id, full in
      _ = try await state(world, id, 25, compute: true)
      let requests = hosts.requests
      world.branches.computed.forgetAll()
      await #expect(throws: Refusal.self) { try await state(world, id, 25) }
      let answer = try await state(world, id, 25, compute: true)
      #expect(answer.computed && answer.value?["state"]?.value == full.state(at: 25))
      #expect(hosts.requests == requests + 1)
      // What the old one computed in the meantime comes too late.
      let computed = world.branches.computed
      let old = computed.generation
      computed.forgetAll()
      computed.add(Array(full.entries[..<3]), of: id, from: old)
      #expect(computed.entry(of: id, at: 1) == nil)
      computed.add(Array(full.entries[..<3]), of: id, from: computed.generation)
      #expect(computed.entry(of: id, at: 1) != nil)
    }
  }

  @Test("are computed on request; without a host, the refusal says why")
  func onDemand() async throws {
    try await withThinned(BranchedMachine.all[0]) { world, hosts, id, full in
      hosts.isThere = false
      await #expect(throws: Refusal.self) { try await state(world, id, 25, compute: true) }
      hosts.isThere = true
      let answer = try await state(world, id, 25, compute: true)
      #expect(answer.computed && answer.value?["state"]?.value == full.state(at: 25))
      // Its neighbours came with it.
      let requests = hosts.requests
      #expect(try await state(world, id, 22).computed)
      #expect(hosts.requests == requests)
    }
  }
}
