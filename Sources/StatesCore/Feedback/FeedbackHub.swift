import Synchronization

/// Publishes the moments of a run to the consumers inside one loop.
final class FeedbackHub<State: Sendable, Event: Sendable>: Sendable {
  private struct Contents {
    var current: FeedbackMoment<State, Event>?
    var isFinished = false
    var nextKey = 0
    var consumers: [Int: (channel: Channel, buffer: FeedbackBuffer)] = [:]
    /// Every moment so far, for the first consumer; nil when they are no longer buffered.
    var unclaimed: [FeedbackMoment<State, Event>]? = []
    /// How many moments passed that the first consumer does not receive; 0 while all are buffered,
    /// and when no first consumer is expected.
    var missed = 0

    mutating func bufferForFirstConsumer(_ moment: FeedbackMoment<State, Event>) {
      if let count = unclaimed?.count {
        guard count >= FeedbackHub.unclaimedLimit else {
          unclaimed?.append(moment)
          return
        }
        // The newest is the current one, which a consumer does receive.
        missed = count
        unclaimed = nil
      } else if missed > 0 {
        missed += 1
      }
    }

    /// What a consumer that starts late begins with, and how many moments it has missed.
    mutating func startLate() -> (moments: [FeedbackMoment<State, Event>], missed: Int) {
      defer { missed = 0 }
      return (unclaimed.take() ?? current.map { [$0] } ?? [], missed)
    }
  }

  /// A loop that has not listened for this many states does not want them; it may only send events.
  /// This is far more than a run can handle while a task that is about to listen waits for a
  /// thread, and few enough to buffer.
  static var unclaimedLimit: Int { 1_024 }

  typealias Channel = BoundedChannel<FeedbackMoment<State, Event>>

  private let contents = Mutex(Contents())
  private let reportMissed: @Sendable (Int) -> Void

  /// - Parameter reportMissed: called with the number of states that a loop missed because it began
  ///   to listen too late.
  init(reportMissed: @escaping @Sendable (Int) -> Void) {
    self.reportMissed = reportMissed
  }

  /// Publishes a moment to all consumers, in the order in which they registered.
  func publish(_ moment: FeedbackMoment<State, Event>) async {
    let consumers = contents.withLock { contents in
      contents.current = moment
      contents.bufferForFirstConsumer(moment)
      return contents.consumers.isEmpty
        ? [] : contents.consumers.sorted { $0.key < $1.key }.map(\.value)
    }
    for consumer in consumers {
      await consumer.channel.put(moment, buffer: consumer.buffer)
    }
  }

  /// Ends all consumers.
  func finish() {
    let consumers = contents.withLock { contents in
      contents.isFinished = true
      return contents.consumers.values.map(\.channel)
    }
    for channel in consumers { channel.finish() }
  }

  /// Stops buffering moments for a first consumer: from now on each starts with the current one.
  ///
  /// Called once nothing in the loop can be about to listen.
  func stopBuffering() {
    contents.withLock { contents in
      contents.unclaimed = nil
      contents.missed = 0
    }
  }

  /// Registers a consumer.
  ///
  /// The loop's body runs in a task of its own, so it may register after the run has moved on.
  /// Therefore the first consumer receives everything since the start. One that registers before
  /// the start does not need that; if its loop is retried, it continues with the current moment.
  fileprivate func add(
    _ channel: Channel, buffer: FeedbackBuffer, beforeStart: Bool
  ) -> Int {
    let (key, missed) = contents.withLock { contents in
      let start =
        beforeStart
        ? (moments: contents.current.map { [$0] } ?? [], missed: 0) : contents.startLate()
      for moment in start.moments { channel.putWithoutWaiting(moment, buffer: buffer) }
      if contents.isFinished { channel.finish() }
      contents.nextKey += 1
      contents.consumers[contents.nextKey] = (channel, buffer)
      return (contents.nextKey, start.missed)
    }
    if missed > 0 { reportMissed(missed) }
    return key
  }

  fileprivate func remove(_ key: Int) {
    _ = contents.withLock { $0.consumers.removeValue(forKey: key) }
  }
}

/// A registered consumer of a hub; its deinitializer removes it.
final class FeedbackConsumer<State: Sendable, Event: Sendable>: Sendable {
  let channel: FeedbackHub<State, Event>.Channel
  private let hub: FeedbackHub<State, Event>
  private let key: Int

  init(of hub: FeedbackHub<State, Event>, buffer: FeedbackBuffer, beforeStart: Bool) {
    channel = FeedbackHub<State, Event>.Channel(limit: buffer.limit)
    self.hub = hub
    key = hub.add(channel, buffer: buffer, beforeStart: beforeStart)
  }

  deinit {
    hub.remove(key)
    // The run may be waiting for space in it.
    channel.finish()
  }
}
