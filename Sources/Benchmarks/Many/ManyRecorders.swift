import Timelines
import WebSockets

/// Recorders that send at the same time, each into its own timeline.
enum ManyRecorders {
  static let metrics = [
    Metric(
      "many.recorders_1000_vs_1",
      "times the entries a second of one recorder: 1,000 recorders at once, in batches of 100",
      goal: .atLeast(0.8)),
    Metric("many.recorders_1000_entries_per_s", "entries a second of all of them, durable"),
    Metric(
      "many.kb_per_recorder", "KB of the daemon for a connected recorder with an open timeline"),
  ]

  static func measure(isQuick: Bool) throws -> [String: Double] {
    let (count, batches, rounds) = isQuick ? (100, 2, 3) : (1_000, 5, 5)
    let daemon = try IngestDaemon()
    defer { daemon.end() }
    return try blocking {
      let loop = try Loop.start()
      let one = try await IngestRecorder.connect(to: daemon.socket, on: loop)
      // What only the first entries need is not counted for the other recorders.
      var payments = PaymentsRun()
      _ = try await one.send(
        IngestBatch.make(&payments, after: await one.last, count: 10, size: 100))
      try await daemon.finishWork()
      let before = try daemon.residentMegabytes()
      var recorders: [IngestRecorder] = []
      for _ in 0..<count {
        recorders.append(try await IngestRecorder.connect(to: daemon.socket, on: loop))
      }
      try await daemon.finishWork()
      let perRecorder = (try daemon.residentMegabytes() - before) * 1_024 / Double(count)
      var runs = [PaymentsRun](repeating: PaymentsRun(), count: count)
      var (ofMany, ofOne): ([Double], [Double]) = ([], [])
      for _ in 0..<rounds {
        ofMany.append(try await seconds(recorders, &runs, batches))
        let alone = IngestBatch.make(
          &payments, after: await one.last, count: batches * count, size: 100)
        ofOne.append(try await one.send(alone).seconds)
        try await daemon.finishWork()
      }
      for recorder in recorders + [one] { await recorder.close() }
      await loop.stop()
      let many = Measure.median(ofMany)
      return [
        "many.recorders_1000_vs_1": Measure.median(ofOne) / many,
        "many.recorders_1000_entries_per_s": Double(count * batches * 100) / many,
        "many.kb_per_recorder": perRecorder,
      ]
    }
  }

  /// The seconds until everything that all recorders send at once is durable.
  private static func seconds(
    _ recorders: [IngestRecorder], _ runs: inout [PaymentsRun], _ batches: Int
  ) async throws -> Double {
    var work: [(recorder: IngestRecorder, batches: [IngestBatch])] = []
    for (index, recorder) in recorders.enumerated() {
      let made = IngestBatch.make(
        &runs[index], after: await recorder.last, count: batches, size: 100)
      work.append((recorder, made))
    }
    let clock = ContinuousClock()
    let start = clock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (recorder, batches) in work {
        group.addTask { _ = try await recorder.send(batches) }
      }
      try await group.waitForAll()
    }
    return (clock.now - start) / .seconds(1)
  }
}
