internal import Synchronization

/// A WebSocket session, whichever end began it. A handle: it may be kept after the end.
///
///     switch session.send(.text(line)) {
///     case .accepted: break
///     case .full: waiting.append(line)         // until `drained`
///     case .closed: break                      // `closed` has been told, or is about to be
///     }
///
/// All of it may be used from any thread.
package final class Session: Sendable {
  /// The number of its connection, which is never used twice in a loop.
  package let id: UInt64
  /// The loop that it belongs to.
  package let loop: Loop
  let options: SessionOptions
  private let facts: Mutex<Facts>
  private let outgoing: Mutex<OutgoingQueue>
  private let sentMessages = Atomic<Int>(0)
  private let sentBytes = Atomic<Int>(0)
  private let receivedMessages = Atomic<Int>(0)
  private let receivedBytes = Atomic<Int>(0)

  /// What is known of the other end, for a client once it has begun.
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

  /// Who the other end is. Unknown to a client until `opened`.
  package var peer: Peer { facts.withLock { $0.peer } }

  /// What both ends agreed to speak. `nil` to a client until `opened`.
  package var subprotocol: String? { facts.withLock { $0.subprotocol } }

  /// The `Host` of the request that opened it. `nil` to a client, and where a request had none or
  /// several.
  package var host: String? { facts.withLock { $0.host } }

  /// Puts a message into the queue of what is to be sent.
  @discardableResult
  package func send(_ message: Message) -> SendResult {
    let (result, needsTurn) = outgoing.withLock { $0.push(message) }
    if needsTurn { loop.requestTurn(id) }
    return result
  }

  /// Sends what is queued, then closes.
  ///
  /// The reason is cut after 123 bytes, which is what a close frame holds. A code that must not be
  /// sent, such as 1006, is sent as 1000.
  ///
  /// - Parameter discarding: Whether messages that have not begun are dropped instead. Default: no.
  package func close(
    code: SessionCloseCode = .normal, reason: String = "", discarding: Bool = false
  ) {
    let code = code.canBeSent ? code : .normal
    let isFirst = outgoing.withLock { $0.close(code, reason, discarding: discarding).isFirst }
    if isFirst { loop.onLoop { [id] in $0.beginClosing(id) } }
  }

  /// Ends the connection without a close frame, and without sending what is queued.
  package func abort() {
    outgoing.withLock { $0.end() }
    loop.onLoop { [id] in $0.connections[id]?.wire?.kill() }
  }

  /// Takes messages of at most that many bytes from now on, in place of `maxMessageBytes`.
  ///
  /// For who had to begin with short ones. On the loop it holds for the very next message.
  package func takeMessages(upTo bytes: Int) {
    loop.onLoop { [id] in $0.connections[id]?.live?.assembly.limit = bytes }
  }

  /// Takes nothing more from the other end, whose sending then comes to a stop. At most what one
  /// read brings is still delivered.
  package func pauseReading() {
    loop.onLoop { [id] in $0.setReading(id, false) }
  }

  /// Goes on taking.
  package func resumeReading() {
    loop.onLoop { [id] in $0.setReading(id, true) }
  }

  /// What has gone through it so far.
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

/// Counts of a session.
package struct SessionStatistics: Equatable, Sendable {
  /// Whole messages and payload bytes that were given to the socket.
  package var sentMessages = 0, sentBytes = 0
  /// Whole messages and payload bytes that came.
  package var receivedMessages = 0, receivedBytes = 0
  /// What waits to be sent.
  package var queuedMessages = 0, queuedBytes = 0
}

extension Session: Hashable {
  package static func == (one: Session, other: Session) -> Bool { one === other }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// What the loop does with it.
extension Session {
  /// Learns who the other end is.
  func learn(_ known: Facts) {
    facts.withLock { $0 = known }
  }

  /// Changes the queue.
  func withOutgoing<Value>(_ body: (inout OutgoingQueue) -> sending Value) -> sending Value {
    outgoing.withLock { body(&$0) }
  }

  /// Counts a fragment that was sent.
  func countSent(_ bytes: Int, isLast: Bool) {
    sentBytes.add(bytes, ordering: .relaxed)
    if isLast { sentMessages.add(1, ordering: .relaxed) }
  }

  /// Counts a message that came.
  func countReceived(_ bytes: Int) {
    receivedBytes.add(bytes, ordering: .relaxed)
    receivedMessages.add(1, ordering: .relaxed)
  }
}
