import JSONCore
import Recorder
import Replaying
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer
@testable import Reruns

@Suite("Branches")
struct BranchesTests {
  private static let basket = BranchedMachine.all[0]

  private static func recording(_ count: Int64 = 20, seed: UInt64 = 1) throws -> Timeline {
    try BranchedRecording.make(basket, count: count, seed: seed, isEven: true)
  }

  private func withBranches(
    count: Int64 = 20, partEntries: Int = 100,
    _ body: (BranchWorld, FakeHosts, TimelineID) async throws -> Void
  ) async throws {
    let hosts = FakeHosts([Self.basket.replay], partEntries: partEntries)
    try await BranchWorld.with(hosts) { world in
      let parent = try Self.recording(count)
      try await world.record(parent)
      try await body(world, hosts, parent.header.timeline)
    }
  }

  @Test(
    "a script that cannot be carried out fails with its index, and nothing is created",
    arguments: [
      (#"[{"drop":3},{"drop":99}]"#, 1, "there is no entry 99. The timeline has entries 0 to 20."),
      (#"[{"drop":[7,11,18]}]"#, 0, "to drop other entries, use an edit for each"),
      (#"[{"drop":3},{"replace":3,"event":{}}]"#, 1, "was removed"),
      (#"[{"drop":0}]"#, 0, "begins with entry 0"),
      (#"[{"move":2,"before":40}]"#, 0, "there is no entry 40"),
      (#"[{"drop":2},{"jump":2}]"#, 1, "one of drop"),
      (#"[{"insert":{}}]"#, 0, "before"),
      (#"[{"drop":[2,99]}]"#, 0, "there is no entry 21"),
    ])
  func invalid(script: String, index: Int64, why: String) async throws {
    try await withBranches { world, hosts, parent in
      do {
        _ = try await world.fork(parent, script)
        Issue.record("it was carried out")
      } catch let refusal as Refusal {
        #expect(refusal.reply.code == .wrongValue)
        #expect(refusal.reply.at == index)
        #expect(refusal.reply.message.contains(why), "\(refusal.reply.message)")
      }
      #expect(try await world.store.read { try $0.timelines() }.count == 1)
      #expect(hosts.requests == 0)
    }
  }

  @Test("missing things are refused: the timeline, the last entry, a script, a host")
  func missing() async throws {
    try await withBranches { world, hosts, parent in
      func code(
        _ timeline: TimelineID, _ script: String, through: Int64? = nil
      ) async -> (ErrorCode, String?)? {
        do {
          _ = try await world.fork(timeline, script, through: through)
          return nil
        } catch {
          let reply = Refusal(of: error).reply
          return (reply.code, reply.path)
        }
      }
      #expect(await code(.random(), "[]")?.0 == .notFound)
      #expect(await code(parent, "[]", through: 21)?.0 == .wrongValue)
      #expect(await code(parent, "[]", through: 21)?.1 == "through")
      #expect(await code(parent, "{}")?.1 == "edits")
      hosts.isThere = false
      #expect(await code(parent, #"[{"drop":3}]"#)?.0 == .noHost)
      let stored = try await world.store.read { try $0.timelines() }
      #expect(stored.count == 1)
    }
  }

  @Test("a branch that computes nothing needs no host, and is complete at once")
  func cut() async throws {
    try await withBranches { world, hosts, parent in
      hosts.isThere = false
      let branch = try await world.fork(parent, #"[{"cut":5}]"#, name: "the first five")
      await world.finished(branch)
      let record = try await world.record(of: branch)
      #expect(record.last == 5 && record.computing == nil && record.name == "the first five")
      #expect(try await world.record(of: parent).branches == 1)
    }
  }

  @Test("begins with the parent's state at an entry, or with one that is given")
  func start() async throws {
    try await withBranches { world, _, parent in
      let timeline = try await world.timeline(parent)
      let branch = try await world.fork(parent, #"[{"start":{"seq":7}}]"#)
      await world.finished(branch)
      let begun = try await world.timeline(branch)
      #expect(begun.entries.count == 14)
      #expect(begun.entries.first?.was == 7 && begun.entries.first?.t == timeline[7]?.t)
      #expect(begun.state(at: 0) == timeline.state(at: 7))
      #expect(begun.state(at: 13) == timeline.state(at: 20))

      let other = try await world.fork(
        parent, #"[{"start":{"items":["x"],"total":100}},{"cut":0}]"#)
      await world.finished(other)
      let given = try await world.timeline(other)
      #expect(given.entries.count == 1)
      #expect(given.state(at: 0)?["total"] == 100)
      #expect(given.moment(at: 0)?.outputs?["last"] == "x")
    }
  }

  @Test("ends at an event that today's type cannot decode, and reports it")
  func undecodable() async throws {
    try await withBranches { world, _, parent in
      let branch = try await world.fork(
        parent, #"[{"drop":5},{"replace":10,"event":{"melted":{}}}]"#)
      let progress = await world.finished(branch)
      let record = try await world.record(of: branch)
      #expect(record.ended == .undecodable && record.last == 8 && record.computing == nil)
      #expect(progress?.message?.contains("melted") == true)
    }
  }

  @Test(
    "is not made when the host cannot decode what its edits begin with",
    arguments: [
      #"[{"replace":9,"event":{"melted":{}}}]"#, #"[{"insert":{"melted":{}},"before":9}]"#,
      #"[{"append":{"melted":{}}}]"#, #"[{"start":{"melted":1}},{"cut":0}]"#,
    ])
  func refused(edits: String) async throws {
    try await withBranches { world, _, parent in
      let before = try await world.store.read { try $0.timelines().count }
      let refusal = await #expect(throws: Refusal.self) { try await world.fork(parent, edits) }
      #expect(refusal?.reply.code == .wrongValue && refusal?.reply.path == "edits")
      let message = try #require(refusal?.reply.message)
      #expect(
        message.hasPrefix(
          "The host cannot decode the event of the first edit, so there is no branch. "))
      #expect(message.contains(edits.contains("start") ? "items" : "melted"), "\(message)")
      #expect(try await world.store.read { try $0.timelines().count } == before)
    }
  }

  @Test("ends at the first loss of the parent")
  func gap() async throws {
    try await BranchWorld.with(FakeHosts([Self.basket.replay])) { world in
      let full = try Self.recording()
      var timeline = Timeline(full.header)
      for entry in full.entries where !(11...12).contains(entry.seq) {
        guard entry.seq == 13 else {
          try timeline.append(entry)
          continue
        }
        var draft = EntryDraft(entry)
        draft.gap = Gap(lost: 2, why: "outbox full")
        draft.patch = nil
        draft.outputs = nil
        draft.state = full.state(at: 13)?.encoded()[...]
        draft.outputState = full.moment(at: 13)?.outputs?.encoded()[...]
        try timeline.append(draft.entry())
      }
      try await world.record(timeline)
      let branch = try await world.fork(full.header.timeline, #"[{"drop":3}]"#, through: 13)
      await world.finished(branch)
      let record = try await world.record(of: branch)
      #expect(record.ended == .gap && record.last == 9)
    }
  }

  @Test("a limit ends a branch only where a single entry exceeds it")
  func limit() async throws {
    try await withBranches(count: 60) { world, hosts, parent in
      hosts.onAnswer { number, reduced in
        // Every answer is cut off after ten entries, the fourth one before the first.
        var cut = reduced
        let kept = number == 3 ? 0 : min(10, reduced.entries.count)
        guard kept < reduced.entries.count || number == 3 else { return reduced }
        cut.entries = Array(reduced.entries.prefix(kept))
        cut.state = nil
        cut.ended = EarlyEnd {
          $0.why = .limit
          $0.message = "The time is over."
        }
        return cut
      }
      let branch = try await world.fork(parent, #"[{"drop":2}]"#)
      let progress = await world.finished(branch)
      let record = try await world.record(of: branch)
      #expect(record.ended == .limit && record.last == 31)
      #expect(progress?.message == "The time is over.")
    }
  }

  @Test(
    "a trap ends a branch at its entry when it traps there again; a host that was killed does not")
  func trap() async throws {
    try await withBranches(count: 60) { world, hosts, parent in
      @Sendable func trapping(_ reduced: FromRecorder.Reduced, before seq: Int64) throws
        -> FromRecorder.Reduced
      {
        let kept = try reduced.entries.prefix { try Entry(reading: $0).seq < seq }
        guard kept.count < reduced.entries.count else { return reduced }
        var cut = reduced
        cut.entries = Array(kept)
        cut.state = nil
        cut.ended = EarlyEnd {
          $0.why = .trap
          $0.seq = seq
          $0.message = "The host ended by signal 4."
        }
        return cut
      }
      // Killed once.
      hosts.onAnswer { number, reduced in
        number == 0 ? try trapping(reduced, before: 30) : reduced
      }
      let branch = try await world.fork(parent, #"[{"drop":2}]"#)
      await world.finished(branch)
      let record = try await world.record(of: branch)
      #expect(record.ended == nil && record.last == 59)

      hosts.onAnswer { _, reduced in try trapping(reduced, before: 40) }
      let other = try await world.fork(parent, #"[{"drop":3}]"#)
      await world.finished(other)
      #expect(try await world.record(of: other).ended == .trap)
      #expect(try await world.record(of: other).last == 39)
    }
  }

  @Test("a host that answers garbage is asked three times, then the branch says that it failed")
  func garbage() async throws {
    try await withBranches { world, hosts, parent in
      hosts.onAnswer { _, reduced in
        var wrong = reduced
        // Right up to the fifth entry, then never again.
        let seq = try reduced.entries.first.map { try Entry(reading: $0).seq } ?? 0
        if seq < 5 { wrong.entries.removeSubrange(3..<4) } else { wrong.entries.removeFirst() }
        return wrong
      }
      let branch = try await world.fork(parent, #"[{"drop":2}]"#)
      let progress = await world.finished(branch)
      #expect(try await world.record(of: branch).ended == .failed)
      #expect(progress?.message?.contains("which was not requested") == true)
      #expect(hosts.requests >= 3)
      // What it had said before was right.
      let timeline = try await world.timeline(branch)
      #expect(timeline.disagreements().isEmpty)
    }
  }

  @Test("waits for a host that disconnected, and continues when there is one again")
  func hostGone() async throws {
    try await withBranches(count: 600) { world, hosts, parent in
      hosts.onRequest { number, _ in
        guard number == 1 else { return }
        hosts.isThere = false
        throw Refusal(.noHost, "The host is gone.")
      }
      let branch = try await world.fork(parent, #"[{"drop":2}]"#)
      let news = await world.heard(branch) { $0.progress.message == "The host is gone." }
      #expect(news != nil)
      #expect(try await world.record(of: branch).computing == 599)
      hosts.isThere = true
      await world.branches.perform(.hostsChanged)
      await world.finished(branch)
      let record = try await world.record(of: branch)
      #expect(record.last == 599 && record.computing == nil && record.ended == nil)
      #expect(try await world.timeline(branch).disagreements().isEmpty)
    }
  }

  @Test("continues after a restart of the daemon")
  func restart() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let parent = try Self.recording(900)
    var branch = TimelineID.random()
    let hosts = FakeHosts([Self.basket.replay], partEntries: 50)
    try await BranchWorld.with(hosts, folder: folder) { world in
      try await world.record(parent)
      // The second request never gets its answer.
      hosts.onRequest { number, _ in if number == 1 { await FakeHosts.neverAnswer() } }
      branch = try await world.fork(
        parent.header.timeline, #"[{"drop":2},{"move":400,"before":9}]"#)
      _ = await world.heard(branch) { $0.progress.done > 0 }
    }
    hosts.onRequest(nil)
    try await BranchWorld.with(hosts, folder: folder) { world in
      // It may be complete before the request.
      await world.branches.perform(.report(branch))
      await world.finished(branch)
      let record = try await world.record(of: branch)
      #expect(record.computing == nil && record.ended == nil && record.last == 899)
      let timeline = try await world.timeline(branch)
      #expect(timeline.disagreements().isEmpty)
      let straight = try await world.fork(
        parent.header.timeline, #"[{"drop":2},{"move":400,"before":9}]"#)
      await world.finished(straight)
      let other = try await world.timeline(straight)
      #expect(other.entries.map(\.was) == timeline.entries.map(\.was))
      #expect(other.state(at: 899) == timeline.state(at: 899))
    }
  }

  @Test(
    "a canceled branch keeps its entries; a deleted one leaves nothing",
    .timeLimit(.minutes(10)))
  func endings() async throws {
    try await withBranches(count: 600) { world, hosts, parent in
      hosts.onRequest { number, _ in
        if number % 2 == 1 { await FakeHosts.neverAnswer() }
      }
      let first = try await world.fork(parent, #"[{"drop":2}]"#)
      _ = await world.heard(first) { $0.progress.done == 256 }
      // Canceled before it asks again, it would leave its unanswered request number to the other.
      while hosts.requests < 2 { await Task.yield() }
      await world.branches.perform(.cancel(first))
      await world.finished(first)
      let record = try await world.record(of: first)
      #expect(record.ended == .canceled && record.computing == nil && record.last == 257)

      let second = try await world.fork(parent, #"[{"drop":3}]"#)
      _ = await world.heard(second) { $0.progress.done > 0 }
      try await world.store.delete(second)
      await world.branches.perform(.forget(second))
      #expect(try await world.store.read { try $0.timelines() }.map(\.id) == [first, parent])
    }
  }

  @Test("two at once do not disturb each other, while their parent grows")
  func twoAtOnce() async throws {
    let full = try Self.recording(1_200)
    try await BranchWorld.with(FakeHosts([Self.basket.replay], partEntries: 30)) { world in
      let id = full.header.timeline
      _ = try await world.store.open(full.header)
      _ = try await world.store.append(AppendBatch(id, full.entries.prefix(601)))
      async let one = world.fork(id, #"[{"drop":2}]"#)
      async let two = world.fork(id, #"[{"drop":3},{"append":{"nothing":{}}}]"#)
      let branches = try await [one, two]
      _ = try await world.store.append(AppendBatch(id, full.entries.dropFirst(601)))
      for branch in branches {
        // Waiting for one passes over the news of the other.
        while try await world.record(of: branch).computing != nil {
          await world.queries.wait(for: branch, upTo: .max - 1)
          await Task.yield()
        }
      }
      let timelines = try await [world.timeline(branches[0]), world.timeline(branches[1])]
      #expect(timelines.map(\.entries.count) == [600, 601])
      #expect(timelines.allSatisfy { $0.disagreements().isEmpty })
      #expect(
        try await world.timeline(id).entries.map(\.line.text) == full.entries.map(\.line.text))
    }
  }

  @Test("says that it was computed from stand-ins, and so do the branches of it")
  func standIns() async throws {
    try await BranchWorld.with(FakeHosts([Self.basket.replay])) { world in
      let full = try Self.recording()
      var timeline = Timeline(full.header)
      for entry in full.entries {
        var draft = EntryDraft(entry)
        if entry.seq == 4 { draft.redacted = [Redaction(Pointer(tokens: ["event"]), hash: "")] }
        try timeline.append(draft.entry())
      }
      try await world.record(timeline)
      let branch = try await world.fork(full.header.timeline, #"[{"drop":9}]"#)
      await world.finished(branch)
      #expect(try await world.timeline(branch).header.parent?.isFromStandIns == true)
      let clean = try await world.fork(full.header.timeline, #"[{"drop":2}]"#, through: 3)
      await world.finished(clean)
      #expect(try await world.timeline(clean).header.parent?.isFromStandIns == false)
      let next = try await world.fork(branch, #"[{"start":{"seq":8}}]"#)
      await world.finished(next)
      #expect(try await world.timeline(next).header.parent?.isFromStandIns == true)
    }
  }

  @Test("a query for an entry waits while the entry is computed")
  func waiting() async throws {
    try await withBranches(count: 600, partEntries: 50) { world, _, parent in
      let branch = try await world.fork(parent, #"[{"drop":2}]"#)
      let answer = try await world.queries.state(
        FromInspector.State {
          $0.timeline = branch
          $0.seq = 599
        })
      #expect(answer.value?["state"] != nil)
      await world.finished(branch)
    }
  }
}
