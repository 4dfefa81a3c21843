/// The result of sending a message.
package enum SendResult: Equatable, Sendable {
  /// The message is in the queue.
  case accepted
  /// The queue is full, and the message was dropped. Wait for `drained`.
  case full
  /// The session is closing or closed, and the message was dropped.
  case closed
}

/// A session's outgoing messages, limited in bytes and number. Pure: it does not use a socket.
package struct OutgoingQueue {
  /// The part of a message that one frame sends.
  package struct Fragment: Equatable {
    /// The whole message.
    package var message: SocketMessage
    /// The range of bytes to send.
    package var range: Range<Int>
    /// Whether it is the first fragment.
    package var isFirst: Bool { range.lowerBound == 0 && !isContinued }
    /// Whether it is the last fragment.
    package var isLast: Bool
    /// Whether an earlier frame has begun the message.
    package var isContinued: Bool
  }

  /// What to write when the session may write.
  package enum Turn: Equatable {
    case nothing
    case fragment(Fragment)
    /// Send the close frame, after everything else.
    case close(SessionCloseCode, String)
  }

  private enum Phase {
    case open
    case closing(SessionCloseCode, String)
    case closed
  }

  private let options: SessionOptions
  private var phase = Phase.open
  private var messages: [SocketMessage?] = []
  private var head = 0
  /// The number of bytes of the first message that were sent.
  private var sent = 0
  package private(set) var bytes = 0
  private var isTurnRequested = false
  private var wasFull = false

  package init(_ options: SessionOptions) {
    self.options = options
  }

  package var count: Int { messages.count - head }

  /// Enqueues a message.
  ///
  /// - Returns: The result, and whether the caller must request a turn to write.
  package mutating func push(_ message: SocketMessage) -> (result: SendResult, needsTurn: Bool) {
    guard case .open = phase else { return (.closed, false) }
    let size = message.bytes.count
    let fits = count < options.maxQueuedMessages && bytes <= options.maxQueuedBytes - size
    guard fits || count == 0 else {
      wasFull = true
      return (.full, false)
    }
    messages.append(message)
    bytes += size
    return (.accepted, requestTurn())
  }

  /// Stops accepting messages, and sends a close frame after the waiting ones.
  ///
  /// - Parameter discarding: Whether to drop the messages that have not begun.
  /// - Returns: Whether this is the first call, and whether the caller must request a turn.
  package mutating func close(
    _ code: SessionCloseCode, _ reason: String, discarding: Bool
  ) -> (isFirst: Bool, needsTurn: Bool) {
    guard case .open = phase else { return (false, false) }
    phase = .closing(code, reason)
    if discarding { discardUnbegun() }
    return (true, requestTurn())
  }

  package mutating func end() {
    phase = .closed
    messages = []
    head = 0
    sent = 0
    bytes = 0
  }

  /// Returns what to write now, and counts it as sent.
  package mutating func turn() -> Turn {
    isTurnRequested = false
    guard head < messages.count, let message = messages[head] else {
      if case .closing(let code, let reason) = phase { return .close(code, reason) }
      return .nothing
    }
    let whole = message.bytes.count
    let end = min(whole, sent + max(1, min(options.fragmentBytes, Scratch.fragmentBytes)))
    let fragment = Fragment(
      message: message, range: sent..<end, isLast: end == whole, isContinued: sent > 0)
    bytes -= end - sent
    sent = end
    if fragment.isLast {
      messages[head] = nil
      head += 1
      sent = 0
      // Removing the front in large pieces moves each message less than once on average.
      if head >= 64, head * 2 >= messages.count {
        messages.removeFirst(head)
        head = 0
      }
    }
    return .fragment(fragment)
  }

  /// Whether to request another turn; counts it as requested.
  package mutating func wantsTurn() -> Bool {
    guard count > 0 || isClosing else { return false }
    return requestTurn()
  }

  /// Whether to call `drained`: once after the queue was full, and whenever it becomes empty if the
  /// options ask for that.
  package mutating func consumeDrained() -> Bool {
    if options.reportsEmpty, count == 0, case .open = phase {
      wasFull = false
      return true
    }
    guard wasFull, bytes <= options.lowWaterBytes, case .open = phase else { return false }
    wasFull = false
    return true
  }

  /// Whether the queue accepts no more messages.
  package var isClosing: Bool {
    if case .closing = phase { return true }
    return false
  }

  private mutating func requestTurn() -> Bool {
    defer { isTurnRequested = true }
    return !isTurnRequested
  }

  private mutating func discardUnbegun() {
    let kept = sent > 0 ? head + 1 : head
    messages.removeSubrange(min(kept, messages.count)...)
    bytes = count > 0 ? (messages[head]?.bytes.count ?? 0) - sent : 0
  }
}
