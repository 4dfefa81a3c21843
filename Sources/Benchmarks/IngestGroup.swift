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
        goal: .atLeast(0.5)),
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
      let bare = try await BareStore(in: daemon.folder + "/bare", header: IngestRecorder.header())
      let unchecked = try await BareStore(
        in: daemon.folder + "/unchecked", header: IngestRecorder.header(), checksPatches: false)
      var times = IngestTimes()
      var payments = PaymentsRun()
      // Alternating, so that a slow moment of the machine affects both.
      for round in 0..<rounds {
        let sent = IngestBatch.make(&payments, after: await recorder.last, count: batches)
        let ingested = try await recorder.send(sent)
        times.ingested.append(ingested.seconds)
        // The first of the two is slower, because the daemon still works in the background.
        if round.isMultiple(of: 2) {
          times.bare.append(try await bare.write(sent, commits: ingested.commits))
          times.unchecked.append(try await unchecked.write(sent, commits: ingested.commits))
        } else {
          times.unchecked.append(try await unchecked.write(sent, commits: ingested.commits))
          times.bare.append(try await bare.write(sent, commits: ingested.commits))
        }
      }
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

  /// The part of the time until the acknowledgment that checking patches takes.
  var patchCheckShare: Double {
    Measure.median(ingested.indices.map { (bare[$0] - unchecked[$0]) / ingested[$0] })
  }
}

/// A store that indexes nothing, written to without a socket.
private struct BareStore: Sendable {
  private let store: Store
  private let timeline: TimelineID

  init(in folder: String, header: Header, checksPatches: Bool = true) async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var options = StoreOptions()
    // Without room for a state, patches are not checked.
    if !checksPatches { options.shapeBytes = 0 }
    store = try Store(folder: folder, indexer: NoIndexer(), options: options)
    timeline = header.timeline
    _ = try await store.open(header)
  }

  /// Writes the sent entries in the same commits as the daemon; returns the seconds.
  ///
  /// The entries are parsed before, so that only writing is measured.
  func write(_ batches: [IngestBatch], commits: [Int64]) async throws -> Double {
    var groups: [AppendBatch] = []
    var entries: [Entry] = []
    var next = commits.makeIterator()
    var end = next.next()
    for batch in batches {
      for line in batch.lines {
        let entry = try Entry(reading: line)
        entries.append(entry)
        guard entry.seq == end else { continue }
        groups.append(AppendBatch(timeline, entries))
        entries = []
        end = next.next()
      }
    }
    guard entries.isEmpty else { throw BenchmarkError("entries were not acknowledged") }
    let clock = ContinuousClock()
    let start = clock.now
    for group in groups { _ = try await store.append(group) }
    return (clock.now - start) / .seconds(1)
  }

  func close() async { await store.close() }
}
