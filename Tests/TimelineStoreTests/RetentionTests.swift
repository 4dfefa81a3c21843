import Foundation
import JSONCore
import Synchronization
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

@Suite("Retention")
struct RetentionTests {
  @Test("keeps so many timelines of each app, the newest ones")
  func keepsPerApp() async throws {
    try await withStore(.small) { store in
      let samples = try await recordFive(in: store)
      let pruned = try await store.prune(Retention(perApp: 2), live: [])
      #expect(pruned.deleted == samples.prefix(3).map(\.header.timeline))
      #expect(pruned.sentences.count == 3)
      #expect(pruned.sentences[0].hasSuffix("of Sample: more than 2 of that app."))
      #expect(try await store.read { try $0.timelines() }.count == 2)
    }
  }

  @Test("keeps marked timelines and those being written, however old")
  func keepsMarked() async throws {
    try await withStore(.small) { store in
      let samples = try await recordFive(in: store)
      try await store.mark(samples[0].header.timeline, at: 3, "here")
      let pruned = try await store.prune(
        Retention(seconds: -1), live: [samples[1].header.timeline])
      #expect(Set(pruned.deleted) == Set(samples.dropFirst(2).map(\.header.timeline)))
    }
  }

  @Test("deletes the oldest until the bytes fit")
  func fitsBytes() async throws {
    try await withStore(.small) { store in
      let samples = try await recordFive(in: store)
      let used = try await store.read { try $0.usedBytes() }
      let pruned = try await store.prune(Retention(bytes: used * 7 / 10), live: [])
      #expect(pruned.deleted == samples.prefix(2).map(\.header.timeline))
    }
  }

  @Test("cuts the head of a timeline that is being written, and says so in a gap")
  func cutsHead() async throws {
    try await withStore(.small) { store in
      let sample = SampleTimeline(count: 600)
      let id = sample.header.timeline
      try await store.record(sample)
      try await store.waitForSealing()
      let used = try await store.read { try $0.usedBytes() }
      let pruned = try await store.prune(Retention(bytes: used / 2), live: [id])
      #expect(pruned.shortened == [id])
      let record = try await store.read { try $0.timeline(id) }
      let first = try #require(record.first)
      #expect(first > 100)
      let lines = try await store.lines(of: id)
      #expect(lines.dropFirst() == sample.entries[(Int(first) + 1)...].map(\.line.text)[...])
      let head = try Entry(reading: lines[0])
      #expect(head.gap == Gap(lost: first, why: "retention"))
      #expect(head.isKeyframe)
      #expect(record.entries == 600 - first)
      let (gone, kept) = try await store.read { reader in
        let lineage = try reader.lineage(of: id)
        return (try reader.moment(of: lineage, at: 5), try reader.moment(of: lineage, at: 599))
      }
      #expect(gone == .lost(LostRange(0...first - 1, why: "retention")))
      #expect(kept == (try sample.timeline.moment(at: 599)))
      let before = try await store.window(
        WindowQuery(from: first - 1, count: 5, isBackward: true), of: id)
      #expect(before.seqs == [])
      #expect(before.next == nil)
      #expect(try await store.check(thorough: true).findings == [])
      let file = try await store.file(of: sample)
      let imported = try TimelineFile.read(file)
      #expect(imported.timeline.entries.count == lines.count)
      _ = try await store.append(AppendBatch(id, [try next(after: sample)]))
    }
  }

  private func next(after sample: SampleTimeline) throws -> Entry {
    let last = try #require(sample.entries.last)
    var draft = EntryDraft(seq: last.seq + 1, t: last.t)
    draft.event = Array("\"tick\"".utf8)[...]
    draft.patch = Array("[]".utf8)[...]
    return try draft.entry()
  }

  /// Five timelines of one app, the oldest first.
  private func recordFive(in store: Store) async throws -> [SampleTimeline] {
    let samples = (0..<5).map { SampleTimeline(count: 150, seed: UInt64($0 + 1)) }
    for sample in samples {
      try await store.record(sample)
      try await store.end(sample.header.timeline)
      try await store.waitForSealing()
      // Sealing them one after the other defines which is older.
    }
    return samples
  }
}

extension RetentionTests {
  @Test("a tree of branches goes as one, when its last entry is due, and counts once for its app")
  func deletesTrees() async throws {
    try await withTree { world in
      let kept = try await world.prune(Retention(seconds: 500, perApp: 2))
      #expect(kept.deleted == [])
      // The other is older than the tree's newest branch, though not than its root.
      world.clock.set(seconds: 2_600)
      let other = try await world.prune(Retention(seconds: 1_000))
      #expect(other.deleted == [world.other])
      world.clock.set(seconds: 2_900)
      #expect(try await world.prune(Retention(seconds: 1_000)).deleted == [])
      world.clock.set(seconds: 3_100)
      let pruned = try await world.prune(Retention(seconds: 1_000))
      #expect(pruned.deleted == world.tree)
      #expect(pruned.sentences.count == 1)
      let sentence = try #require(pruned.sentences.first)
      #expect(sentence.hasSuffix(" of Sample with 2 branches: older than 1000 seconds."))
      #expect(try await world.store.read { try $0.timelines() }.isEmpty)
      #expect(try await world.store.check(thorough: true).findings == [])
    }
  }

  /// Each rule with each member of the tree. A usual run has every rule and every member once.
  private static let rulesAndMembers = (0..<3).flatMap { rule in
    (0..<3).map { (rule: rule, member: $0) }
  }

  @Test(
    "a mark on a branch, or its being written, keeps its root and the whole tree",
    arguments: Rounds.choose(rulesAndMembers.filter { $0.rule == $0.member }, all: rulesAndMembers))
  func marksKeepTrees(rule: Int, member: Int) async throws {
    let retention = [Retention(seconds: -1), Retention(perApp: 0), Retention(bytes: 0)][rule]
    try await withTree { world in
      let id = world.tree[member]
      try await world.store.mark(id, at: 130, "here")
      #expect(try await world.prune(retention).deleted == [world.other])
      #expect(try await world.stored() == Set(world.tree))
      try await world.store.mark(id, at: 130, nil)
      #expect(try await world.prune(retention, live: [id]).deleted == [])
      #expect(try await world.stored() == Set(world.tree))
      try await world.store.swept()
      #expect(try await world.prune(retention).deleted == world.tree)
    }
  }

  /// A recording, a branch of it and a branch of that, the last one written at 2,000 seconds; and,
  /// begun after the first, another recording of the same app.
  private struct TreeWorld {
    let store: Store
    let clock: SetClock
    /// As they are deleted: the branch of the branch, the branch, the root.
    let tree: [TimelineID]
    let other: TimelineID

    func prune(_ retention: Retention, live: Set<TimelineID> = []) async throws -> Pruned {
      try await store.prune(retention, live: live)
    }

    func stored() async throws -> Set<TimelineID> {
      Set(try await store.read { try $0.timelines() }.map(\.id))
    }
  }

  /// A wall clock that a test sets.
  final class SetClock: Sendable {
    private let microseconds = Mutex<Int64>(0)

    var now: Int64 { microseconds.withLock { $0 } }

    func set(seconds: Int64) { microseconds.withLock { $0 = seconds * 1_000_000 } }
  }

  private func withTree(_ body: (TreeWorld) async throws -> Void) async throws {
    try await withFolder { folder in
      let clock = SetClock()
      let path = folder + "/" + DatabaseFile.name
      let store = try Store(
        folder: folder, indexer: TimelineIndexer(), options: .small, lock: nil,
        now: { clock.now }
      ) { () throws(StoreError) in
        try SQLiteRows(path: path, indexer: TimelineIndexer())
      }
      let root = SampleTimeline(count: 150)
      let other = SampleTimeline(count: 150, seed: 2)
      clock.set(seconds: 1_000)
      try await store.record(root)
      try await store.waitForSealing()
      clock.set(seconds: 1_500)
      try await store.record(other)
      try await store.waitForSealing()
      clock.set(seconds: 2_000)
      let branch = try Branch(of: root, start: 100, count: 60)
      let twig = try Branch(of: branch.whole, start: 120, count: 70)
      for next in [branch, twig] {
        _ = try await store.createBranch(next.header)
        _ = try await store.append(AppendBatch(next.header.timeline, next.own))
        try await store.waitForSealing()
      }
      let tree = [twig.header, branch.header, root.header].map(\.timeline)
      let world = TreeWorld(
        store: store, clock: clock, tree: tree, other: other.header.timeline)
      try await body(world)
      await store.close()
    }
  }
}
