import DebugServer
import Foundation
import TimelineStore
import Timelines
import WebSockets

extension Group {
  /// Taking entries from a recorder until they are durable.
  static let ingest = Group(
    name: "ingest",
    summary: "entries of 150 bytes through a WebSocket, until they are acknowledged",
    metrics: [
      Metric("ingest.entries_per_s", "entries a second, durable, through a Unix socket"),
      Metric(
        "ingest.vs_store_limit",
        "of the rate at which the same batches go into SQLite without a socket and indexes",
        goal: .atLeast(0.5)),
      Metric("ingest.ack_p50_ms", "milliseconds from a single entry to its acknowledgement, median"),
      Metric("ingest.ack_p99_ms", "the same, 99th percentile"),
      Metric(
        "ingest.rss_mb", "megabytes that the daemon's process has at most, at ten million entries",
        goal: .atMost(64)),
    ]
  ) { measure in
    let total = measure.isQuick ? 100_000 : 10_000_000
    let looks = measure.isQuick ? 100 : 2_000
    let place = try IngestPlace()
    defer { place.remove() }
    let batches = measure.isQuick ? 4 : 40
    let daemon = try IngestDaemon(in: place)
    defer { daemon.end() }
    // In turns, so that a slow moment of the machine hits both.
    let (rate, limit, acks) = try blocking {
      let recorder = try await IngestRecorder.connect(to: daemon.socket)
      var (taken, bare) = ([Double](), [Double]())
      var payments = PaymentsRun()
      for round in 0..<(measure.isQuick ? 3 : 9) {
        let lines = try IngestBatch.make(&payments, count: batches)
        taken.append(try await recorder.seconds(for: lines))
        bare.append(try await BareStore.seconds(for: lines, in: place.folder + "/bare\(round)"))
      }
      let entries = Double(batches * IngestBatch.size)
      var acks: [Double] = []
      for _ in 0..<looks {
        acks.append(try await recorder.seconds(for: [IngestBatch(lines: [payments.nextLine()])]))
      }
      var sent = recorder.sent
      while sent < total {
        let lines = try IngestBatch.make(&payments, count: 100)
        _ = try await recorder.seconds(for: lines)
        sent = recorder.sent
      }
      await recorder.close()
      return (entries / Measure.median(taken), entries / Measure.median(bare), acks.sorted())
    }
    return [
      "ingest.entries_per_s": rate,
      "ingest.vs_store_limit": rate / limit,
      "ingest.ack_p50_ms": acks[acks.count / 2] * 1e3,
      "ingest.ack_p99_ms": acks[min(acks.count - 1, acks.count * 99 / 100)] * 1e3,
      "ingest.rss_mb": try daemon.peakMegabytes(),
    ]
  }
}
