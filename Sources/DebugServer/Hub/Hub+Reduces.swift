internal import HostProcesses
internal import Reruns
import Timelines
package import Wire

/// A request that a recorder runs for the daemon, until its last part.
package struct ReduceRelay: Sendable {
  package var recorder: PeerID
  package var request: ToRecorder.Reduce
  /// The id that it was sent under, once it was sent.
  package var command: Int64?
  /// When it times out, once it was sent.
  package var deadline: Int64 = .max
}

/// Recorders as hosts: each runs one request at a time.
extension Hub {
  mutating func reduce(_ number: Int64, _ request: ToRecorder.Reduce, on recorder: PeerID) {
    guard let session = recorders[recorder], session.isReady, session.can.host != nil else {
      return fail(number, "The app that ran the reducer is no longer connected.")
    }
    guard reduces.values.count(where: { $0.recorder == recorder }) < settings.limits.reduces else {
      return fail(number, "Too many requests wait for the host.")
    }
    reduces[number] = ReduceRelay(recorder: recorder, request: request)
    startReduce(on: recorder)
  }

  /// Sends the oldest waiting request, if none is running.
  private mutating func startReduce(on recorder: PeerID) {
    let ours = reduces.filter { $0.value.recorder == recorder }
    let isBusy = ours.values.contains { $0.command != nil }
    guard !isBusy, let (number, relay) = ours.min(by: { $0.key < $1.key }) else {
      if hosts.update(isBusy: isBusy, of: recorder) { hostsChanged() }
      return
    }
    lastCommand += 1
    let message = Envelope(ToRecorder.reduce(relay.request), id: .number(lastCommand)).encoded()
    guard message.count <= settings.limits.wire.recorderMessage else {
      let limit = settings.limits.wire.recorderMessage
      reduces[number] = nil
      fail(number, "The request is longer than the limit of \(limit) bytes.", .limit)
      return startReduce(on: recorder)
    }
    let time =
      min(relay.request.milliseconds ?? .max, settings.limits.reduceMilliseconds)
      + settings.limits.commandMilliseconds
    reduces[number]?.command = lastCommand
    reduces[number]?.deadline = now + time
    actions.append(.send(recorder, .text(message)))
    wake(in: time)
    if hosts.update(isBusy: true, of: recorder) { hostsChanged() }
  }

  /// Handles a recorder's answer; returns false if it is not an answer to `reduce`.
  mutating func reduced(
    _ id: RequestID, _ answer: FromRecorder, from recorder: PeerID
  ) -> Bool {
    guard case .number(let command) = id,
      let (number, relay) = reduces.first(where: { $0.value.command == command }),
      relay.recorder == recorder
    else {
      if case .reduced = answer, !wasSent(id) {
        let wrong = MessageError(.wrongValue("it is the 'id' of the request"), path: "re")
        wrongReduced(nil, wrong, from: recorder)
      }
      return false
    }
    switch answer {
    case .reduced(let reduced):
      actions.append(.reduced(number, .reduced(reduced)))
      if reduced.more { return true }
    case .error(let error): actions.append(.reduced(number, .error(error)))
    case .hello, .open, .append, .close, .confirmed, .done, .released: return true
    }
    reduces[number] = nil
    startReduce(on: recorder)
    return true
  }

  /// Whether any request ever had this id; a late answer to one that is over has one, too.
  private func wasSent(_ id: RequestID) -> Bool {
    guard case .number(let command) = id else { return false }
    return command >= 1 && command <= lastCommand
  }

  /// Fails the request that an answer is meant for, at once: no better answer follows.
  ///
  /// - Parameter id: `nil` if it could not be read; then it is the request that the recorder runs.
  mutating func wrongAnswer(_ id: RequestID?, _ error: MessageError, from recorder: PeerID) {
    if case .number(let command)? = id {
      failRelay(command, error, of: recorder)
      wrongReduced(command, error, from: recorder)
    } else if id == nil {
      wrongReduced(nil, error, from: recorder)
    }
  }

  private mutating func wrongReduced(
    _ command: Int64?, _ error: MessageError, from recorder: PeerID
  ) {
    let found = reduces.first { _, relay in
      relay.recorder == recorder && relay.command != nil
        && (command == nil || relay.command == command)
    }
    guard let number = found?.key else { return }
    // It may go on answering; an answer to a canceled request is ignored.
    cancelReduce(number)
    fail(number, HostMistake.sentence(error))
  }

  mutating func cancelReduce(_ number: Int64) {
    guard let relay = reduces.removeValue(forKey: number) else { return }
    if let command = relay.command {
      send(
        .cancel(ToRecorder.Cancel { $0.request = .number(command) }), toRecorder: relay.recorder)
    }
    startReduce(on: relay.recorder)
  }

  /// Fails the requests to a recorder that disconnected.
  mutating func failReduces(on recorder: PeerID, _ place: HostPlace?) {
    for (number, relay) in reduces.sorted(by: { $0.key < $1.key }) where relay.recorder == recorder
    {
      reduces[number] = nil
      // Its separate process may have crashed and been replaced.
      let mayBeCause = relay.command != nil && place == .live
      fail(
        number,
        mayBeCause
          ? """
          The app is gone. It ran the reducer inside itself, from entry \(relay.request.seq) on, \
          which may have ended it. \(HostPool.remedy)
          """
          : "The app that ran the reducer is no longer connected.")
    }
  }

  /// Fails the requests that were not answered in time.
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
