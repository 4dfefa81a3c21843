import Foundation
import JSONCore
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

  @Test("keeps what is marked and what is being written, however old")
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
      try await store.settle()
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
      try await store.settle()
      // Sealing them one after the other tells which is older.
    }
    return samples
  }
}
