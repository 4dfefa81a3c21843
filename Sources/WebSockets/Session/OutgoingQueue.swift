/// What became of a message that was to be sent.
package enum SendResult: Equatable, Sendable {
  /// It is in the queue.
  case accepted
  /// The queue is full; the message was not taken. `drained` says when to go on.
  case full
  /// The session is closing or closed; the message was not taken.
  case closed
}

/// A session's messages on their way out, bounded in bytes and in number. Pure: it knows no socket.
package struct OutgoingQueue {
  /// A piece to put into one frame.
  package struct Fragment: Equatable {
    /// The whole message.
    package var message: Message
    /// Which bytes of it.
    package var range: Range<Int>
    /// Whether the message begins with it.
    package var isFirst: Bool { range.lowerBound == 0 && !isContinued }
    /// Whether the message ends with it.
    package var isLast: Bool
    /// Whether an earlier frame began the message.
    package var isContinued: Bool
  }

  /// What there is to do when the session may write.
  package enum Turn: Equatable {
    /// Nothing.
    case nothing
    /// Send a frame.
    case fragment(Fragment)
    /// Send the close frame: all else has been sent.
    case close(SessionCloseCode, String)
  }

  private enum Phase {
    case open
    case closing(SessionCloseCode, String)
    case closed
  }

  private let options: SessionOptions
  private var phase = Phase.open
  private var messages: [Message?] = []
  private var head = 0
  /// How much of the first message has been sent.
  private var sent = 0
  package private(set) var bytes = 0
  private var isTurnRequested = false
  private var wasFull = false

  /// An empty queue.
  package init(_ options: SessionOptions) {
    self.options = options
  }

  /// How many messages wait.
  package var count: Int { messages.count - head }

  /// Takes a message.
  ///
  /// - Returns: What became of it, and whether a turn to write must be asked for.
  package mutating func push(_ message: Message) -> (result: SendResult, needsTurn: Bool) {
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

  /// Takes no more messages; after those that wait comes the close frame.
  ///
  /// - Parameter discarding: Whether those that have not begun are dropped.
  /// - Returns: Whether this is the first time, and whether a turn must be asked for.
  package mutating func close(
    _ code: SessionCloseCode, _ reason: String, discarding: Bool
  ) -> (isFirst: Bool, needsTurn: Bool) {
    guard case .open = phase else { return (false, false) }
    phase = .closing(code, reason)
    if discarding { discardWhatHasNotBegun() }
    return (true, requestTurn())
  }

  /// Drops everything.
  package mutating func end() {
    phase = .closed
    messages = []
    head = 0
    sent = 0
    bytes = 0
  }

  /// What to write now. What it gives counts as sent.
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
      // The front is taken off in large pieces, so that each message moves less than once.
      if head >= 64, head * 2 >= messages.count {
        messages.removeFirst(head)
        head = 0
      }
    }
    return .fragment(fragment)
  }

  /// Whether another turn is wanted after one; it counts as asked for.
  package mutating func wantsTurn() -> Bool {
    guard count > 0 || isClosing else { return false }
    return requestTurn()
  }

  /// Whether `drained` is to be told: once after the queue was full, and when it is empty if that
  /// was asked for.
  package mutating func takeDrained() -> Bool {
    if options.tellsEmpty, count == 0, case .open = phase {
      wasFull = false
      return true
    }
    guard wasFull, bytes <= options.lowWaterBytes, case .open = phase else { return false }
    wasFull = false
    return true
  }

  /// Whether only what waits is still sent.
  package var isClosing: Bool {
    if case .closing = phase { return true }
    return false
  }

  private mutating func requestTurn() -> Bool {
    defer { isTurnRequested = true }
    return !isTurnRequested
  }

  private mutating func discardWhatHasNotBegun() {
    let kept = sent > 0 ? head + 1 : head
    messages.removeSubrange(min(kept, messages.count)...)
    bytes = count > 0 ? (messages[head]?.bytes.count ?? 0) - sent : 0
  }
}
