import Timelines
package import Wire

/// Runs reducers for a recorder: a process, or a thread of the app.
package protocol ReducerRunner: AnyObject, Sendable {
  /// Where it runs, and what it can make.
  var offer: FromRecorder.HostOffer { get }

  /// Runs a request and answers it later, in parts. Does not block.
  func reduce(_ reduce: ToRecorder.Reduce, answer: CommandAnswer)

  func cancel(_ request: RequestID)

  /// Cancels all requests, because their peer is gone.
  func cancelAll()

  /// Stops the runner. Current requests are not answered.
  func stop()
}
