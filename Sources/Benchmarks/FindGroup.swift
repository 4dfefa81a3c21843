import Foundation
import Predicates
import TimelineStore
import Timelines

extension Group {
  /// Finds entries with predicates that cannot use an index.
  static let find = Group(
    name: "find",
    summary: "searching a million entries for a number in their events, and for a text anywhere",
    metrics: [
      Metric(
        "find.vs_decompress",
        "speed of the search relative to decompressing the same chunks", goal: .atLeast(0.3)),
      Metric("find.entries_per_s", "entries a second"),
      Metric(
        "find.anywhere_vs_path",
        "times the processor time of a search for the same text in one path of the state",
        goal: .atMost(1.5)),
      Metric(
        "find.anywhere_entries_per_s",
        "entries a second of processor time that are searched everywhere"),
    ]
  ) { measure in
    let count = measure.isQuick ? 10_000 : 1_000_000
    return try StoredPayments.with(count: count) { payments in
      // All of them only read chunks.
      try await payments.seal()
      var results = try await payments.numberSearch(rounds: measure.isQuick ? 15 : 7)
      results.merge(try await payments.textSearch(rounds: measure.isQuick ? 9 : 3)) { $1 }
      return results
    }
  }
}

extension StoredPayments {
  /// Searches the events for a number, next to decompressing the chunks.
  fileprivate func numberSearch(rounds: Int) async throws -> [String: Double] {
    // True of one entry in a hundred, in every chunk.
    let predicate = try Predicates.Predicate("event.pay.amount >= \(Self.amountLimit / 100 * 99)")
    let packed = try await store.read { try $0.packedChunks(of: id) }
    let clock = ContinuousClock()
    var times: [[Double]] = [[], []]
    for _ in 0..<rounds {
      let start = clock.now
      let unpacked = packed.unpacked()
      times[0].append(Self.seconds(clock.now - start))
      let found = try await search(predicate)
      times[1].append(found.seconds)
      // About a hundredth.
      guard unpacked > 0, (count / 200...count / 50).contains(found.count) else {
        throw BenchmarkError("\(found.count) of \(count) entries were found")
      }
    }
    // The fastest rounds, because other programs on the machine can only slow one down.
    let (unpack, find) = (times[0].min() ?? .nan, times[1].min() ?? .nan)
    return ["find.vs_decompress": unpack / find, "find.entries_per_s": Double(count) / find]
  }

  /// Searches everything for a text that is nowhere, next to one path of the state.
  fileprivate func textSearch(rounds: Int) async throws -> [String: Double] {
    let text = "zzz4711"
    let anywhere = try Predicates.Predicate("anywhere contains \"\(text)\"")
    let path = try Predicates.Predicate("state.accounts[3].owner contains \"\(text)\"")
    var times: [[Double]] = [[], []]
    for round in 0..<rounds {
      let sides = [path, anywhere].enumerated()
      for (side, predicate) in round.isMultiple(of: 2) ? Array(sides) : sides.reversed() {
        let found = try await search(predicate)
        guard found.count == 0 else { throw BenchmarkError("\(text) was found") }
        times[side].append(found.work)
      }
    }
    let (one, all) = (times[0].min() ?? .nan, times[1].min() ?? .nan)
    return [
      "find.anywhere_vs_path": all / one, "find.anywhere_entries_per_s": Double(count) / all,
    ]
  }

  /// The number of entries where a predicate holds, how long the search took, and its processor time.
  private func search(
    _ predicate: Predicates.Predicate
  ) async throws -> (count: Int, seconds: Double, work: Double) {
    let clock = ContinuousClock()
    let (start, before) = (clock.now, ProcessorClock.seconds())
    var count = 0
    var next: Int64? = 0
    while let from = next {
      let found = try await store.find(FindQuery(predicate, from: from, limit: .max), of: id)
      count += found.seqs.count
      next = found.next
    }
    return (count, Self.seconds(clock.now - start), ProcessorClock.seconds() - before)
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }
}
