import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

@Suite("A store")
struct StoreTests {
  @Test("gives back what was appended, from the tail and from chunks")
  func givesBack() async throws {
    try await withStore { store in
      let sample = SampleTimeline(count: 3_000)
      #expect(try await store.open(sample.header) == Opened(isNew: true, durable: nil))
      for start in stride(from: 0, to: 3_000, by: 100) {
        let batch = AppendBatch(sample.header.timeline, sample.entries[start..<start + 100])
        let appended = try await store.append(batch)
        #expect(appended == Appended(durable: Int64(start + 99), dropped: 0))
      }
      let id = sample.header.timeline
      let (lines, moments, record) = try await store.read { reader in
        let lineage = try reader.lineage(of: id)
        var lines: [String] = []
        try reader.forEachLine(of: lineage, in: 0...Int64.max) { _, line in
          lines.append(String(decoding: line, as: UTF8.self))
          return true
        }
        var moments: [Moment?] = []
        for seq in 0..<3_000 { moments.append(try reader.moment(of: lineage, at: Int64(seq))) }
        return (lines, moments, try reader.timeline(id))
      }
      #expect(lines == sample.entries.map(\.line.text))
      #expect(record.entries == 3_000)
      #expect(record.last == 2_999)
      var cursor = TimelineCursor(try sample.timeline)
      for seq in 0..<3_000 { #expect(moments[seq] == cursor.move(to: Int64(seq))) }
    }
  }
}
