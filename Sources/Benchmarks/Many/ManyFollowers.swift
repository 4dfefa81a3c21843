import Foundation
import Synchronization
import Timelines
import WebSockets

/// Inspectors that follow one machine.
enum ManyFollowers {
  static let metrics = [
    Metric(
      "many.followers_100_lag_vs_1",
      "times the lag of one inspector, p95: 100 follow one machine at 1,000 events a second",
      goal: .atMost(3)),
    Metric(
      "many.followers_100_lag_p95_ms",
      "milliseconds from sending an event until an inspector has its entry, p95"),
    Metric(
      "many.followers_100_cpu_vs_1", "times the processor time of the daemon with one inspector"),
  ]

  static func measure(isQuick: Bool) throws -> [String: Double] {
    let (rounds, ticks) = isQuick ? (1, 100) : (3, 500)
    let daemon = try IngestDaemon()
    defer { daemon.end() }
    return try blocking {
      let loop = try Loop.start()
      let recorder = try await IngestRecorder.connect(to: daemon.socket, on: loop)
      var payments = PaymentsRun()
      var one = FollowedRun(), many = FollowedRun()
      for _ in 0..<rounds {
        try await one.add(1, ticks, daemon, recorder, &payments, loop)
        try await many.add(100, ticks, daemon, recorder, &payments, loop)
      }
      await recorder.close()
      await loop.stop()
      return [
        "many.followers_100_lag_vs_1": many.lags.quantile(0.95) / one.lags.quantile(0.95),
        "many.followers_100_lag_p95_ms": many.lags.quantile(0.95) * 1e3,
        "many.followers_100_cpu_vs_1": many.processorSeconds / one.processorSeconds,
      ]
    }
  }
}

/// The lags of entries at some inspectors.
private struct FollowedRun {
  private(set) var lags: [Double] = []
  /// Of the daemon.
  private(set) var processorSeconds = 0.0

  /// Sends ten events every ten milliseconds while inspectors follow.
  mutating func add(
    _ count: Int, _ ticks: Int, _ daemon: IngestDaemon, _ recorder: IngestRecorder,
    _ payments: inout PaymentsRun, _ loop: Loop
  ) async throws {
    // The timeline needs an entry before it can be followed.
    let before = IngestBatch.make(&payments, after: await recorder.last, count: 1, size: 10)
    _ = try await recorder.send(before)
    var followers: [Follower] = []
    for _ in 0..<count {
      followers.append(
        try await Follower.connect(to: daemon.socket, timeline: recorder.timeline, on: loop))
    }
    let first = await recorder.last + 1
    let processorStart = try daemon.processorSeconds()
    var sent: [ContinuousClock.Instant] = []
    let clock = ContinuousClock()
    var next = clock.now
    for _ in 0..<ticks {
      let batch = IngestBatch.make(&payments, after: await recorder.last, count: 1, size: 10)
      sent += [ContinuousClock.Instant](repeating: clock.now, count: 10)
      _ = try await recorder.send(batch)
      next += .milliseconds(10)
      try await clock.sleep(until: next)
    }
    let last = await recorder.last
    for follower in followers {
      let arrivals = try await follower.arrivals(through: last)
      var seen = first
      // The first second warms up.
      for arrival in arrivals where arrival.last >= seen {
        for seq in seen...min(arrival.last, last) where seq - first >= 100 {
          lags.append((arrival.at - sent[Int(seq - first)]) / .seconds(1))
        }
        seen = arrival.last + 1
      }
      await follower.close()
    }
    processorSeconds += try daemon.processorSeconds() - processorStart
  }
}

/// An inspector that notes when entries arrive. It does not parse them, so that a hundred fit into a
/// process.
private final class Follower: SessionHandler, Sendable {
  struct Arrival: Sendable {
    let last: Int64
    let at: ContinuousClock.Instant
  }

  private let timeline: TimelineID
  private let seen = Mutex<[Arrival]>([])
  private let events: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let connection = Mutex<Session?>(nil)

  private init(_ timeline: TimelineID) {
    self.timeline = timeline
    (events, continuation) = AsyncStream.makeStream()
  }

  /// Connects, and waits until it follows.
  static func connect(
    to socket: String, timeline: TimelineID, on loop: Loop
  ) async throws -> Follower {
    let follower = Follower(timeline)
    let session = await loop.run { loop in
      var options = ConnectOptions()
      options.subprotocols = ["inspector.v1"]
      return loop.connect(to: .unix(path: socket), options: options, handler: follower)
    }
    follower.connection.withLock { $0 = session }
    // The answer to `watch`.
    for await _ in follower.events { return follower }
    throw BenchmarkError("debugd refuses the inspector")
  }

  /// What has arrived, once the given entry has.
  func arrivals(through last: Int64) async throws -> [Arrival] {
    while seen.withLock({ $0.last?.last ?? -1 }) < last {
      guard await events.first(where: { _ in true }) != nil else {
        throw BenchmarkError("debugd closed an inspector")
      }
    }
    return seen.withLock { $0 }
  }

  func close() async { connection.withLock { $0 }?.close() }

  func opened(_ session: Session, on loop: isolated Loop) {
    session.send(.text(Array(#"{"type":"hello","version":"1.0","client":"benchmark"}"#.utf8)))
    let watch = #"{"type":"watch","id":1,"timeline":"\#(timeline.text)"}"#
    session.send(.text(Array(watch.utf8)))
  }

  func received(_ message: SocketMessage, from session: Session, on loop: isolated Loop) {
    let bytes = message.bytes
    if bytes.starts(with: Array(#"{"type":"done","re":1"#.utf8)) {
      continuation.yield()
      return
    }
    guard bytes.starts(with: Array(#"{"type":"live""#.utf8)), let last = Self.last(in: bytes)
    else { return }
    seen.withLock { $0.append(Arrival(last: last, at: .now)) }
    continuation.yield()
  }

  /// The number after the first `"last":`.
  private static func last(in bytes: [UInt8]) -> Int64? {
    let name = Array(#""last":"#.utf8)
    guard let found = bytes.firstRange(of: name) else { return nil }
    let digits = bytes[found.upperBound...].prefix { (0x30...0x39).contains($0) }
    return Int64(String(decoding: digits, as: UTF8.self))
  }

  func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop) {
    continuation.finish()
  }
}
