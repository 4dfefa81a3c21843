internal import HostProcesses
internal import Timelines

/// One `confirm` to a host: asks it, and tells the host when nobody waits any more.
struct ConfirmRun: Sendable {
  /// What the host is called, for sentences.
  let host: String
  /// What is asked.
  let request: ToRecorder.Confirm

  /// Runs the request to its end.
  ///
  /// - Parameters:
  ///   - begin: asks the host, and has it answer by the closure.
  ///   - cancel: tells the host that nobody waits.
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
