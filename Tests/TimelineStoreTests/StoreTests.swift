import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

@Suite("A store")
struct StoreTests {
  @Test("returns appended entries, from the tail and from chunks")
  func givesBack() async throws {
    try await withStore(.small) { store in
      let sample = SampleTimeline(count: 600)
      #expect(try await store.open(sample.header) == Opened(isNew: true, durable: nil))
      for start in stride(from: 0, to: 600, by: 20) {
        let batch = AppendBatch(sample.header.timeline, sample.entries[start..<start + 20])
        let appended = try await store.append(batch)
        #expect(appended == Appended(durable: Int64(start + 19), dropped: 0))
      }
      try await expectEqual(store, sample)
    }
  }

  @Test("returns the same after it was closed and opened again")
  func reopens() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 300)
      let first = try openStore(folder, options: .small)
      try await first.record(sample)
      await first.close()
      let second = try openStore(folder, options: .small)
      try await expectEqual(second, sample)
      let end = try #require(sample.entries.last)
      #expect(
        try await second.open(sample.header)
          == Opened(isNew: false, durable: 299, t: end.t, isStateKnown: !end.isThinned))
      await second.close()
      await #expect(throws: StoreError(.closed)) { try await second.open(sample.header) }
    }
  }

  @Test("distinguishes a missing timeline from an unreadable one", .onSQLite)
  func findsLast() async throws {
    try await withFolder { folder in
      let store = try openStore(folder, options: .small)
      let sample = SampleTimeline(count: 30)
      let id = sample.header.timeline
      try await store.record(sample)
      let last = try await store.read { try $0.lastSeq(of: id) }
      let strange = try await store.read { try $0.lastSeq(of: .random()) }
      #expect(last == 29)
      #expect(strange == nil)
      let database = try Database(path: folder + "/timelines.sqlite", access: .full)
      try database.execute("ALTER TABLE tail RENAME TO lost")
      await #expect(throws: StoreError.self) {
        try await store.read { try $0.lastSeq(of: id) }
      }
      await store.close()
    }
  }

  @Test("drops and counts entries that it already has")
  func dropsDuplicates() async throws {
    try await withStore(.small) { store in
      let sample = SampleTimeline(count: 50)
      let id = sample.header.timeline
      try await store.record(sample, through: 30)
      let again = try await store.append(AppendBatch(id, sample.entries[10..<50]))
      #expect(again == Appended(durable: 49, dropped: 20))
      let nothing = try await store.append(AppendBatch(id, sample.entries[0..<50]))
      #expect(nothing == Appended(durable: 49, dropped: 50))
      try await expectEqual(store, sample)
    }
  }

  @Test("refuses a batch whose entries cannot follow, whole")
  func refusesJumps() async throws {
    try await withStore { store in
      let sample = SampleTimeline(count: 20)
      let id = sample.header.timeline
      try await store.record(sample, through: 5)
      let refused = StoreError(.order(TimelineError(.skips(expected: 5), at: 8)))
      await #expect(throws: refused) {
        try await store.append(AppendBatch(id, sample.entries[8..<12]))
      }
      var draft = EntryDraft(sample.entries[5])
      draft.t = 0
      let backward = AppendBatch(id, [try draft.entry()])
      await #expect(throws: StoreError.self) { try await store.append(backward) }
      _ = try await store.append(AppendBatch(id, sample.entries[5...]))
      try await expectEqual(store, sample)
    }
  }

  @Test("requires a keyframe after a gap, and keeps the gap")
  func keepsGaps() async throws {
    try await withStore(.small) { store in
      let sample = SampleTimeline(count: 400, seed: 5, losses: 0.03, thinning: 0.05)
      try await store.record(sample)
      try await expectEqual(store, sample)
    }
  }

  @Test("reports missing entries")
  func answersAbsence() async throws {
    try await withStore { store in
      let sample = SampleTimeline(count: 5)
      let id = sample.header.timeline
      await #expect(throws: StoreError(.notFound(id))) {
        try await store.append(AppendBatch(id, sample.entries))
      }
      await #expect(throws: StoreError(.notFound(id))) {
        try await store.read { try $0.lineage(of: id) }
      }
      try await store.record(sample)
      let (beyond, negative) = try await store.read { reader in
        let lineage = try reader.lineage(of: id)
        return (try reader.moment(of: lineage, at: 5), try reader.moment(of: lineage, at: -1))
      }
      #expect(beyond == nil)
      #expect(negative == nil)
    }
  }

  @Test("reports losses after the last entry")
  func reportsLossAtEnd() async throws {
    try await withStore { store in
      let sample = SampleTimeline(count: 5)
      let id = sample.header.timeline
      try await store.record(sample)
      try await store.end(id, gap: Gap(lost: 3, why: "the app ended"))
      let moments = try await store.read { reader in
        let lineage = try reader.lineage(of: id)
        return try (4...8).map { try reader.moment(of: lineage, at: $0) }
      }
      let loss = Moment.lost(LostRange(5...7, why: "the app ended"))
      #expect(moments[0] != loss)
      #expect(Array(moments[1...3]) == [loss, loss, loss])
      #expect(moments[4] == nil)
    }
  }

  @Test("opens a timeline again under the same header, and refuses another one")
  func refusesConflicts() async throws {
    try await withStore { store in
      let sample = SampleTimeline(count: 1)
      _ = try await store.open(sample.header)
      #expect(try await store.open(sample.header).isNew == false)
      var fields = sample.header.fields
      fields.recorder = "2.0"
      let newer = try Header(fields)
      #expect(try await store.open(newer).isNew == false)
      let record = try await store.read { try $0.timeline(newer.timeline) }
      #expect(record.header == Array(newer.line.bytes))
      let other = SampleTimeline.header(sample.header.timeline, app: "Other")
      await #expect(throws: StoreError.self) { try await store.open(other) }
    }
  }

  @Test("acknowledges many recorders at once, each in its own order")
  func groupsCommits() async throws {
    try await withStore(.small) { store in
      let samples = (0..<8).map { SampleTimeline(count: 120, seed: UInt64($0)) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for sample in samples {
          group.addTask { try await store.record(sample, batch: 7) }
        }
        try await group.waitForAll()
      }
      for sample in samples { try await expectEqual(store, sample) }
    }
  }

  @Test("holds the rows that Python and zstd read", .onSQLite)
  func agreesWithPython() async throws {
    try await withFolder { folder in
      let store = try openStore(folder, options: .small)
      let samples = (0..<3).map { SampleTimeline(count: 200, seed: UInt64($0), losses: 0.02) }
      for sample in samples { try await store.record(sample) }
      try await store.waitForSealing()
      let answers = try PythonOracle.answers(
        of: "store_rows.py", to: ["\(folder)/timelines.sqlite \(folder)/lines"])
      let answer = try JSON(parsing: answers[0])
      #expect(answer["faults"] == [])
      #expect(answer["chunks"]?.int ?? 0 > 3)
      let expected = samples.sorted { $0.header.timeline.text < $1.header.timeline.text }
        .flatMap { $0.entries.map { $0.line.text + "\n" } }.joined()
      let found = try String(contentsOfFile: folder + "/lines", encoding: .utf8)
      #expect(found == expected)
      await store.close()
    }
  }

  @Test("reads a value of a keyframe without its siblings, with the same result")
  func readsValues() async throws {
    try await withStore(.small) { store in
      let sample = SampleTimeline(count: 100)
      let id = sample.header.timeline
      try await store.record(sample)
      for seq: Int64 in [0, 1, 50, 99] {
        for path in ["", "/state", "/state/user/name", "/state/none", "/outputs"] {
          let pointer = try Pointer(path)
          let value = try await store.read { reader in
            try reader.value(of: reader.lineage(of: id), at: seq, pointer)
          }
          let whole: JSON = [
            "state": try #require(try sample.timeline.state(at: seq)), "outputs": [:],
          ]
          #expect(value == .known(whole[pointer]))
        }
      }
    }
  }

  @Test("moves its log into the database while it is written", .onSQLite)
  func movesLog() async throws {
    try await withStore { store in
      let id = TimelineID.random()
      _ = try await store.open(SampleTimeline.header(id))
      let text = String(repeating: "x", count: 512 << 10)
      // Many times what the log may hold.
      for seq in 0..<80 {
        let line =
          seq == 0
          ? #"{"seq":0,"t":0,"state":{}}"#
          : #"{"seq":\#(seq),"t":0,"event":{"put":"\#(text)"},"patch":[]}"#
        _ = try await store.append(AppendBatch(id, [try Entry(reading: Array(line.utf8))]))
      }
      let size = { (name: String) -> Int in
        let path = store.folder + "/timelines.sqlite" + name
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      }
      #expect(try size("-wal") < 24 << 20)
      #expect(try size("") > 64 << 10)
    }
  }
}
