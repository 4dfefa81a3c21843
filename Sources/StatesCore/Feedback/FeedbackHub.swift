import Synchronization

/// Hands the moments of a run to the consumers inside one loop.
final class FeedbackHub<State: Sendable, Event: Sendable>: Sendable {
  private struct Contents {
    var current: FeedbackMoment<State, Event>?
    var isFinished = false
    var nextKey = 0
    var consumers: [Int: (channel: Channel, buffer: FeedbackBuffer)] = [:]
  }

  typealias Channel = BoundedChannel<FeedbackMoment<State, Event>>

  private let contents = Mutex(Contents())

  /// Gives a moment to everybody who listens, in the order in which they began to; those who begin
  /// later start with it.
  func publish(_ moment: FeedbackMoment<State, Event>) async {
    let consumers = contents.withLock { contents in
      contents.current = moment
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

  fileprivate func add(_ channel: Channel, buffer: FeedbackBuffer) -> Int {
    contents.withLock { contents in
      if let current = contents.current { channel.putDroppingOldest(current) }
      if contents.isFinished { channel.finish() }
      contents.nextKey += 1
      contents.consumers[contents.nextKey] = (channel, buffer)
      return contents.nextKey
    }
  }

  fileprivate func remove(_ key: Int) {
    _ = contents.withLock { $0.consumers.removeValue(forKey: key) }
  }
}

/// One who listens to a hub, for as long as the object lives.
final class FeedbackConsumer<State: Sendable, Event: Sendable>: Sendable {
  let channel: FeedbackHub<State, Event>.Channel
  private let hub: FeedbackHub<State, Event>
  private let key: Int

  init(of hub: FeedbackHub<State, Event>, buffer: FeedbackBuffer) {
    channel = FeedbackHub<State, Event>.Channel(limit: buffer.limit)
    self.hub = hub
    key = hub.add(channel, buffer: buffer)
  }

  deinit {
    hub.remove(key)
    // The run may be waiting for room in it.
    channel.finish()
  }
}
