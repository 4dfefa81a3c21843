import Foundation
import TimelineStore
import Timelines

extension Group {
  /// Receives entries from a recorder until they are durable.
  static let ingest = Group(
    name: "ingest",
    summary: "entries of 150 bytes through a WebSocket, until they are acknowledged",
    metrics: [
      Metric("ingest.entries_per_s", "entries a second, durable, through a Unix socket"),
      Metric(
        "ingest.vs_store_limit",
        "of the rate of the same commits into the store, without a socket and indexes",
        goal: .atLeast(0.6)),
      Metric(
        "ingest.cpu_vs_store",
        "times the processor time of the same commits into the store, without a socket and indexes",
        goal: .atMost(1.5)),
      Metric("ingest.cpu_us", "µs of the daemon's processor time per entry"),
      Metric(
        "ingest.patch_check_share",
        "of the time until entries are acknowledged: checking that their patches apply",
        goal: .atMost(0.05)),
      Metric("ingest.ack_p50_ms", "milliseconds from one entry to its acknowledgement, median"),
      Metric("ingest.ack_p99_ms", "the same, 99th percentile"),
      Metric(
        "ingest.rss_mb", "megabytes of the daemon's process at ten million entries",
        goal: .atMost(64)),
    ]
  ) { measure in
    let total: Int64 = measure.isQuick ? 100_000 : 10_000_000
    let looks = measure.isQuick ? 20 : 2_000
    let batches = measure.isQuick ? 5 : 100
    let rounds = measure.isQuick ? 3 : 9
    let daemon = try IngestDaemon()
    defer { daemon.end() }
    let times = try blocking {
      let recorder = try await IngestRecorder.connect(to: daemon.socket)
      let header = try IngestRecorder.header(.random())
      let bare = try await BareStore(in: daemon.folder + "/bare", header: header)
      let unchecked = try await BareStore(
        in: daemon.folder + "/unchecked", header: header, checksPatches: false)
      var times = IngestTimes()
      var payments = PaymentsRun()
      let before = try daemon.processorSeconds()
      // Alternating, so that a slow moment of the machine affects both. Each side starts when the
      // others have finished their work in the background.
      for round in 0..<rounds {
        let sent = IngestBatch.make(&payments, after: await recorder.last, count: batches)
        let ingested = try await recorder.send(sent)
        times.ingested.append(ingested.seconds)
        try await daemon.finishWork()
        let order = round.isMultiple(of: 2) ? [bare, unchecked] : [unchecked, bare]
        for store in order {
          let written = try await store.write(sent, commits: ingested.commits)
          if store.checksPatches {
            times.bare.append(written.seconds)
            times.storeProcessor += written.processorSeconds
          } else {
            times.unchecked.append(written.seconds)
          }
        }
      }
      times.daemonProcessor = try daemon.processorSeconds() - before
      await bare.close()
      await unchecked.close()
      for _ in 0..<looks {
        let one = IngestBatch([payments.nextLine()], first: await recorder.last + 1)
        times.acks.append(try await recorder.send([one]).seconds)
      }
      while await recorder.last + 1 < total {
        let rest = IngestBatch.make(&payments, after: await recorder.last, count: 100)
        _ = try await recorder.send(rest)
      }
      await recorder.close()
      return times
    }
    let entries = Double(batches * IngestBatch.size)
    let acks = times.acks.sorted()
    return [
      "ingest.entries_per_s": entries / Measure.median(times.ingested),
      "ingest.vs_store_limit": Measure.median(times.bare) / Measure.median(times.ingested),
      "ingest.cpu_vs_store": times.daemonProcessor / times.storeProcessor,
      "ingest.cpu_us": times.daemonProcessor / Double(rounds) / entries * 1e6,
      "ingest.patch_check_share": times.patchCheckShare,
      "ingest.ack_p50_ms": acks[acks.count / 2] * 1e3,
      "ingest.ack_p99_ms": acks[acks.count * 99 / 100] * 1e3,
      "ingest.rss_mb": try daemon.peakMegabytes(),
    ]
  }
}

/// The seconds of rounds, and of single entries.
private struct IngestTimes: Sendable {
  var ingested: [Double] = []
  var bare: [Double] = []
  var unchecked: [Double] = []
  var acks: [Double] = []
  /// The processor seconds of the daemon and of the store, in all rounds.
  var (daemonProcessor, storeProcessor) = (0.0, 0.0)

  /// The part of the time until the acknowledgment that checking patches takes.
  var patchCheckShare: Double {
    Measure.median(ingested.indices.map { (bare[$0] - unchecked[$0]) / ingested[$0] })
  }
}
