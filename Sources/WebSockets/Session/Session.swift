internal import Synchronization

/// A WebSocket session of a client or a server. It may be kept after its end.
///
///     switch session.send(.text(line)) {
///     case .accepted: break
///     case .full: waiting.append(line)         // until `drained`
///     case .closed: break                      // the handler receives `closed`
///     }
///
/// All methods can be called from any thread.
package final class Session: Sendable {
  /// The number of its connection, unique in its loop.
  package let id: UInt64
  package let loop: Loop
  let options: SessionOptions
  private let facts: Mutex<Facts>
  private let outgoing: Mutex<OutgoingQueue>
  private let sentMessages = Atomic<Int>(0)
  private let sentBytes = Atomic<Int>(0)
  private let receivedMessages = Atomic<Int>(0)
  private let receivedBytes = Atomic<Int>(0)

  /// Facts about the peer; known to a client once the session has begun.
  struct Facts: Sendable {
    var peer = Peer.unknown
    var subprotocol: String?
    var host: String?
  }

  init(id: UInt64, loop: Loop, options: SessionOptions, facts: Facts = Facts()) {
    self.id = id
    self.loop = loop
    self.options = options
    self.facts = Mutex(facts)
    outgoing = Mutex(OutgoingQueue(options))
  }

  /// The peer; unknown to a client until `opened`.
  package var peer: Peer { facts.withLock { $0.peer } }

  /// The negotiated subprotocol; `nil` for a client until `opened`.
  package var subprotocol: String? { facts.withLock { $0.subprotocol } }

  /// The `Host` header of the request that opened the session; `nil` for a client, and if the request
  /// had none or several.
  package var host: String? { facts.withLock { $0.host } }

  /// Queues a message for sending.
  @discardableResult
  package func send(_ message: SocketMessage) -> SendResult {
    let (result, needsTurn) = outgoing.withLock { $0.push(message) }
    if needsTurn { loop.requestTurn(id) }
    return result
  }

  /// Sends the queued messages, then closes the session.
  ///
  /// The reason is truncated to 123 bytes, the limit of a close frame. A code that must not be sent,
  /// such as 1006, is replaced with 1000.
  ///
  /// - Parameter discarding: Whether to drop the messages that have not begun (default: no).
  package func close(
    code: SessionCloseCode = .normal, reason: String = "", discarding: Bool = false
  ) {
    let code = code.canBeSent ? code : .normal
    let isFirst = outgoing.withLock { $0.close(code, reason, discarding: discarding).isFirst }
    if isFirst { loop.onLoop { [id] in $0.beginClosing(id) } }
  }

  /// Ends the connection without a close frame, and drops the queued messages.
  package func abort() {
    outgoing.withLock { $0.end() }
    loop.onLoop { [id] in $0.connections[id]?.handle?.kill() }
  }

  /// Replaces the limit `maxMessageBytes` from now on.
  ///
  /// For peers that start with a low limit, for example before they authenticate. On the loop, it
  /// applies to the next message.
  package func limitMessages(to bytes: Int) {
    loop.onLoop { [id] in $0.connections[id]?.live?.assembly.limit = bytes }
  }

  /// Stops reading from the peer, which then cannot send more. Messages of one more read may still be
  /// delivered.
  package func pauseReading() {
    loop.onLoop { [id] in $0.setReading(id, false) }
  }

  package func resumeReading() {
    loop.onLoop { [id] in $0.setReading(id, true) }
  }

  package var statistics: SessionStatistics {
    let (bytes, count) = outgoing.withLock { ($0.bytes, $0.count) }
    return SessionStatistics(
      sentMessages: sentMessages.load(ordering: .relaxed),
      sentBytes: sentBytes.load(ordering: .relaxed),
      receivedMessages: receivedMessages.load(ordering: .relaxed),
      receivedBytes: receivedBytes.load(ordering: .relaxed),
      queuedMessages: count, queuedBytes: bytes)
  }
}

package struct SessionStatistics: Equatable, Sendable {
  /// Whole messages and payload bytes that were written to the socket.
  package var sentMessages = 0, sentBytes = 0
  /// Whole messages and payload bytes that were received.
  package var receivedMessages = 0, receivedBytes = 0
  /// Messages and payload bytes in the queue.
  package var queuedMessages = 0, queuedBytes = 0
}

extension Session: Hashable {
  package static func == (one: Session, other: Session) -> Bool { one === other }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// Used by the loop.
extension Session {
  /// Sets the facts about the peer.
  func setFacts(_ known: Facts) {
    facts.withLock { $0 = known }
  }

  /// Accesses the queue under its lock.
  func withOutgoing<Value>(_ body: (inout OutgoingQueue) -> sending Value) -> sending Value {
    outgoing.withLock { body(&$0) }
  }

  /// Counts a fragment that was sent.
  func countSent(_ bytes: Int, isLast: Bool) {
    sentBytes.add(bytes, ordering: .relaxed)
    if isLast { sentMessages.add(1, ordering: .relaxed) }
  }

  func countReceived(_ bytes: Int) {
    receivedBytes.add(bytes, ordering: .relaxed)
    receivedMessages.add(1, ordering: .relaxed)
  }
}
