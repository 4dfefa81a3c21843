import JSONCore
import TestSupport
import Testing
import Timelines
import Wire

@testable import TimelineStore

@Suite("Copies of timelines")
struct CopyTests {
  @Test("have the original's sealed chunks byte by byte, and its tail", arguments: [0, 1, 40, 400])
  func unchanged(count: Int) async throws {
    try await withFolder { folder in
      let (store, copy) = try Self.stores(folder)
      let sample = SampleTimeline(count: count, losses: 0.02, thinning: 0.02)
      let id = sample.header.timeline
      try await store.record(sample)
      try await store.waitForSealing()
      try await copy.beginCopy(sample.header, shares: false)
      let runs = try await store.runs(of: id)
      _ = try await copy.adopt(runs, into: id)
      try await expectEqual(copy, sample)
      #expect(try await copy.runs(of: id) == runs)
      let chunks = try await store.read { try $0.packedChunks(of: id) }.frames.map(\.bytes)
      #expect(runs.map(\.frame).starts(with: chunks))
      #expect(count < 400 || chunks.count > 3)
      #expect(try await copy.check(thorough: true).findings == [])
      await store.close()
      await copy.close()
    }
  }

  @Test("continue in the middle of what the original has sealed since")
  func grows() async throws {
    try await withFolder { folder in
      let (store, copy) = try Self.stores(folder)
      let sample = SampleTimeline(count: 300)
      let id = sample.header.timeline
      try await copy.beginCopy(sample.header, shares: false)
      for count in [7, 55, 56, 290, 300] {
        try await store.record(sample, through: count)
        let last = try await copy.read { try $0.ownExtent(of: id)?.last }
        _ = try await copy.adopt(try await store.runs(of: id, after: last), into: id)
        #expect(try await copy.lines(of: id) == sample.entries.prefix(count).map(\.line.text))
      }
      try await expectEqual(copy, sample)
      #expect(try await copy.check(thorough: true).findings == [])
      await store.close()
      await copy.close()
    }
  }

  @Test("of branches share their parent's entries, and need the parent first")
  func branches() async throws {
    try await withFolder { folder in
      let (store, copy) = try Self.stores(folder)
      let parent = SampleTimeline(count: 200)
      let branch = try Branch(of: parent, start: 90, count: 60)
      let id = branch.header.timeline
      try await store.record(parent)
      _ = try await store.createBranch(branch.header)
      _ = try await store.append(AppendBatch(id, branch.own))
      await #expect(throws: StoreError(.notFound(parent.header.timeline))) {
        try await copy.beginCopy(branch.header, shares: true)
      }
      try await copy.beginCopy(parent.header, shares: false)
      await #expect(throws: StoreError(.noEntry(parent.header.timeline, seq: 89))) {
        try await copy.beginCopy(branch.header, shares: true)
      }
      for header in [parent.header, branch.header] {
        try await copy.beginCopy(header, shares: header.parent != nil)
        let runs = try await store.runs(of: header.timeline)
        _ = try await copy.adopt(runs, into: header.timeline)
      }
      try await expectEqual(copy, parent)
      try await expectEqual(copy, branch.whole)
      await store.close()
      await copy.close()
    }
  }

  @Test("survive a restart between any two chunks, and refuse a chunk that was stored before")
  func restarts() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 200)
      let id = sample.header.timeline
      let store = try openStore(folder + "/a", options: .small)
      try await store.record(sample)
      let runs = try await store.runs(of: id)
      await store.close()
      for run in runs {
        let copy = try openStore(folder + "/b", options: .small)
        try await copy.beginCopy(sample.header, shares: false)
        #expect(try await copy.adopt([run], into: id) == run.last)
        await #expect(throws: StoreError.self) { try await copy.adopt([run], into: id) }
        await copy.close()
      }
      let copy = try openStore(folder + "/b", options: .small)
      try await expectEqual(copy, sample)
      await copy.close()
    }
  }

  @Test("of a timeline that a recorder is writing there are refused")
  func recorded() async throws {
    try await withFolder { folder in
      let (store, copy) = try Self.stores(folder)
      let sample = SampleTimeline(count: 100)
      let id = sample.header.timeline
      try await store.record(sample)
      try await copy.record(sample, through: 3)
      let rest = try await store.runs(of: id, after: 2)
      let why = "a recorder wrote it there, and has not ended it"
      await #expect(throws: StoreError(.conflict(id, why: why))) {
        try await copy.adopt(rest, into: id)
      }
      await store.close()
      await copy.close()
    }
  }

  @Test("are compared in the entries that both have, without a first one that was rewritten")
  func extents() {
    let whole = OwnExtent(first: 0, last: 10)
    #expect(whole.compared(with: OwnExtent(first: 0, last: 4)) == 0...4)
    #expect(whole.compared(with: OwnExtent(first: 3, last: 20)) == 4...10)
    #expect(OwnExtent(first: 3, last: 20).compared(with: whole) == 4...10)
    #expect(whole.compared(with: OwnExtent(first: 10, last: 20)) == nil)
    #expect(whole.compared(with: OwnExtent(first: 11, last: 20)) == nil)
  }

  @Test("get marks, a name, and an end only where they have none")
  func completes() async throws {
    try await withStore(.small) { store in
      let sample = SampleTimeline(count: 30)
      let id = sample.header.timeline
      try await store.record(sample)
      try await store.mark(id, at: 3, "mine")
      var extras = CopyExtras()
      extras.marks = [.init(seq: 3, text: "theirs"), .init(seq: 4, text: "new")]
      extras.name = "first"
      extras.isClosed = true
      extras.lostAtEnd = Gap(lost: 2, why: "killed")
      try await store.finishCopy(id, extras)
      extras.name = "second"
      try await store.finishCopy(id, extras)
      let record = try await store.read { try $0.timeline(id) }
      #expect(record.marks.map(\.text) == ["mine", "new"])
      #expect(record.name == "first" && record.isClosed)
      #expect(record.lostAtEnd == extras.lostAtEnd)
      extras.marks = [.init(seq: 30, text: "beyond")]
      await #expect(throws: StoreError(.noEntry(id, seq: 30))) {
        try await store.finishCopy(id, extras)
      }
    }
  }

  static func stores(_ folder: String) throws -> (Store, Store) {
    (
      try openStore(folder + "/a", options: .small),
      try openStore(folder + "/b", options: .small)
    )
  }
}

extension Store {
  /// The own entries of a timeline as they travel.
  nonisolated func runs(of id: TimelineID, after seq: Int64? = nil) async throws -> [PackedRun] {
    var runs: [PackedRun] = []
    while true {
      let after = runs.last?.last ?? seq
      guard let run = try await read({ try $0.packedRun(of: id, after: after) }) else {
        return runs
      }
      runs.append(run)
    }
  }
}
