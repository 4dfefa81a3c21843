import Foundation
import JSONCore
import Predicates
import TimelineStore
import Timelines

/// The groups of `--huge`: a hundred million entries against ten million, in one run.
extension Group {
  static let hugeGroups: [Group] = [
    .hugeIngest, .hugeSeek, .hugeChanges, .hugeFind, .hugeStorage,
  ]

  private static let hugeIngest = Group(
    name: "ingest", summary: "a hundred million entries through a WebSocket",
    metrics: [
      Metric(
        "ingest.huge_last_vs_first",
        "entries a second of the last tenth, relative to the first", goal: .atLeast(0.9)),
      Metric("ingest.huge_entries_per_s", "entries a second of all of them, durable"),
      Metric("ingest.huge_rss_mb", "peak megabytes of the daemon", goal: .atMost(96)),
    ]
  ) { measure in
    let scale = HugeScale(measure)
    try scale.checkSpace(in: "/tmp")
    let daemon = try IngestDaemon()
    defer { daemon.end() }
    let tenths = try blocking {
      let recorder = try await IngestRecorder.connect(to: daemon.socket)
      var payments = PaymentsRun()
      var tenths: [Double] = []
      for _ in 0..<10 {
        var seconds = 0.0
        for _ in 0..<scale.short / 100_000 {
          let batches = IngestBatch.make(&payments, after: await recorder.last, count: 100)
          seconds += try await recorder.send(batches).seconds
        }
        tenths.append(seconds)
      }
      await recorder.close()
      return tenths
    }
    return [
      "ingest.huge_last_vs_first": tenths[0] / tenths[9],
      "ingest.huge_entries_per_s": Double(scale.long) / tenths.reduce(0, +),
      "ingest.huge_rss_mb": try daemon.peakMegabytes(),
    ]
  }

  private static let hugeSeek = Group(
    name: "seek", summary: "moments anywhere in a hundred million entries",
    metrics: [
      Metric(
        "seek.huge_p99_vs_10m", "times the 99th percentile with ten million", goal: .atMost(1.5)),
      Metric("seek.huge_p99_ms", "milliseconds to the state at a random entry, 99th percentile"),
      Metric("seek.huge_entries_p99_vs_10m", "the same for 100 lines", goal: .atMost(1.5)),
    ]
  ) { measure in
    var options = StoreOptions()
    (options.chunkCacheBytes, options.stateCacheBytes) = (0, 0)
    let looks = measure.isQuick ? 500 : 4_000
    let (long, short) = try StoredPayments.withHuge(HugeScale(measure), options: options) {
      long, short in
      var (ofLong, ofShort) = (SeekTimes(), SeekTimes())
      var generator = SeededGenerator(seed: 3)
      for _ in 0..<looks {
        try await ofLong.read(into: long, &generator)
        try await ofShort.read(into: short, &generator)
      }
      return (ofLong, ofShort)
    }
    return [
      "seek.huge_p99_vs_10m": long.states.quantile(0.99) / short.states.quantile(0.99),
      "seek.huge_p99_ms": long.states.quantile(0.99) * 1e3,
      "seek.huge_entries_p99_vs_10m":
        long.windows.quantile(0.99) / short.windows.quantile(0.99),
    ]
  }

  private static let hugeChanges = Group(
    name: "changes", summary: "the entries that changed a value, in a hundred million",
    metrics: [
      Metric(
        "changes.huge_p99_vs_10m", "times the 99th percentile with ten million",
        goal: .atMost(1.5)),
      Metric("changes.huge_p99_ms", "milliseconds for the last change of a value, p99"),
    ]
  ) { measure in
    let rounds = measure.isQuick ? 500 : 5_000
    let (long, short) = try StoredPayments.withHuge(HugeScale(measure)) { long, short in
      var (ofLong, ofShort) = (ChangesTimes(), ChangesTimes())
      var generator = SeededGenerator(seed: 17)
      for _ in 0..<rounds {
        try await ofLong.ask(long, isRare: false, &generator)
        try await ofShort.ask(short, isRare: false, &generator)
      }
      return (ofLong.often, ofShort.often)
    }
    return [
      "changes.huge_p99_vs_10m": long.quantile(0.99) / short.quantile(0.99),
      "changes.huge_p99_ms": long.quantile(0.99),
    ]
  }

  private static let hugeFind = Group(
    name: "find", summary: "searching for a number in a hundred million entries",
    metrics: [
      Metric(
        "find.huge_rate_vs_10m", "entries a second, relative to ten million",
        goal: .atLeast(0.9)),
      Metric("find.huge_entries_per_s", "entries a second"),
    ]
  ) { measure in
    let (long, short) = try StoredPayments.withHuge(HugeScale(measure)) { long, short in
      var rates: [Double] = []
      for payments in [short, long] {
        let predicate = try Predicate(
          "event.pay.amount >= \(StoredPayments.amountLimit / 1_000 * 999)")
        let query = FindQuery(predicate, from: 0, limit: .max)
        let clock = ContinuousClock()
        let start = clock.now
        let found = try await payments.store.find(query, of: payments.id)
        rates.append(Double(payments.count) / ((clock.now - start) / .seconds(1)))
        // About a thousandth.
        guard (payments.count / 2_000...payments.count / 500).contains(found.seqs.count) else {
          throw BenchmarkError("\(found.seqs.count) of \(payments.count) entries were found")
        }
      }
      return (rates[1], rates[0])
    }
    return ["find.huge_rate_vs_10m": long / short, "find.huge_entries_per_s": long]
  }

  private static let hugeStorage = Group(
    name: "storage", summary: "bytes on disk of a hundred million entries",
    metrics: [
      Metric("storage.huge_gb", "gigabytes of a database with 110 million entries"),
      Metric("storage.huge_bytes_per_entry", "bytes of it per entry", goal: .atMost(35)),
    ]
  ) { measure in
    let scale = HugeScale(measure)
    let used = try StoredPayments.withHuge(scale) { long, _ in
      Double(try await long.usedBytes())
    }
    return [
      "storage.huge_gb": used / 1e9,
      "storage.huge_bytes_per_entry": used / Double(scale.long + scale.short),
    ]
  }
}
