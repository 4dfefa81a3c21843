import DebugServer
import Foundation
import JSONCore
import Predicates
import TimelineStore
import Timelines
import Wire

/// A daemon with very many timelines.
enum ManyTimelines {
  static let metrics = [
    Metric("many.start_ms_100k", "milliseconds until debugd with 100,000 timelines listens"),
    Metric("many.list_p99_ms_100k", "milliseconds for the list of them, p99"),
    Metric("many.list_us_per_timeline", "µs of that per timeline, median"),
    Metric(
      "many.list_growth", "times that of a thousand timelines, per timeline", goal: .atMost(1.5)),
    Metric("many.named_p99_ms_100k", "milliseconds to find the one with a name, p99"),
    Metric("many.search_p99_ms_100k", "milliseconds to search one of them, p99"),
    Metric(
      "many.search_growth", "times the median with a thousand timelines", goal: .atMost(1.5)),
    Metric(
      "many.watch_p99_ms_100k",
      "milliseconds from a recorder's new timeline to its line in a watched list, p99"),
    Metric("many.watch_growth", "times the median with a thousand timelines", goal: .atMost(1.5)),
    Metric("many.rss_mb_100k", "peak megabytes of the daemon after all of this"),
  ]

  static func measure(isQuick: Bool) throws -> [String: Double] {
    let few = try ManyTimelinesRun.measure(count: isQuick ? 100 : 1_000, isQuick: isQuick)
    let many = try ManyTimelinesRun.measure(count: isQuick ? 1_000 : 100_000, isQuick: isQuick)
    return [
      "many.start_ms_100k": many.start,
      "many.list_p99_ms_100k": many.lists.quantile(0.99),
      "many.list_us_per_timeline": many.lists.quantile(0.5) / Double(many.count) * 1e3,
      "many.list_growth": many.lists.quantile(0.5) / Double(many.count)
        / (few.lists.quantile(0.5) / Double(few.count)),
      "many.named_p99_ms_100k": many.names.quantile(0.99),
      "many.search_p99_ms_100k": many.searches.quantile(0.99),
      "many.search_growth": many.searches.quantile(0.5) / few.searches.quantile(0.5),
      "many.watch_p99_ms_100k": many.watches.quantile(0.99),
      "many.watch_growth": many.watches.quantile(0.5) / few.watches.quantile(0.5),
      "many.rss_mb_100k": many.peak,
    ]
  }
}

/// The milliseconds of requests to a daemon with a number of timelines.
private struct ManyTimelinesRun: Sendable {
  let count: Int
  private(set) var start = 0.0
  private(set) var lists: [Double] = []
  private(set) var names: [Double] = []
  private(set) var searches: [Double] = []
  private(set) var watches: [Double] = []
  private(set) var peak = 0.0

  private init(count: Int) {
    self.count = count
  }

  /// Starts a daemon with short timelines, and asks it.
  static func measure(count: Int, isQuick: Bool) throws -> ManyTimelinesRun {
    try blocking {
      let folder = "/tmp/many-\(UInt32.random(in: .min ... .max))"
      let timelines = try await fill(folder, count)
      var run = ManyTimelinesRun(count: count)
      let clock = ContinuousClock()
      let before = clock.now
      let daemon = try IngestDaemon(folder: folder)
      run.start = (clock.now - before) / .milliseconds(1)
      defer { daemon.end() }
      let backend = try await SocketBackend.connect(to: daemon.socket)
      for _ in 0..<(isQuick ? 5 : 30) { run.lists.append(try await list(backend, count)) }
      for number in 0..<(isQuick ? 5 : 100) {
        run.names.append(try await find(backend, named: "bank \(number * 7 % count)"))
      }
      var generator = SeededGenerator(seed: 11)
      for _ in 0..<(isQuick ? 20 : 1_000) {
        guard let timeline = timelines.randomElement(using: &generator) else { break }
        run.searches.append(try await search(backend, timeline))
      }
      try await run.watch(daemon, backend, isQuick ? 10 : 300)
      run.peak = try daemon.peakMegabytes()
      await backend.close()
      return run
    }
  }

  /// Records short timelines, three entries each.
  ///
  /// Hundreds at a time share each commit; one after the other, they would wait for the disk
  /// 300,000 times.
  private static func fill(_ folder: String, _ count: Int) async throws -> [TimelineID] {
    let store = try Store(folder: folder, indexer: TimelineIndexer())
    var timelines: [TimelineID] = []
    for first in stride(from: 0, to: count, by: 500) {
      let headers = try (first..<min(first + 500, count)).map(header)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for header in headers {
          group.addTask { try await record(header, in: store) }
        }
        try await group.waitForAll()
      }
      timelines += headers.map(\.timeline)
    }
    await store.close()
    return timelines
  }

  private static func header(_ number: Int) throws -> Header {
    try Header(
      Header.Fields(
        timeline: .random(), app: Header.App(name: "App \(number % 10)"),
        machine: Header.Machine(type: "Payments.Bank", name: "bank \(number)"),
        started: Timestamp(microseconds: 1_777_000_000_000_000 + Int64(number))))
  }

  private static func record(_ header: Header, in store: Store) async throws {
    _ = try await store.open(header)
    var payments = PaymentsRun(accounts: 2)
    let entries = try (0..<3).map { _ in try Entry(reading: payments.nextLine()) }
    _ = try await store.append(AppendBatch(header.timeline, entries))
    try await store.end(header.timeline)
  }

  /// Adds the times from a new timeline to the message about it.
  private mutating func watch(
    _ daemon: IngestDaemon, _ backend: SocketBackend, _ times: Int
  ) async throws {
    let news = await backend.news()
    _ = try await backend.ask(.watch(FromInspector.Watch()))
    let recorder = try await IngestRecorder.connect(to: daemon.socket)
    for _ in 0..<times {
      let clock = ContinuousClock()
      let start = clock.now
      let timeline = try await recorder.openAnother()
      for await message in news {
        guard case .timeline(let changed) = message,
          changed.timeline.header["timeline"]?.string == timeline.text
        else { continue }
        watches.append((clock.now - start) / .milliseconds(1))
        break
      }
      await recorder.close(timeline)
    }
    await recorder.close()
  }
}

/// The milliseconds for the list of all timelines.
private func list(_ backend: SocketBackend, _ count: Int) async throws -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  guard
    case .message(.timelines(let all)) = try await backend.ask(
      .timelines(FromInspector.Timelines())),
    all.timelines.count == count
  else { throw BenchmarkError("debugd does not list all timelines") }
  return (clock.now - start) / .milliseconds(1)
}

/// The milliseconds to find a timeline by its name, as a command does.
private func find(_ backend: SocketBackend, named name: String) async throws -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  guard
    case .message(.timelines(let found)) = try await backend.ask(
      .timelines(FromInspector.Timelines { $0.named = name })),
    found.timelines.count == 1
  else { throw BenchmarkError("debugd does not find a timeline by its name") }
  return (clock.now - start) / .milliseconds(1)
}

/// The milliseconds to find an entry by a number in its event.
private func search(_ backend: SocketBackend, _ timeline: TimelineID) async throws -> Double {
  let predicate = try Predicate("event.pay.amount >= 0")
  let clock = ContinuousClock()
  let start = clock.now
  guard
    case .message(.find(let found)) = try await backend.ask(
      .find(
        FromInspector.Find {
          $0.timeline = timeline
          $0.predicate = predicate
          $0.limit = 10
        })),
    found.seqs.count == 2
  else { throw BenchmarkError("debugd does not find the entries") }
  return (clock.now - start) / .milliseconds(1)
}
