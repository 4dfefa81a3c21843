import Timelines
package import Wire

/// An answer to one request to a host process.
package enum HostAnswer: Sendable {
  /// The machines the host can make; the only answer to a greeting.
  case greeted(FromRecorder.HostOffer)
  /// A part of the answer to `reduce`; in the last part, `more` is false.
  case reduced(FromRecorder.Reduced)
  /// The answer to `confirm`, unless the host ended before.
  case confirmed(FromRecorder.Confirmed)
  /// The request failed, and no other answer follows.
  case error(ErrorReply)

  static func error(_ code: ErrorCode, _ message: String, path: String? = nil) -> HostAnswer {
    .error(
      ErrorReply {
        $0.code = code
        $0.message = message
        $0.path = path
      })
  }
}

/// A change of a host process, reported to its owner independently of answers.
package enum HostProcessStatus: Sendable {
  /// The process runs, and sent its offer. `why` says why the previous process was ended, if that
  /// was not its own choice.
  case started(FromRecorder.HostOffer, why: String?)
  /// The process cannot be used, and why.
  case failed(String)
  /// The system refuses to run the file now, and why. It may allow it later, without a change of the
  /// file: once its build no longer has it open, for example.
  case refused(String)
  /// The process had no work for the idle time, and was ended.
  case idled
}
