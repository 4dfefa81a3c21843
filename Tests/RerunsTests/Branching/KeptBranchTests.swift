import JSONCore
import Replaying
import Synchronization
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer
@testable import Reruns

@Suite("Branches of steps that a host keeps", .timeLimit(.minutes(10)))
struct KeptBranchTests {
  private static let basket = BranchedMachine.all[0]

  private func withBranches(
    _ machine: BranchedMachine = basket, count: Int64 = 200,
    _ body: (BranchWorld, FakeHosts, Timeline) async throws -> Void
  ) async throws {
    let hosts = FakeHosts([machine.replay], partEntries: 16, keeps: true)
    try await BranchWorld.with(hosts) { world in
      let parent = try BranchedRecording.make(machine, count: count, seed: 5, isEven: true)
      try await world.record(parent)
      try await body(world, hosts, parent)
    }
  }

  private func state(
    _ world: BranchWorld, _ timeline: TimelineID, _ seq: Int64
  ) async throws -> JSON? {
    try await world.queries.state(
      FromInspector.State {
        $0.timeline = timeline
        $0.seq = seq
      }
    ).value?.value
  }

  private func rows(
    _ world: BranchWorld, _ timeline: TimelineID, from: Int64, _ count: Int64,
    _ direction: SearchDirection
  ) async throws -> ToInspector.Entries {
    try await world.queries.entries(
      FromInspector.Entries {
        $0.timeline = timeline
        $0.from = from
        $0.count = count
        $0.direction = direction
      }
    ) { _ in }
  }

  /// Keeps the full pass from starting, until it is released.
  private func holdingFullPass(_ hosts: FakeHosts) -> AsyncStream<Void>.Continuation {
    let (stream, release) = AsyncStream.makeStream(of: Void.self)
    hosts.onRequest { _, request in
      guard request.timeline != nil, request.quiet == nil, !request.load else { return }
      for await _ in stream {}
    }
    return release
  }

  @Test("moments and rows are answered before they are durable, and equal the stored ones")
  func looking() async throws {
    for machine in BranchedMachine.all {
      try await withBranches(machine) { world, hosts, parent in
        let release = holdingFullPass(hosts)
        let branch = try await world.fork(parent.header.timeline, #"[{"drop":20},{"drop":90}]"#)
        let last: Int64 = 198
        var states: [Int64: JSON] = [:]
        for seq in [20, 21, 60, 150, last] as [Int64] {
          states[seq] = try await state(world, branch, seq)
        }
        let backward = try await rows(world, branch, from: last, 30, .backward)
        let across = try await rows(world, branch, from: 10, 40, .forward)
        let end = try await rows(world, branch, from: last - 4, 40, .forward)
        if machine.replay.kind != .form {
          // An undo goes back beyond what a form's host was sent: it is sent the rest.
          #expect(try await world.record(of: branch).last == 19, "nothing of it is stored")
        }
        release.finish()
        await world.finished(branch)
        for (seq, known) in states {
          #expect(try await state(world, branch, seq) == known, "\(machine.replay.kind) \(seq)")
        }
        try await expect(backward, world, branch, from: last, 30, .backward)
        try await expect(across, world, branch, from: 10, 40, .forward)
        try await expect(end, world, branch, from: last - 4, 40, .forward)
      }
    }
  }

  /// The early rows equal the stored ones, except for the duration of a run.
  private func expect(
    _ early: ToInspector.Entries, _ world: BranchWorld, _ branch: TimelineID, from: Int64,
    _ count: Int64, _ direction: SearchDirection
  ) async throws {
    let late = try await rows(world, branch, from: from, count, direction)
    func plain(_ entries: [JSONSlice]) -> [JSON] {
      entries.map { entry in
        guard case .object(var members) = entry.value else { return .null }
        members["ns"] = nil
        // Which entries hold the full state follows from those before, which were not written.
        members["state"] = nil
        members["outputState"] = nil
        return .object(members)
      }
    }
    #expect(plain(early.entries) == plain(late.entries))
    #expect(early.next == late.next)
  }

  @Test("its summary shows the end that can be read, and how much of it is durable")
  func summary() async throws {
    try await withBranches { world, hosts, parent in
      let release = holdingFullPass(hosts)
      let branch = try await world.fork(parent.header.timeline, #"[{"drop":20}]"#)
      // On a busy machine, the answer to the fork may come before the preview's end.
      var reported = try await world.queries.summaries(of: [branch])
      while reported.first?.last != 199 {
        await Task.yield()
        reported = try await world.queries.summaries(of: [branch])
      }
      #expect(reported.first?.entries == 200)
      #expect(reported.first?.durable == 19)
      #expect(reported.first?.computing == 199)
      release.finish()
      await world.finished(branch)
      let after = try await world.queries.summaries(of: [branch])
      #expect(after.first?.last == 199)
      #expect(after.first?.durable == 199)
    }
  }

  @Test("events are sent once, and again if the host dropped them")
  func sentOnce() async throws {
    let sent = Mutex<Int>(0)
    try await withBranches { world, hosts, parent in
      hosts.onRequest { _, request in
        if request.load { sent.withLock { $0 += request.steps.count } }
      }
      for edit in [30, 31, 12] {
        let branch = try await world.fork(parent.header.timeline, #"[{"drop":\#(edit)}]"#)
        await world.finished(branch)
      }
      // The third edit is before what was sent for the first one.
      #expect(sent.withLock { $0 } == 170 + 188)
      hosts.forget()
      let branch = try await world.fork(parent.header.timeline, #"[{"drop":100}]"#)
      await world.finished(branch)
      #expect(sent.withLock { $0 } == 170 + 188 + 100)
      #expect(try await world.timeline(branch).entries.count == 200)
    }
  }

  @Test("a host that loses its kept steps midway is sent the rest, and the branch is the same")
  func lostInBetween() async throws {
    try await withBranches { world, hosts, parent in
      let whole = try await world.fork(parent.header.timeline, #"[{"drop":5}]"#)
      await world.finished(whole)
      let count = Mutex<Int>(0)
      hosts.onRequest { _, request in
        guard request.timeline != nil, request.quiet == nil, !request.load else { return }
        if count.withLock({ count in
          count += 1
          return count == 2
        }) {
          hosts.forget()
        }
      }
      let broken = try await world.fork(parent.header.timeline, #"[{"drop":5}]"#)
      await world.finished(broken)
      let (one, other) = (try await world.timeline(whole), try await world.timeline(broken))
      #expect(one.entries.map(\.event?.text) == other.entries.map(\.event?.text))
      #expect(one.state(at: 199) == other.state(at: 199))
      #expect(other.disagreements().isEmpty)
    }
  }

  @Test("a host that answers unrequested entries is asked without kept steps")
  func garbage() async throws {
    try await withBranches { world, hosts, parent in
      hosts.onAnswer { _, answer in
        guard answer.entries.count > 2 else { return answer }
        var changed = answer
        changed.entries.swapAt(0, 1)
        return changed
      }
      let branch = try await world.fork(parent.header.timeline, #"[{"drop":5}]"#)
      let progress = await world.finished(branch)
      #expect(try await world.record(of: branch).ended == .failed, "\(progress?.message ?? "")")
      #expect(try await world.record(of: branch).last == 4)
    }
  }

  @Test("an event that today's type cannot decode ends the branch at its entry")
  func undecodable() async throws {
    try await withBranches { world, _, parent in
      let branch = try await world.fork(
        parent.header.timeline, #"[{"drop":5},{"replace":100,"event":{"what":{}}}]"#)
      await world.finished(branch)
      let record = try await world.record(of: branch)
      #expect(record.ended == .undecodable)
      #expect(record.last == 98)
    }
  }
}
