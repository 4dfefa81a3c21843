import DebugServer
import Foundation
import JSONCore
import Testing
import Timelines
import WebSockets
import Wire

/// A WebSocket client of a test: sends text, and waits for what comes.
actor LivePeer {
  enum Coming: Sendable {
    case opened
    case message(SocketMessage)
    case closed(SessionEnd)
  }

  private let loop: Loop
  private let session: Session
  private var iterator: AsyncStream<Coming>.AsyncIterator

  private init(loop: Loop, session: Session, stream: AsyncStream<Coming>) {
    self.loop = loop
    self.session = session
    iterator = stream.makeAsyncIterator()
  }

  /// Connects, and waits until that succeeded; otherwise answers how it ended.
  static func connect(
    to endpoint: Endpoint, as role: String?, _ change: (inout ConnectOptions) -> Void = { _ in }
  ) async throws -> (peer: LivePeer, end: SessionEnd?) {
    let loop = try Loop.start()
    let (stream, continuation) = AsyncStream.makeStream(of: Coming.self)
    var options = ConnectOptions()
    options.subprotocols = role.map { [$0] } ?? []
    change(&options)
    let session = await loop.run { [options] loop in
      loop.connect(to: endpoint, options: options, handler: Ear(continuation))
    }
    let peer = LivePeer(loop: loop, session: session, stream: stream)
    switch await peer.next() {
    case .opened?: return (peer, nil)
    case .closed(let end)?:
      await loop.stop()
      return (peer, end)
    case .message?, nil: throw CancellationError()
    }
  }

  func next() async -> Coming? {
    var iterator = iterator
    let next = await iterator.next(isolation: self)
    self.iterator = iterator
    return next
  }

  func send(_ text: String) { session.send(.text(Array(text.utf8))) }

  func sendBinary(_ bytes: [UInt8]) { session.send(.binary(bytes)) }

  nonisolated func pause() { session.pauseReading() }
  nonisolated func resume() { session.resumeReading() }
  /// Says something, unless too much waits.
  nonisolated func offer(_ text: String) -> Bool { session.send(.text(Array(text.utf8))) != .full }

  nonisolated func abort() { session.abort() }

  /// The next text as JSON; `nil` when the connection ended.
  func heard() async -> JSON? {
    guard case .message(let message)? = await next() else { return nil }
    return try? JSON(parsing: String(decoding: message.bytes, as: UTF8.self))
  }

  /// The next text of a type; what comes before is passed over.
  func heard(_ type: String) async -> JSON? {
    while let json = await heard() {
      if json["type"]?.string == type { return json }
    }
    return nil
  }

  /// Waits until the connection ended; what comes before is passed over.
  func end() async -> SessionEnd? {
    while let coming = await next() {
      if case .closed(let end) = coming { return end }
    }
    return nil
  }

  func close() async {
    session.close()
    await loop.stop()
  }
}

private final class Ear: SessionHandler {
  private let continuation: AsyncStream<LivePeer.Coming>.Continuation

  init(_ continuation: AsyncStream<LivePeer.Coming>.Continuation) {
    self.continuation = continuation
  }

  func opened(_ session: Session, on loop: isolated Loop) { continuation.yield(.opened) }

  func received(_ message: SocketMessage, from session: Session, on loop: isolated Loop) {
    continuation.yield(.message(message))
  }

  func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop) {
    continuation.yield(.closed(end))
    continuation.finish()
  }
}
