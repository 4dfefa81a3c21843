import Foundation
import JSONCore
import Timelines
import WebSockets

/// Entries as they are sent together.
struct IngestBatch: Sendable {
  /// How many entries the protocol lets a batch have.
  static let size = 1_000

  /// The lines, in order.
  let lines: [[UInt8]]
  /// The seq of the last one.
  let last: Int64

  /// Lines, the first of which has that seq.
  init(_ lines: [[UInt8]], first: Int64) {
    self.lines = lines
    last = first + Int64(lines.count) - 1
  }

  /// Full batches of payments.
  static func make(_ payments: inout PaymentsRun, after last: Int64, count: Int) -> [IngestBatch] {
    (0..<count).map { index in
      let lines = (0..<size).map { _ in payments.nextLine() }
      return IngestBatch(lines, first: last + 1 + Int64(index * size))
    }
  }
}

/// A recorder that does nothing but send: what is measured is the daemon.
actor IngestRecorder {
  /// What came of sending.
  struct Sent: Sendable {
    /// From the first byte to the last acknowledgement.
    var seconds: Double
    /// The seqs up to which commits reached.
    var commits: [Int64]
  }

  /// The last entry that is durable.
  private(set) var last: Int64 = -1

  private static let timeline = TimelineID.random()
  private let loop: Loop
  private let session: Session
  private var messages: AsyncStream<[UInt8]>.AsyncIterator
  private var credit: Int64 = 0

  private init(loop: Loop, session: Session, messages: AsyncStream<[UInt8]>) {
    self.loop = loop
    self.session = session
    self.messages = messages.makeAsyncIterator()
  }

  /// What its timeline says of itself.
  static func header() throws -> Header {
    try Header(
      Header.Fields(
        timeline: timeline, app: Header.App(name: "Payments"),
        machine: Header.Machine(type: "Payments.Bank", name: "bank"),
        started: Timestamp(microseconds: 1_777_000_000_000_000)))
  }

  /// Connects to a daemon and begins a timeline.
  static func connect(to socket: String) async throws -> IngestRecorder {
    let loop = try Loop.start()
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let session = await loop.run { loop in
      var options = ConnectOptions()
      options.subprotocols = ["recorder.v1"]
      options.session.maxQueuedBytes = 64 << 20
      return loop.connect(
        to: .unix(path: socket), options: options, handler: IngestEar(continuation))
    }
    let recorder = IngestRecorder(loop: loop, session: session, messages: stream)
    try await recorder.begin()
    return recorder
  }

  private func begin() async throws {
    // The first thing that comes is that it has connected.
    guard await heard() != nil else { throw BenchmarkError("debugd cannot be reached") }
    say(Array(#"{"type":"hello","version":"1.0"}"#.utf8))
    guard let welcome = try await message(), case .welcome(let welcome) = welcome else {
      throw BenchmarkError("debugd does not let the recorder in")
    }
    credit = welcome.credit
    say(Array(#"{"type":"open","header":"#.utf8) + Array(try Self.header().line.bytes) + [0x7D])
  }

  /// Sends batches as fast as they are taken, and waits until all are durable.
  func send(_ batches: [IngestBatch]) async throws -> Sent {
    let frames = batches.map { Self.frame($0.lines) }
    guard let end = batches.last?.last else { return Sent(seconds: 0, commits: []) }
    var commits: [Int64] = []
    let clock = ContinuousClock()
    let start = clock.now
    for frame in frames {
      while credit <= 0 { try await take(&commits) }
      credit -= Int64(frame.count)
      say(frame)
    }
    while last < end { try await take(&commits) }
    return Sent(seconds: (clock.now - start) / .seconds(1), commits: commits)
  }

  private static func frame(_ lines: [[UInt8]]) -> [UInt8] {
    let head = #"{"type":"append","timeline":"\#(timeline.text)","entries":["#
    var frame = Array(head.utf8)
    for (index, line) in lines.enumerated() {
      if index > 0 { frame.append(0x2C) }
      frame.append(contentsOf: line)
    }
    frame.append(contentsOf: Array("]}".utf8))
    return frame
  }

  private func take(_ commits: inout [Int64]) async throws {
    switch try await message() {
    case .ack(let ack):
      last = ack.durable
      commits.append(ack.durable)
    case .credit(let more): credit += more.bytes
    case .error(let error): throw BenchmarkError("debugd refuses: \(error.message)")
    case nil: throw BenchmarkError("debugd has gone")
    default: break
    }
  }

  private func say(_ text: [UInt8]) { session.send(.text(text)) }

  private func heard() async -> [UInt8]? {
    var messages = messages
    let next = await messages.next(isolation: self)
    self.messages = messages
    return next
  }

  private func message() async throws -> ToRecorder? {
    guard let bytes = await heard() else { return nil }
    return try Envelope<ToRecorder>(reading: bytes, maxMessage: 1 << 20).body
  }

  /// Leaves.
  func close() async {
    session.close()
    await loop.stop()
  }
}

/// Hands on what a session hears; an empty message says that it has begun.
private final class IngestEar: SessionHandler {
  private let continuation: AsyncStream<[UInt8]>.Continuation

  init(_ continuation: AsyncStream<[UInt8]>.Continuation) {
    self.continuation = continuation
  }

  func opened(_ session: Session, on loop: isolated Loop) { continuation.yield([]) }

  func received(_ message: WebSockets.Message, from session: Session, on loop: isolated Loop) {
    continuation.yield(message.bytes)
  }

  func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop) {
    continuation.finish()
  }
}
