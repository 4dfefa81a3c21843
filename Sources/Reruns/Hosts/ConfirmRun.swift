internal import HostProcesses
internal import Timelines
internal import Wire

/// One `confirm` request to a host; the host is notified if the caller stops waiting.
struct ConfirmRun: Sendable {
  /// The host's name, for messages.
  let host: String
  let request: ToRecorder.Confirm

  /// Runs the request to its end.
  ///
  /// - Parameters:
  ///   - begin: sends the request; the host's answer goes to the closure.
  ///   - cancel: notifies the host that the request was canceled.
  func callAsFunction(
    begin: (@escaping @Sendable (HostAnswer) -> Void) -> Void,
    cancel: @escaping @Sendable () -> Void
  ) async throws -> FromRecorder.Confirmed {
    try Task.checkCancellation()
    let answers = ReduceAnswers()
    var result = FromRecorder.Confirmed()
    begin { answers.add($0) }
    try await withTaskCancellationHandler {
      try await answers.forEach { answer in
        switch answer {
        // A trap, or a limit: nothing is confirmed.
        case .greeted, .reduced: return
        case .confirmed(let confirmed): result = confirmed
        case .error(let error): throw error.thrown(byHost: host)
        }
      }
    } onCancel: {
      cancel()
    }
    return result
  }
}
