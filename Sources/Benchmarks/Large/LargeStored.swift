import DebugServer
import Foundation
import JSONCore
import Predicates
import Timelines
import Wire

/// A daemon that has a recording of a large state.
enum LargeStored {
  static let metrics = [
    Metric("large.state_ms_100mb", "milliseconds to the state of 100 MB, cut as the page asks"),
    Metric("large.value_ms_100mb", "milliseconds to one value of it"),
    Metric("large.search_ms_100mb", "milliseconds to search its entries by a value"),
    Metric(
      "large.daemon_vs_state_100mb", "times the bytes of the state: the daemon's peak memory"),
    Metric("large.daemon_mb_100mb", "megabytes of that"),
  ]

  static func measure(_ file: String, megabytes: Int) throws -> [String: Double] {
    let daemon = try IngestDaemon()
    defer { daemon.end() }
    try daemon.importFile(file)
    return try blocking {
      let backend = try await SocketBackend.connect(to: daemon.socket)
      guard
        case .message(.timelines(let all)) = try await backend.ask(
          .timelines(FromInspector.Timelines())),
        let summary = all.timelines.first, let last = summary.last,
        let timeline = summary.header["timeline"]?.string.flatMap({ TimelineID($0) })
      else { throw BenchmarkError("debugd does not have the imported recording") }
      let predicate = try Predicate("state.revision >= 0")
      let path = try Pointer("/state/items/7/count")
      var times: [[Double]] = [[], [], []]
      for _ in 0..<3 {
        times[0].append(
          try await milliseconds(
            backend,
            .state(
              FromInspector.State {
                ($0.timeline, $0.seq, $0.depth, $0.bytes) = (timeline, last, 7, 131_072)
              })))
        times[1].append(
          try await milliseconds(
            backend,
            .state(
              FromInspector.State {
                ($0.timeline, $0.seq, $0.path) = (timeline, last, path)
              })))
        times[2].append(
          try await milliseconds(
            backend,
            .find(
              FromInspector.Find {
                ($0.timeline, $0.predicate, $0.limit) = (timeline, predicate, 10)
              })))
      }
      await backend.close()
      let peak = try daemon.peakMegabytes()
      return [
        "large.state_ms_100mb": Measure.median(times[0]),
        "large.value_ms_100mb": Measure.median(times[1]),
        "large.search_ms_100mb": Measure.median(times[2]),
        "large.daemon_vs_state_100mb": peak / Double(megabytes),
        "large.daemon_mb_100mb": peak,
      ]
    }
  }

  private static func milliseconds(
    _ backend: SocketBackend, _ request: FromInspector
  ) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    _ = try await backend.ask(request)
    return (clock.now - start) / .milliseconds(1)
  }
}
