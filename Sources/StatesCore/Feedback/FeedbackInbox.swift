import Synchronization

/// The one queue of a run: events of all loops, first in first out.
final class FeedbackInbox<State: Sendable, Event: Sendable>: Sendable {
  enum Work: Sendable {
    case event(Event)
    /// An effect failed, and its loop's policy is to stop.
    case stop(any Error)
    case restore(State)
    /// The run goes on after it was held.
    case resumed
  }

  struct Entry: Sendable {
    let work: Work
    let origin: Origin
    var scope: EffectScope?
    var cause: Cause?
    var callSite = CallSite()
    var evenWhileHeld = false
    /// The hold during which the entry is taken.
    var isHeld = false

    var isStale: Bool { scope?.isOpen == false }
  }

  enum Answer: Sendable {
    case queued
    case refused
    /// There was no room; the event of this origin is lost.
    case lost(Origin)
  }

  private struct Contents {
    var entries = WaitingQueue<Entry>()
    var isFinished = false
    var hasOverflown = false
    var hold: HoldPolicy?
    /// Whether whoever holds it is still there, where that can be asked.
    var isStillHeld: (@Sendable () -> Bool)?
    var taker: CheckedContinuation<Entry?, Never>?

    mutating func popNext() -> Entry? {
      guard hold != nil else { return entries.popFirst() }
      var entry = entries.popFirst { $0.evenWhileHeld }
      entry?.isHeld = true
      return entry
    }

    /// Ends the hold. Before what waits, the effects are brought in line with the state there is now.
    mutating func resume() {
      hold = nil
      isStillHeld = nil
      entries.prepend(Entry(work: .resumed, origin: .app))
    }

    /// Ends a hold whose holder has gone.
    mutating func resumeIfLeft() {
      if hold != nil, let isStillHeld, !isStillHeld() { resume() }
    }

    /// Whoever waits for an entry, when there is one for it.
    mutating func match() -> (CheckedContinuation<Entry?, Never>, Entry)? {
      guard let taker, let entry = popNext() else { return nil }
      self.taker = nil
      return (taker, entry)
    }
  }

  private let limit: Int
  private let overflow: FeedbackOverflow
  private let contents = Mutex(Contents())

  init(limit: Int, overflow: FeedbackOverflow) {
    self.limit = limit
    self.overflow = overflow
  }

  /// Whether the run is held.
  var isHeld: Bool { contents.withLock { $0.hold != nil } }

  /// How many entries wait.
  var count: Int { contents.withLock { $0.entries.count } }

  /// Adds an event, when there is room.
  func send(_ entry: Entry) -> Answer {
    let (answer, match) = contents.withLock { contents -> (Answer, Match?) in
      contents.resumeIfLeft()
      let answer = admit(entry, to: &contents)
      return (answer, contents.match())
    }
    match.map { $0.resume(returning: $1) }
    return answer
  }

  /// Adds something that must not be lost: there are few of these.
  func insert(_ entry: Entry) {
    let match = contents.withLock { contents -> Match? in
      guard !contents.isFinished else { return nil }
      contents.entries.append(entry)
      return contents.match()
    }
    match.map { $0.resume(returning: $1) }
  }

  /// The next entry, when it comes; nil when the run is to end.
  func next() async -> Entry? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let next = contents.withLock { contents -> Entry?? in
          if contents.isFinished || Task.isCancelled { return .some(nil) }
          if let entry = contents.popNext() { return entry }
          contents.taker = continuation
          return .none
        }
        if let next { continuation.resume(returning: next) }
      }
    } onCancel: {
      let taker = contents.withLock { $0.taker.take() }
      taker?.resume(returning: nil)
    }
  }

  /// Holds the run; entries that are made for it are handled nevertheless.
  ///
  /// - Parameter condition: is asked, under the lock, where an event comes; false ends the hold.
  func hold(_ policy: HoldPolicy, while condition: (@Sendable () -> Bool)? = nil) {
    contents.withLock { contents in
      contents.hold = policy
      contents.isStillHeld = condition
    }
  }

  /// Ends the hold, if there is one.
  func resume() {
    let match = contents.withLock { contents -> Match? in
      guard contents.hold != nil else { return nil }
      contents.resume()
      return contents.match()
    }
    match.map { $0.resume(returning: $1) }
  }

  /// Ends it: nothing is taken and nothing is added any more.
  func finish() {
    let taker = contents.withLock { contents in
      contents.isFinished = true
      contents.entries = WaitingQueue()
      return contents.taker.take()
    }
    taker?.resume(returning: nil)
  }

  private typealias Match = (CheckedContinuation<Entry?, Never>, Entry)

  private func admit(_ entry: Entry, to contents: inout Contents) -> Answer {
    if contents.isFinished || contents.hasOverflown { return .refused }
    if let hold = contents.hold, !entry.evenWhileHeld {
      guard case .queue(let limit) = hold, contents.entries.count < limit else { return .refused }
    }
    guard contents.entries.count >= limit else {
      contents.entries.append(entry)
      return .queued
    }
    switch overflow {
    case .stop:
      contents.hasOverflown = true
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
  /// Adds an element in front of all others; for what is rare.
  fileprivate mutating func prepend(_ element: Element) {
    var others: [Element] = []
    while let next = popFirst() { others.append(next) }
    append(element)
    for other in others { append(other) }
  }
}
