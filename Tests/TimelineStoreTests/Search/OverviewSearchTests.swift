import TestSupport
import Testing
import Timelines
import Wire

@testable import TimelineStore

@Suite("Overviews")
struct OverviewSearchTests {
  @Test("show the first 64 lanes of a header, and count the rest in the last")
  func manyLanes() {
    let header = (0..<30_000).map { Header.Lane("e\($0)", in: "l\($0 / 2)") }
    let lanes = OverviewLanes(header, frequent: [])
    #expect(lanes.names == (0..<64).map { "l\($0)" } + ["other"])
    #expect(lanes.index(of: "e127") == 63)
    for name in ["e128", "e29999", "unknown"] { #expect(lanes.index(of: name) == lanes.other) }
  }

  @Test("count every entry in its bucket", arguments: [UInt64(41), 42])
  func counts(seed: UInt64) async throws {
    let timeline = TangledTimeline(count: 500, seed: seed)
    let end = timeline.entries.last?.t ?? 0
    try await withSearched(timeline) { store, id in
      var generator = SeededGenerator(seed: seed)
      for round in 0..<12 {
        let axis: TimelineAxis = round % 2 == 0 ? .seq : .t
        let top = axis == .seq ? timeline.entries.last?.seq ?? 0 : end
        let from = round < 4 ? 0 : Int64.random(in: 0...top, using: &generator)
        let to = round < 4 ? top : Int64.random(in: from...top + 50, using: &generator)
        let buckets = [1, 2, 3, 7, 40, 1_000][round % 6]
        let query = OverviewQuery(from: from, to: to, buckets: buckets, by: axis)
        let answer = try await store.overview(query, of: id)
        #expect(answer.lanes.count == 11 && answer.lanes.last == "other")
        var wanted = Array(
          repeating: [UInt32](repeating: 0, count: buckets), count: 5 + answer.lanes.count)
        for entry in timeline.entries {
          let x = axis == .seq ? entry.seq : entry.t
          guard x >= from, x <= to else { continue }
          let bucket = Int((x - from) * Int64(buckets) / (to - from + 1))
          wanted[0][bucket] += 1
          if entry.error != nil { wanted[1][bucket] += 1 }
          if let gap = entry.gap { wanted[2][bucket] += UInt32(gap.lost) }
          if entry.isKeyframe { wanted[3][bucket] += 1 }
          if entry.isThinned { wanted[4][bucket] += 1 }
          // Nothing happened at an entry without event, so that no lane shows it.
          guard entry.event != nil else { continue }
          let lane = answer.lanes.dropLast().firstIndex {
            $0.utf8.elementsEqual((entry.eventName ?? "").utf8) && entry.eventName != nil
          }
          wanted[5 + (lane ?? answer.lanes.count - 1)][bucket] += 1
        }
        #expect(answer.columns == wanted, "seed \(seed), \(query)")
      }
    }
  }

  @Test(
    "divide runs among buckets when they are too many to be looked into", arguments: [UInt64(45)])
  func divides(seed: UInt64) async throws {
    let timeline = TangledTimeline(count: 500, seed: seed)
    try await withSearched(timeline) { store, id in
      for (axis, top) in [
        (TimelineAxis.seq, timeline.entries.last?.seq ?? 0),
        (.t, timeline.entries.last?.t ?? 0),
      ] {
        for buckets in [3, 40, 300] {
          let query = OverviewQuery(from: 0, to: top, buckets: buckets, by: axis)
          let exact = try await store.overview(query, of: id)
          let rough = try await store.overview(query, of: id, exactRuns: 0)
          #expect(rough.lanes == exact.lanes)
          for (column, (ours, theirs)) in zip(rough.columns, exact.columns).enumerated() {
            var (sum, other) = (0, 0)
            for (one, two) in zip(ours, theirs) {
              (sum, other) = (sum + Int(one), other + Int(two))
              // The entry after a loss reports all lost entries.
              guard column != OverviewColumn.lost.rawValue else { continue }
              #expect(abs(sum - other) <= 60, "more than a run is out of place")
            }
            #expect(sum == other, "column \(column), \(query)")
          }
        }
      }
    }
  }

  @Test("buckets end where the formula says", arguments: [UInt64(43), 44])
  func buckets(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let from = Int64.random(in: 0...1_000, using: &generator)
      let to = Int64.random(in: from...from + 500, using: &generator)
      let count = Int.random(in: 1...60, using: &generator)
      let query = OverviewQuery(from: from, to: to, buckets: count, by: .seq)
      for x in from...to {
        let bucket = Int((x - from) * Int64(count) / (to - from + 1))
        #expect(query.bucket(of: x) == bucket)
        let last = (x...to).last { ($0 - from) * Int64(count) / (to - from + 1) == Int64(bucket) }
        #expect(query.end(ofBucketWith: x) == last)
      }
    }
    let all = OverviewQuery(from: 0, to: .max, buckets: 2, by: .t)
    #expect(all.bucket(of: 0) == 0)
    #expect(all.bucket(of: .max) == 1)
  }
}
