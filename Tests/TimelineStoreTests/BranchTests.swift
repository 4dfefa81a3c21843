import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines
import Wire

@testable import TimelineStore

@Suite("Branches in a store")
struct BranchTests {
  @Test(
    "a branch reads shared entries from its parent, at any branch point",
    arguments: [
      0, 1, 37, 150, 199, 200,
    ])
  func shares(start: Int) async throws {
    try await withStore(.small) { store in
      let parent = SampleTimeline(count: 200)
      try await store.record(parent)
      let branch = try Branch(of: parent, start: start, count: 60)
      #expect(try await store.createBranch(branch.header).isNew)
      for entry in branch.own {
        _ = try await store.append(AppendBatch(branch.header.timeline, [entry]))
      }
      try await expectEqual(store, branch.whole)
      #expect(try await store.file(of: branch.whole) == branch.whole.file)
      try await expectEqual(store, parent)
    }
  }

  @Test("a branch of a branch reads from both")
  func nests() async throws {
    try await withStore(.small) { store in
      let parent = SampleTimeline(count: 150)
      try await store.record(parent)
      for (first, second) in [(50, 80), (80, 50), (60, 60)] {
        let child = try Branch(of: parent, start: first, count: 50)
        _ = try await store.createBranch(child.header)
        _ = try await store.append(AppendBatch(child.header.timeline, child.own))
        let grandchild = try Branch(of: child.whole, start: second, count: 20)
        _ = try await store.createBranch(grandchild.header)
        _ = try await store.append(AppendBatch(grandchild.header.timeline, grandchild.own))
        try await expectEqual(store, child.whole)
        try await expectEqual(store, grandchild.whole)
      }
      #expect(try await store.check(thorough: true).findings == [])
    }
  }

  @Test("a branch without entries of its own ends where it leaves its parent")
  func isEmptyAtFirst() async throws {
    try await withStore(.small) { store in
      let parent = SampleTimeline(count: 40)
      try await store.record(parent)
      let branch = try Branch(of: parent, start: 15, count: 0)
      #expect(
        try await store.createBranch(branch.header, computing: 30)
          == Opened(isNew: true, durable: 14, t: parent.entries[14].t, isStateKnown: true))
      let record = try await store.read { try $0.timeline(branch.header.timeline) }
      #expect(record.last == 14)
      #expect(record.entries == 15)
      #expect(record.computing == 30)
      try await store.complete(branch.header.timeline, ended: .trap)
      let complete = try await store.read { try $0.timeline(branch.header.timeline) }
      #expect(complete.computing == nil)
      #expect(complete.ended == .trap)
    }
  }

  @Test("a parent with branches is deleted only with them")
  func refusesOrphans() async throws {
    try await withStore(.small) { store in
      let parent = SampleTimeline(count: 40)
      let id = parent.header.timeline
      try await store.record(parent)
      let branch = try Branch(of: parent, start: 15, count: 10)
      let child = branch.header.timeline
      _ = try await store.createBranch(branch.header)
      try await store.rename(child, to: "without the tap")
      await #expect(throws: StoreError(.hasBranches(id, branches: ["without the tap"]))) {
        try await store.delete(id)
      }
      #expect(try await store.delete(id, cascading: true) == [child, id])
      #expect(try await store.read { try $0.timelines() }.isEmpty)
      await #expect(throws: StoreError.self) { try await store.createBranch(branch.header) }
    }
  }

  @Test(
    "a branch whose parent is deleted after it was planned is refused", arguments: [false, true])
  func parentGoes(isOneCommit: Bool) async throws {
    try await withStore(.small) { store in
      let parent = SampleTimeline(count: 40)
      let id = parent.header.timeline
      try await store.record(parent)
      let branch = try Branch(of: parent, start: 15, count: 0)
      let row = try await store.read { try $0.timeline(id).row }
      let shared = TimelineRow.Shared(row: row, start: 15, count: 15, t: 0, isKnown: true)
      if !isOneCommit { try await store.delete(id) }
      await #expect(throws: StoreError(.gone(id))) {
        try await store.answer { done in
          if isOneCommit {
            store.change(id, done: { _ in }) { live throws(StoreError) in
              [.delete(row: live.row, id, at: 0)]
            }
          }
          store.submit(
            .open(
              branch.header, BranchRequest(parent: shared, computing: nil), isImport: false, done))
        } as Opened
      }
      #expect(try await store.read { try $0.timelines() }.isEmpty)
    }
  }

  @Test(
    "a branch that starts during the deletion of its parent is deleted, too",
    arguments: [false, true])
  func parentIsDeletedMeanwhile(isOneCommit: Bool) async throws {
    try await withStore(.small) { store in
      let parent = SampleTimeline(count: 40)
      let id = parent.header.timeline
      try await store.record(parent)
      let branch = try Branch(of: parent, start: 15, count: 0)
      let row = try await store.read { try $0.timeline(id).row }
      let shared = TimelineRow.Shared(row: row, start: 15, count: 15, t: 0, isKnown: true)
      let begin = { @Sendable (done: @escaping @Sendable (Result<Opened, StoreError>) -> Void) in
        store.submit(
          .open(
            branch.header, BranchRequest(parent: shared, computing: nil), isImport: false, done))
      }
      if !isOneCommit { _ = try await store.answer(begin) as Opened }
      // The change of a deletion whose family was read before the branch started.
      await #expect(throws: StoreError(.hasBranches(id, branches: []))) {
        try await store.answer { done in
          if isOneCommit { begin { _ in } }
          store.change(id, done: done) { live throws(StoreError) in
            [.delete(row: live.row, id, at: 0)]
          }
        } as Void
      }
      #expect(try await store.read { try $0.timelines() }.count == 2)
      // The deletion is repeated with the new family.
      #expect(try await store.delete(id, cascading: true) == [branch.header.timeline, id])
      #expect(try await store.read { try $0.timelines() }.isEmpty)
    }
  }

  @Test("a branch begins with a keyframe that says what changed")
  func demandsKeyframe() async throws {
    try await withStore(.small) { store in
      let parent = SampleTimeline(count: 10)
      try await store.record(parent)
      let branch = try Branch(of: parent, start: 4, count: 1)
      _ = try await store.createBranch(branch.header)
      for key in ["state", "patch"] {
        var draft = EntryDraft(branch.own[0])
        if key == "state" { draft.state = nil } else { draft.patch = nil }
        let batch = AppendBatch(branch.header.timeline, [try draft.entry()])
        await #expect(throws: StoreError.self, "without \(key)") { try await store.append(batch) }
      }
      _ = try await store.append(AppendBatch(branch.header.timeline, branch.own))
    }
  }

  @Test("a branch cannot start after its parent's end")
  func refusesBeyondEnd() async throws {
    try await withStore(.small) { store in
      let parent = SampleTimeline(count: 10)
      try await store.record(parent)
      let branch = try Branch(of: parent, start: 11, count: 0)
      await #expect(throws: StoreError(.noEntry(parent.header.timeline, seq: 10))) {
        try await store.createBranch(branch.header)
      }
    }
  }
}

/// A branch of a sample with entries that another run made.
struct Branch {
  let header: Header
  let own: [Entry]
  let whole: SampleTimeline

  init(of parent: SampleTimeline, start: Int, count: Int) throws {
    var generator = SeededGenerator(
      seed: UInt64(start * 1_000_000 + parent.entries.count * 1_000 + count))
    var fields = SampleTimeline.header(TimelineID.random(using: &generator)).fields
    fields.parent = Header.Parent(
      timeline: parent.header.timeline, through: Int64(parent.entries.count - 1),
      start: Int64(start), edits: EditScript([]))
    header = try Header(fields)
    let shared = parent.entries.prefix(start)
    var machine = SampleMachine(generator: generator)
    let time = shared.last?.t ?? 0
    own = try (0..<count).map { index in
      var draft = EntryDraft(machine.next())
      draft.seq += Int64(start)
      draft.t += time
      if index == 0, start > 0 {
        draft.event = Array("\"edited\"".utf8)[...]
        let before = try #require(try parent.timeline.state(at: Int64(start - 1)))
        let after = try JSON(parsing: Array(draft.state ?? []))
        draft.patch = Patch.difference(from: before, to: after).json.encoded()[...]
      }
      return try draft.entry()
    }
    whole = SampleTimeline(header: header, entries: shared + own)
  }
}
