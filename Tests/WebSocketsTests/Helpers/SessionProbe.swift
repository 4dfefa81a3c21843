import Synchronization

@testable import WebSockets

/// A handler that keeps what happens, for a test that awaits it.
final class SessionProbe: SessionHandler, Sendable {
  /// What happened.
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

  /// - Parameter isEcho: Whether every message is sent back.
  init(isEcho: Bool = false) {
    (stream, continuation) = AsyncStream.makeStream()
    self.isEcho = isEcho
  }

  /// The session that was opened last.
  var session: Session? { current.withLock { $0 } }

  /// The next thing that happens; waits for it.
  func next() async -> Event? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }

  /// What happens until the session has ended, and how it ended.
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

  func received(_ message: Message, from session: Session, on loop: isolated Loop) {
    if isEcho { session.send(message) }
    switch message {
    case .text(let bytes): continuation.yield(.text(String(decoding: bytes, as: UTF8.self)))
    case .binary(let bytes): continuation.yield(.binary(bytes))
    }
  }

  func drained(_ session: Session, on loop: isolated Loop) {
    continuation.yield(.drained)
  }

  func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop) {
    continuation.yield(.closed(end))
  }
}
