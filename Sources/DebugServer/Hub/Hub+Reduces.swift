internal import HostProcesses
package import Timelines

/// What a recorder runs for the daemon, from the request to its last part.
package struct ReduceRelay: Sendable {
  /// The recorder.
  package var recorder: PeerID
  /// What it runs.
  package var request: ToRecorder.Reduce
  /// The id under which it was sent, once it was.
  package var command: Int64?
  /// When it is too late for an answer, once it was sent.
  package var deadline: Int64 = .max
}

/// Recorders as hosts: each runs one request after the other.
extension Hub {
  mutating func reduce(_ number: Int64, _ request: ToRecorder.Reduce, on recorder: PeerID) {
    guard let session = recorders[recorder], session.isReady, session.can.host != nil else {
      return fail(number, "The app that ran the reducer is not connected any more.")
    }
    guard reduces.values.count(where: { $0.recorder == recorder }) < settings.limits.reduces else {
      return fail(number, "Too many requests wait for the host.")
    }
    reduces[number] = ReduceRelay(recorder: recorder, request: request)
    startReduce(on: recorder)
  }

  /// Sends the oldest request that waits, when none is under way.
  private mutating func startReduce(on recorder: PeerID) {
    let ours = reduces.filter { $0.value.recorder == recorder }
    let isBusy = ours.values.contains { $0.command != nil }
    guard !isBusy, let (number, relay) = ours.min(by: { $0.key < $1.key }) else {
      if hosts.note(isBusy: isBusy, of: recorder) { hostsChanged() }
      return
    }
    lastCommand += 1
    let message = Envelope(ToRecorder.reduce(relay.request), id: .number(lastCommand)).encoded()
    guard message.count <= settings.limits.wire.recorderMessage else {
      let limit = settings.limits.wire.recorderMessage
      reduces[number] = nil
      fail(number, "What is to be run takes more than the \(limit) bytes of a message.", .limit)
      return startReduce(on: recorder)
    }
    let time =
      min(relay.request.milliseconds ?? .max, settings.limits.reduceMilliseconds)
      + settings.limits.commandMilliseconds
    reduces[number]?.command = lastCommand
    reduces[number]?.deadline = now + time
    actions.append(.send(recorder, .text(message)))
    wake(in: time)
    if hosts.note(isBusy: true, of: recorder) { hostsChanged() }
  }

  /// Takes what a recorder answers; `false` when it answers something else than a `reduce`.
  mutating func reduced(
    _ id: RequestID, _ answer: FromRecorder, from recorder: PeerID
  ) -> Bool {
    guard case .number(let command) = id,
      let (number, relay) = reduces.first(where: { $0.value.command == command }),
      relay.recorder == recorder
    else { return false }
    switch answer {
    case .reduced(let reduced):
      actions.append(.reduced(number, .reduced(reduced)))
      if reduced.more { return true }
    case .error(let error): actions.append(.reduced(number, .error(error)))
    default: return true
    }
    reduces[number] = nil
    startReduce(on: recorder)
    return true
  }

  /// Nobody waits for a request any more.
  mutating func cancelReduce(_ number: Int64) {
    guard let relay = reduces.removeValue(forKey: number) else { return }
    if let command = relay.command {
      send(
        .cancel(ToRecorder.Cancel { $0.request = .number(command) }), toRecorder: relay.recorder)
    }
    startReduce(on: relay.recorder)
  }

  /// Answers what a recorder that is gone will not answer.
  mutating func failReduces(on recorder: PeerID, _ place: HostPlace?) {
    for (number, relay) in reduces.sorted(by: { $0.key < $1.key }) where relay.recorder == recorder
    {
      reduces[number] = nil
      // The process of its own that may have run it is another one.
      let mayBeCause = relay.command != nil && place == .live
      fail(
        number,
        mayBeCause
          ? """
          The app is gone. It ran the reducer inside itself, from entry \(relay.request.seq) on, \
          which may have ended it. \(HostPool.remedy)
          """
          : "The app that ran the reducer is not connected any more.")
    }
  }

  /// Answers what was not answered in time.
  mutating func expireReduces() {
    for (number, relay) in reduces.sorted(by: { $0.key < $1.key }) where relay.command != nil {
      guard relay.deadline <= now else {
        wake(in: relay.deadline - now)
        continue
      }
      cancelReduce(number)
      fail(number, "The app that runs the reducer did not answer in time.")
    }
  }

  private mutating func fail(_ number: Int64, _ sentence: String, _ code: ErrorCode = .failed) {
    actions.append(.reduced(number, .error(Refusal(code, sentence).reply)))
  }
}
