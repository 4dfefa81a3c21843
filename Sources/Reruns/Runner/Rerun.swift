internal import JSONCore
internal import Synchronization
internal import Timelines
internal import Wire

/// The result of running a stretch of events on a host, with one request.
struct Rerun: Sendable {
  var entries: [Entry] = []
  /// Why there are fewer entries than events.
  var ended: EarlyEnd?
  /// The moment after the last entry, if it was requested.
  var end: HostMoment?
}

extension ReducerHosting {
  /// Runs all steps of a runner with one request.
  ///
  /// - Parameters:
  ///   - quiet: how many entries need not be answered.
  ///   - each: receives the entries of each part of the answer.
  func run(
    _ runner: Runner, quiet: Int64? = nil, snapshot: Bool = false,
    remembered: [ToRecorder.RememberedState] = [],
    each: @Sendable ([Entry]) async throws -> Void = { _ in }
  ) async throws -> Rerun {
    var runner = runner
    guard runner.begin() else { return Rerun() }
    let request = runner.request(quiet: quiet, snapshot: snapshot, remembered: remembered)
    let running = Mutex((runner: runner, rerun: Rerun()))
    try await reduce(request) { part in
      let received = running.withLock { running in
        let received = running.runner.receive(part)
        running.rerun.entries += received.entries
        return received
      }
      if let problem = received.problem { throw problem }
      if !received.entries.isEmpty { try await each(received.entries) }
    }
    var rerun: Rerun
    (runner, rerun) = running.withLock { $0 }
    try runner.finish(by: summary.name)
    (rerun.ended, rerun.end) = (runner.early, runner.snapshot)
    return rerun
  }
}
