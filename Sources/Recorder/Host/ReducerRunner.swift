package import Timelines

/// Something that runs reducers for a recorder: a process, or a thread of the app.
package protocol ReducerRunner: AnyObject, Sendable {
  /// Where it runs, and what it can make.
  var offer: FromRecorder.HostOffer { get }

  /// Runs a request, and answers it later, in parts. It does not wait.
  func reduce(_ reduce: ToRecorder.Reduce, answer: CommandAnswer)

  /// Ends a request.
  func cancel(_ request: RequestID)

  /// Ends everything that is under way, because nobody waits for it any more.
  func cancelAll()

  /// Ends for good; what is under way is not answered.
  func stop()
}
