import Foundation
import JSONCore
import Timelines
import WebSockets
import Wire

struct IngestBatch: Sendable {
  /// The protocol's maximum number of entries in a batch.
  static let size = 1_000

  let lines: [[UInt8]]
  /// The seq of the last entry.
  let last: Int64

  /// Creates a batch from lines and the seq of the first one.
  init(_ lines: [[UInt8]], first: Int64) {
    self.lines = lines
    last = first + Int64(lines.count) - 1
  }

  /// Full batches of payments.
  static func make(
    _ payments: inout PaymentsRun, after last: Int64, count: Int, size: Int = size
  ) -> [IngestBatch] {
    (0..<count).map { index in
      let lines = (0..<size).map { _ in payments.nextLine() }
      return IngestBatch(lines, first: last + 1 + Int64(index * size))
    }
  }
}

/// A recorder that only sends, to measure the daemon.
actor IngestRecorder {
  /// The result of sending batches.
  struct Sent: Sendable {
    /// The time from the first byte to the last acknowledgment.
    var seconds: Double
    /// The last seq of each commit.
    var commits: [Int64]
  }

  /// The seq of the last durable entry.
  private(set) var last: Int64 = -1

  let timeline = TimelineID.random()
  private let loop: Loop
  private let ownsLoop: Bool
  private let session: Session
  private var messages: AsyncStream<[UInt8]>.AsyncIterator
  private var credit: Int64 = 0

  private init(
    loop: Loop, ownsLoop: Bool, session: Session, messages: AsyncStream<[UInt8]>
  ) {
    self.loop = loop
    self.ownsLoop = ownsLoop
    self.session = session
    self.messages = messages.makeAsyncIterator()
  }

  static func header(_ timeline: TimelineID) throws -> Header {
    try Header(
      Header.Fields(
        timeline: timeline, app: Header.App(name: "Payments"),
        machine: Header.Machine(type: "Payments.Bank", name: "bank"),
        started: Timestamp(microseconds: 1_777_000_000_000_000)))
  }

  /// Connects to a daemon and begins a timeline (default: on a loop of its own).
  static func connect(to socket: String, on shared: Loop? = nil) async throws -> IngestRecorder {
    let loop = try shared ?? Loop.start()
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let session = await loop.run { loop in
      var options = ConnectOptions()
      options.subprotocols = ["recorder.v1"]
      options.session.maxQueuedBytes = 64 << 20
      return loop.connect(
        to: .unix(path: socket), options: options, handler: IngestEar(continuation))
    }
    let recorder = IngestRecorder(
      loop: loop, ownsLoop: shared == nil, session: session, messages: stream)
    try await recorder.begin()
    return recorder
  }

  private func begin() async throws {
    // The first value means that the session is open.
    guard await nextMessage() != nil else { throw BenchmarkError("debugd cannot be reached") }
    sendText(Array(#"{"type":"hello","version":"1.0"}"#.utf8))
    guard let welcome = try await message(), case .welcome(let welcome) = welcome else {
      throw BenchmarkError("debugd refuses the recorder")
    }
    credit = welcome.credit
    try open(timeline)
  }

  private func open(_ timeline: TimelineID) throws {
    sendText(
      Array(#"{"type":"open","header":"#.utf8) + Array(try Self.header(timeline).line.bytes)
        + [0x7D])
  }

  func openAnother() throws -> TimelineID {
    let another = TimelineID.random()
    try open(another)
    return another
  }

  func close(_ timeline: TimelineID) {
    sendText(Array(#"{"type":"close","timeline":"\#(timeline.text)"}"#.utf8))
  }

  /// Sends batches as fast as the credit allows, and waits until all are durable.
  func send(_ batches: [IngestBatch]) async throws -> Sent {
    let frames = batches.map { frame($0.lines) }
    guard let end = batches.last?.last else { return Sent(seconds: 0, commits: []) }
    var commits: [Int64] = []
    let clock = ContinuousClock()
    let start = clock.now
    for frame in frames {
      while credit <= 0 { try await receive(&commits) }
      credit -= Int64(frame.count)
      sendText(frame)
    }
    while last < end { try await receive(&commits) }
    return Sent(seconds: (clock.now - start) / .seconds(1), commits: commits)
  }

  private func frame(_ lines: [[UInt8]]) -> [UInt8] {
    let head = #"{"type":"append","timeline":"\#(timeline.text)","entries":["#
    var frame = Array(head.utf8)
    for (index, line) in lines.enumerated() {
      if index > 0 { frame.append(0x2C) }
      frame.append(contentsOf: line)
    }
    frame.append(contentsOf: Array("]}".utf8))
    return frame
  }

  private func receive(_ commits: inout [Int64]) async throws {
    switch try await message() {
    case .ack(let ack):
      guard let durable = ack.durable else { break }
      last = durable
      commits.append(durable)
    case .credit(let more): credit += more.bytes
    case .error(let error): throw BenchmarkError("debugd refuses: \(error.message)")
    case nil: throw BenchmarkError("debugd closed the connection")
    default: break
    }
  }

  private func sendText(_ text: [UInt8]) { session.send(.text(text)) }

  private func nextMessage() async -> [UInt8]? {
    var messages = messages
    let next = await messages.next(isolation: self)
    self.messages = messages
    return next
  }

  private func message() async throws -> ToRecorder? {
    guard let bytes = await nextMessage() else { return nil }
    return try Envelope<ToRecorder>(reading: bytes, maxMessage: 1 << 20).body
  }

  func close() async {
    session.close()
    if ownsLoop { await loop.stop() }
  }
}

/// Forwards the messages of a session; an empty message means that it is open.
private final class IngestEar: SessionHandler {
  private let continuation: AsyncStream<[UInt8]>.Continuation

  init(_ continuation: AsyncStream<[UInt8]>.Continuation) {
    self.continuation = continuation
  }

  func opened(_ session: Session, on loop: isolated Loop) { continuation.yield([]) }

  func received(_ message: SocketMessage, from session: Session, on loop: isolated Loop) {
    continuation.yield(message.bytes)
  }

  func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop) {
    continuation.finish()
  }
}
