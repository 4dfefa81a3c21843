internal import Synchronization
internal import Timelines
internal import Wire

/// All parts of a host's answer to a request about steps that it keeps.
struct HostAnswerParts: Sendable {
  var entries: [Entry] = []
  var end: HostMoment?
  var ended: EarlyEnd?
  var kept: ClosedRange<Int64>?
  var expanded: [FromRecorder.ExpandedOrigin] = []

  fileprivate mutating func add(_ part: FromRecorder.Reduced) throws(Refusal) {
    for slice in part.entries {
      do { entries.append(try Entry(reading: slice)) } catch {
        throw Refusal(.failed, "The host answered with an invalid entry: \(error)")
      }
    }
    if let state = part.state { end = HostMoment(state: state, outputs: part.outputState) }
    ended = part.ended ?? ended
    kept = part.kept?.seqs ?? kept
    expanded += part.expanded ?? []
  }
}

extension ReducerHosting {
  /// Sends a request, and collects the answer.
  func collect(_ request: ToRecorder.Reduce) async throws -> HostAnswerParts {
    let answer = Mutex(HostAnswerParts())
    try await reduce(request) { part in try answer.withLock { try $0.add(part) } }
    return answer.withLock { $0 }
  }
}
