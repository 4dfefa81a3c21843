import Foundation
import Predicates
import TimelineStore
import Timelines

extension Group {
  /// Finds entries with a predicate that cannot use an index.
  static let find = Group(
    name: "find",
    summary: "searching for a number in the events of a million entries",
    metrics: [
      Metric(
        "find.vs_decompress",
        "speed of the search relative to decompressing the same chunks", goal: .atLeast(0.3)),
      Metric("find.entries_per_s", "entries a second"),
    ]
  ) { measure in
    let count = measure.isQuick ? 10_000 : 1_000_000
    let times = try StoredPayments.with(count: count) { payments in
      // True of one entry in a hundred, in every chunk.
      let predicate = try Predicate("event.pay.amount >= \(StoredPayments.amountLimit / 100 * 99)")
      let query = FindQuery(predicate, from: 0, limit: .max)
      let id = payments.id
      // Both sides only read chunks.
      try await payments.seal()
      let packed = try await payments.store.read { try $0.packedChunks(of: id) }
      let clock = ContinuousClock()
      var times: [[Double]] = [[], []]
      for _ in 0..<(measure.isQuick ? 15 : 7) {
        var start = clock.now
        let unpacked = packed.unpacked()
        times[0].append(seconds(clock.now - start))
        start = clock.now
        let found = try await payments.store.find(query, of: id)
        times[1].append(seconds(clock.now - start))
        // About a hundredth.
        guard unpacked > 0, (count / 200...count / 50).contains(found.seqs.count) else {
          throw BenchmarkError("\(found.seqs.count) of \(count) entries were found")
        }
      }
      return times
    }
    // The fastest rounds, because other programs on the machine can only slow one down.
    let (unpack, find) = (times[0].min() ?? .nan, times[1].min() ?? .nan)
    return ["find.vs_decompress": unpack / find, "find.entries_per_s": Double(count) / find]
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }
}
