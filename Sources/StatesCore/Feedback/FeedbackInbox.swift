import Synchronization

/// The one queue of a run: events of all loops, first in, first out.
final class FeedbackInbox<State: Sendable, Event: Sendable>: Sendable {
  enum Work: Sendable {
    case event(Event)
    /// An effect failed, and its loop's policy is to stop.
    case stop(any Error)
    case restore(State)
    /// The run continues after it was held.
    case resumed
  }

  struct Entry: Sendable {
    let work: Work
    let origin: Origin
    var scope: EffectScope?
    var cause: Cause?
    var callSite = CallSite()
    var evenWhileHeld = false
    /// Whether the run is held when the entry is dequeued.
    var isHeld = false

    var isStale: Bool { scope?.isOpen == false }
  }

  enum Answer: Sendable {
    case queued
    case refused
    /// The queue was full; the event with this origin is lost.
    case lost(Origin)
  }

  private struct Contents {
    var entries = WaitingQueue<Entry>()
    var isFinished = false
    var hasOverflowed = false
    var hold: HoldPolicy?
    /// Whether the holder still exists; nil if only `resume()` ends the hold.
    var isStillHeld: (@Sendable () -> Bool)?
    var consumer: CheckedContinuation<Entry?, Never>?

    mutating func popNext() -> Entry? {
      guard hold != nil else { return entries.popFirst() }
      var entry = entries.popFirst { $0.evenWhileHeld }
      entry?.isHeld = true
      return entry
    }

    /// Ends the hold. The effects are reconciled with the current state before the queued entries
    /// run.
    mutating func resume() {
      hold = nil
      isStillHeld = nil
      entries.prepend(Entry(work: .resumed, origin: .app))
    }

    /// Ends a hold whose holder is gone.
    mutating func resumeIfAbandoned() {
      if hold != nil, let isStillHeld, !isStillHeld() { resume() }
    }

    /// The waiting consumer and the entry for it, if there are both.
    mutating func match() -> (CheckedContinuation<Entry?, Never>, Entry)? {
      guard let consumer, let entry = popNext() else { return nil }
      self.consumer = nil
      return (consumer, entry)
    }
  }

  private let limit: Int
  private let overflow: FeedbackOverflow
  private let contents = Mutex(Contents())

  init(limit: Int, overflow: FeedbackOverflow) {
    self.limit = limit
    self.overflow = overflow
  }

  var isHeld: Bool { contents.withLock { $0.hold != nil } }

  var count: Int { contents.withLock { $0.entries.count } }

  /// Adds an event, if there is space.
  func send(_ entry: Entry) -> Answer {
    let (answer, match) = contents.withLock { contents -> (Answer, Match?) in
      contents.resumeIfAbandoned()
      let answer = enqueue(entry, to: &contents)
      return (answer, contents.match())
    }
    match.map { $0.resume(returning: $1) }
    return answer
  }

  /// Adds an entry that must not be lost, beyond the limit if necessary; these are rare.
  func insert(_ entry: Entry) {
    let match = contents.withLock { contents -> Match? in
      guard !contents.isFinished else { return nil }
      contents.entries.append(entry)
      return contents.match()
    }
    match.map { $0.resume(returning: $1) }
  }

  /// Waits for the next entry; returns nil when the run should end.
  func next() async -> Entry? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let next = contents.withLock { contents -> Entry?? in
          if contents.isFinished || Task.isCancelled { return .some(nil) }
          if let entry = contents.popNext() { return entry }
          contents.consumer = continuation
          return .none
        }
        if let next { continuation.resume(returning: next) }
      }
    } onCancel: {
      let consumer = contents.withLock { $0.consumer.take() }
      consumer?.resume(returning: nil)
    }
  }

  /// Holds the run; entries with `evenWhileHeld` are still handled.
  ///
  /// - Parameter condition: Checked under the lock whenever an event arrives; false ends the hold.
  func hold(_ policy: HoldPolicy, while condition: (@Sendable () -> Bool)? = nil) {
    contents.withLock { contents in
      contents.hold = policy
      contents.isStillHeld = condition
    }
  }

  /// Ends the hold, if any.
  func resume() {
    let match = contents.withLock { contents -> Match? in
      guard contents.hold != nil else { return nil }
      contents.resume()
      return contents.match()
    }
    match.map { $0.resume(returning: $1) }
  }

  /// Closes the inbox: from now on it accepts and returns no entries.
  func finish() {
    let consumer = contents.withLock { contents in
      contents.isFinished = true
      contents.entries = WaitingQueue()
      return contents.consumer.take()
    }
    consumer?.resume(returning: nil)
  }

  private typealias Match = (CheckedContinuation<Entry?, Never>, Entry)

  private func enqueue(_ entry: Entry, to contents: inout Contents) -> Answer {
    if contents.isFinished || contents.hasOverflowed { return .refused }
    if let hold = contents.hold, !entry.evenWhileHeld {
      guard case .queue(let limit) = hold, contents.entries.count < limit else { return .refused }
    }
    guard contents.entries.count >= limit else {
      contents.entries.append(entry)
      return .queued
    }
    switch overflow {
    case .stop:
      contents.hasOverflowed = true
      contents.entries.append(
        Entry(work: .stop(FeedbackError.queueIsFull(limit: limit)), origin: entry.origin))
      return .refused
    case .dropNewest:
      return .lost(entry.origin)
    case .dropOldest:
      let oldest = contents.entries.popFirst { if case .event = $0.work { true } else { false } }
      contents.entries.append(entry)
      return .lost(oldest?.origin ?? entry.origin)
    }
  }
}

extension WaitingQueue {
  /// Adds an element in front of all others. This copies the queue, so it is only for rare events.
  fileprivate mutating func prepend(_ element: Element) {
    var others: [Element] = []
    while let next = popFirst() { others.append(next) }
    append(element)
    for other in others { append(other) }
  }
}
