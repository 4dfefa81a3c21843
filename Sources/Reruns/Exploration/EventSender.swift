internal import Exploring
internal import JSONCore
internal import Timelines
internal import Wire

/// Sends events to states on one host, many with each request.
///
/// Between two events, a step sets the state back, which every host supports.
struct EventSender: Sendable {
  let host: any ReducerHosting
  let make: String
  /// When to stop sending.
  var time = ExplorationTime()

  /// An event, and the state to send it to.
  struct Message: Sendable {
    var event: JSON
    /// The number of the state.
    var moment: Int
  }

  /// The outcome of an event.
  enum Reply: Sendable {
    case entry(Entry)
    case ended(EarlyEnd)
  }

  /// The maximum number of events in a request: its time limit is meant for thousands.
  private static let requestCount = 256
  /// The approximate bytes of a request. The answer has the states and events again, and a host may write
  /// it as one line.
  private static let requestBytes = 1 << 20

  /// Sends each event to its state; the replies are in the same order, and fewer when the time ran out.
  func send(_ messages: [Message], to moments: [Snapshot]) async throws -> [Reply] {
    let bases = try moments.map { try HostMoment($0) }
    var replies: [Reply] = []
    // The number of replies up to which each event has a request of its own.
    var suspects = 0
    while replies.count < messages.count, !time.isOver {
      try Task.checkCancellation()
      let size = replies.count < suspects ? 1 : Self.requestCount
      let batch = Self.batch(messages[replies.count...].prefix(size), bases)
      guard let rerun = try await time.limit({ try await run(batch, bases) }) else { break }
      // Every second entry is a state that was set back.
      let (events, rest) = (rerun.entries.count + 1).quotientAndRemainder(dividingBy: 2)
      for index in 0..<events { replies.append(.entry(rerun.entries[index * 2])) }
      guard let ended = rerun.ended, rest == 1 else { continue }
      if isCertain(ended) || batch.count == 1 {
        try check(ended)
        replies.append(.ended(ended))
      } else {
        // It is not known which event is the reason.
        suspects = batch.endIndex
      }
    }
    return replies
  }

  /// As many messages as belong in a request, at least one.
  private static func batch(
    _ messages: ArraySlice<Message>, _ bases: [HostMoment]
  ) -> ArraySlice<Message> {
    var bytes = 0
    for index in messages.indices {
      let base = bases[messages[index].moment]
      bytes += (base.state?.range.count ?? 0) + (base.outputs?.range.count ?? 0)
      bytes += messages[index].event.weight(upTo: requestBytes)
      if bytes > requestBytes { return messages[...max(index - 1, messages.startIndex)] }
    }
    return messages
  }

  private func run(_ batch: ArraySlice<Message>, _ bases: [HostMoment]) async throws -> Rerun {
    guard let first = batch.first else { return Rerun() }
    var runner = Runner(make: make, next: 1, base: bases[first.moment])
    var steps: [Runner.Step] = []
    for (index, message) in batch.enumerated() {
      if index > 0 {
        steps.append(
          Runner.Step(
            step: ToRecorder.ReduceStep {
              $0.state = bases[message.moment].state
              $0.outputState = bases[message.moment].outputs
            }))
      }
      let event = try message.event.slice
      steps.append(Runner.Step(step: ToRecorder.ReduceStep { $0.event = event }))
    }
    runner.add(steps)
    return try await host.run(runner)
  }

  /// Whether an early end names the event that caused it.
  private func isCertain(_ ended: EarlyEnd) -> Bool {
    switch ended.why {
    case .trap: !ended.guess
    case .undecodable: true
    case .limit, .gap, .canceled, .failed: false
    }
  }

  private func check(_ ended: EarlyEnd) throws {
    switch ended.why {
    case .trap, .undecodable, .limit: return
    case .gap, .canceled, .failed: throw Refusal(.failed, ended.sentence)
    }
  }

  /// The moment after events from the start.
  func moment(after events: [JSON], from start: Snapshot) async throws -> Snapshot {
    guard !events.isEmpty else { return start }
    var runner = Runner(make: make, next: 1, base: try HostMoment(start))
    runner.add(try steps(events))
    let rerun = try await host.run(runner, quiet: Int64(events.count), snapshot: true)
    guard rerun.ended == nil, let end = rerun.end, let state = end.state else {
      throw Refusal(
        .failed,
        """
        The host '\(host.summary.name)' did not reach a state that it reached before, so its reducer \
        depends on more than its state and event. To see where, run: debugd verify --processes 2
        """)
    }
    return Snapshot(
      state: state.value, outputs: end.outputs?.value ?? .object(JSON.Object()))
  }

  /// Sends events one after the other; the entries, and why there are fewer.
  func run(_ events: [JSON], from start: Snapshot) async throws -> Rerun {
    var runner = Runner(make: make, next: 1, base: try HostMoment(start))
    runner.add(try steps(events))
    return try await host.run(runner)
  }

  private func steps(_ events: [JSON]) throws -> [Runner.Step] {
    try events.map { event in
      let event = try event.slice
      return Runner.Step(step: ToRecorder.ReduceStep { $0.event = event })
    }
  }
}
