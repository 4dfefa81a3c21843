import TimelineStore
import Timelines

extension Group {
  /// Reads moments and windows anywhere in a long timeline.
  static let seek = Group(
    name: "seek",
    summary: "moments and windows anywhere in ten million entries",
    metrics: [
      Metric("seek.p50_ms_10m", "milliseconds to the state at a random entry, median"),
      Metric("seek.p99_ms_10m", "the same, 99th percentile", goal: .atMost(5)),
      Metric(
        "seek.growth", "the median relative to that of 10,000 entries", goal: .atMost(1.5)),
      Metric("seek.entries_p50_ms_10m", "milliseconds to 100 lines at a random entry, median"),
      Metric("seek.entries_p99_ms_10m", "the same, 99th percentile", goal: .atMost(5)),
      Metric(
        "seek.entries_growth", "the median relative to that of 10,000 entries", goal: .atMost(1.5)),
    ]
  ) { measure in
    let count = measure.isQuick ? 100_000 : 10_000_000
    let looks = measure.isQuick ? 500 : 4_000
    // No cache: it would hold a short timeline completely, and the growth would only depend on the
    // size of the cache.
    var options = StoreOptions()
    (options.chunkCacheBytes, options.stateCacheBytes) = (0, 0)
    let (long, short) = try StoredPayments.with(count: count, options: options) { long in
      let short = StoredPayments(store: long.store, id: TimelineID.random(), count: 10_000)
      try await short.fill()
      // Alternating, so that a slow moment of the machine affects both.
      var (longTimes, shortTimes) = (SeekTimes(), SeekTimes())
      var generator = SeededGenerator(seed: 3)
      for _ in 0..<looks {
        try await longTimes.read(into: long, &generator)
        try await shortTimes.read(into: short, &generator)
      }
      try await short.store.delete(short.id)
      return (longTimes, shortTimes)
    }
    return [
      "seek.p50_ms_10m": long.states.quantile(0.5) * 1e3,
      "seek.p99_ms_10m": long.states.quantile(0.99) * 1e3,
      "seek.growth": long.states.quantile(0.5) / short.states.quantile(0.5),
      "seek.entries_p50_ms_10m": long.windows.quantile(0.5) * 1e3,
      "seek.entries_p99_ms_10m": long.windows.quantile(0.99) * 1e3,
      "seek.entries_growth": long.windows.quantile(0.5) / short.windows.quantile(0.5),
    ]
  }
}

/// The seconds of reads.
struct SeekTimes: Sendable {
  var states: [Double] = []
  var windows: [Double] = []

  /// Reads a state and a window at different places, so that neither uses a chunk that the other has
  /// decompressed.
  mutating func read(
    into payments: StoredPayments, _ generator: inout SeededGenerator
  ) async throws {
    let id = payments.id
    let seq = Int64.random(in: 0..<Int64(payments.count), using: &generator)
    let clock = ContinuousClock()
    var start = clock.now
    let isKnown = try await payments.store.read { reader in
      try reader.moment(of: reader.lineage(of: id), at: seq)?.state != nil
    }
    states.append((clock.now - start).seconds)
    guard isKnown else { throw BenchmarkError("the state at \(seq) is not known") }
    let from = Int64.random(in: 0..<Int64(payments.count - 100), using: &generator)
    start = clock.now
    let lines = try await payments.store.read { reader in
      var lines = 0
      try reader.forEachLine(of: reader.lineage(of: id), in: from...from + 99) { _, _ in
        lines += 1
        return true
      }
      return lines
    }
    windows.append((clock.now - start).seconds)
    guard lines == 100 else { throw BenchmarkError("\(lines) lines at \(from)") }
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
