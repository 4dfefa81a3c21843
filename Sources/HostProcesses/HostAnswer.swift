package import Timelines

/// What comes back for one request to a host's process.
package enum HostAnswer: Sendable {
  /// What the host says it can make; the only answer to a greeting.
  case greeted(FromRecorder.HostOffer)
  /// A part of what `reduce` asked for; the last one has no `more`.
  case reduced(FromRecorder.Reduced)
  /// The answer to `confirm`, unless the host had to end before.
  case confirmed(FromRecorder.Confirmed)
  /// It was not done, and nothing follows.
  case error(ErrorReply)

  /// An answer that says why something was not done.
  static func error(_ code: ErrorCode, _ message: String, path: String? = nil) -> HostAnswer {
    .error(
      ErrorReply {
        $0.code = code
        $0.message = message
        $0.path = path
      })
  }
}

/// What whoever owns a host's process is told beside the answers.
package enum HostProcessNews: Sendable {
  /// It runs, and said what it can make; `why` says why the one before it was ended, when that had
  /// a reason worth telling.
  case started(FromRecorder.HostOffer, why: String?)
  /// It cannot be used, and why.
  case failed(String)
  /// It was not needed any more, and ended.
  case slept
}
