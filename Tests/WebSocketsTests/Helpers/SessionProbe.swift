import Synchronization

@testable import WebSockets

/// A handler that records events for a test to await.
final class SessionProbe: SessionHandler, Sendable {
  enum Event: Equatable, Sendable {
    case opened
    case text(String)
    case binary([UInt8])
    case drained
    case closed(SessionEnd)
  }

  private let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation
  private let current = Mutex<Session?>(nil)
  private let isEcho: Bool
  private let isBusy: Bool

  /// - Parameters:
  ///   - isEcho: Whether every message is sent back.
  ///   - isBusy: Whether a request is always in progress.
  init(isEcho: Bool = false, isBusy: Bool = false) {
    (stream, continuation) = AsyncStream.makeStream()
    self.isEcho = isEcho
    self.isBusy = isBusy
  }

  /// The session that opened last.
  var session: Session? { current.withLock { $0 } }

  /// Waits for the next event.
  func next() async -> Event? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }

  /// Waits for the end of the session.
  func end() async -> SessionEnd? {
    while let event = await next() {
      if case .closed(let end) = event { return end }
    }
    return nil
  }

  func opened(_ session: Session, on loop: isolated Loop) {
    current.withLock { $0 = session }
    continuation.yield(.opened)
  }

  func received(_ message: SocketMessage, from session: Session, on loop: isolated Loop) {
    if isEcho { session.send(message) }
    switch message {
    case .text(let bytes): continuation.yield(.text(String(decoding: bytes, as: UTF8.self)))
    case .binary(let bytes): continuation.yield(.binary(bytes))
    }
  }

  func drained(_ session: Session, on loop: isolated Loop) {
    continuation.yield(.drained)
  }

  func isBusy(_ session: Session, on loop: isolated Loop) -> Bool { isBusy }

  func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop) {
    continuation.yield(.closed(end))
  }
}
