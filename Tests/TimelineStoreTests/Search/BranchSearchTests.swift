import JSONCore
import Predicates
import Testing
import Timelines
import Wire

@testable import TimelineStore

@Suite("Searching a branch")
struct BranchSearchTests {
  @Test("finds shared entries and its own", arguments: [1, 90, 151])
  func findsBoth(start: Int) async throws {
    var options = StoreOptions()
    options.chunkBytes = 4 << 10
    try await withStore(options, indexer: TimelineIndexer()) { store in
      let parent = SampleTimeline(count: 200)
      _ = try await store.open(parent.header)
      for entry in parent.entries {
        _ = try await store.append(AppendBatch(parent.header.timeline, [entry]))
      }
      let branch = try Branch(of: parent, start: start, count: 120)
      _ = try await store.createBranch(branch.header)
      for entry in branch.own {
        _ = try await store.append(AppendBatch(branch.header.timeline, [entry]))
      }
      let whole = TangledTimeline(branch.whole)
      let id = branch.header.timeline
      for path in try ["/state/count", "/state/items/1/isDone", "/state/user"].map({
        try Pointer($0)
      }) {
        let naive = NaiveChanges(whole) { $0.value(at: path) }
        let back = try await store.changes(
          ChangesQuery(path: path, .before(.max), limit: .max - 1), of: id)
        #expect(back.changes == naive.changes.reversed(), "\(path), \(start)")
        let ahead = try await store.changes(
          ChangesQuery(path: path, .after(-1), limit: .max - 1), of: id)
        #expect(ahead.changes == naive.changes, "\(path), \(start)")
      }
      for text in ["event == \"tick\"", "state.count > 20", "event.remove.at >= 1"] {
        let predicate = try Predicate(text)
        let naive = try NaiveAnswers(whole, predicate).answers.filter { $0.answer == .yes }
        let ahead = try await store.find(FindQuery(predicate, from: 0, limit: .max), of: id)
        #expect(ahead.seqs == naive.map(\.seq), "\(text), \(start)")
        let back = try await store.find(
          FindQuery(predicate, from: .max, isBackward: true, limit: .max), of: id)
        #expect(back.seqs == naive.map(\.seq).reversed(), "\(text), \(start)")
      }
      let last = whole.entries.last?.seq ?? 0
      let counts = try await store.overview(
        OverviewQuery(from: 0, to: last, buckets: 7, by: .seq), of: id)
      #expect(counts.columns[0].reduce(0, +) == UInt32(whole.entries.count))
    }
  }
}
