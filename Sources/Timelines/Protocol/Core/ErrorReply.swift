import JSONCore

/// Says that a message was not understood, or that what it asked for was not done.
///
/// With `re` it answers a request; without, it speaks of a frame that had no id.
package struct ErrorReply: Message {
  package static let type = "error"
  /// What sort of failure it is, for programs.
  package var code = ErrorCode.failed
  /// What happened and what to do, for people.
  package var message = ""
  /// The key of the message that is at fault.
  package var path: String?
  /// The column in a predicate, or the index in an edit script, that is at fault.
  package var at: Int64?
  /// The timeline that it concerns.
  package var timeline: TimelineID?

  package init() {}

  package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
    try fields.field("code", &code)
    try fields.field("message", &message)
    try fields.field("path", &path)
    try fields.field("at", &at)
    try fields.field("timeline", &timeline)
  }
}

/// What sort of failure an error reply tells.
package enum ErrorCode: String, MessageWord, CaseIterable {
  /// The frame is not JSON.
  case malformed
  /// No message of that type comes from this end.
  case unknownType = "unknown-type"
  /// A key that must be there is not.
  case missing
  /// A value of another type was expected.
  case wrongType = "wrong-type"
  /// The value is of the right type and impossible.
  case wrongValue = "wrong-value"
  /// The other end speaks a newer major version.
  case version
  /// Who it is was not proved, or the session has ended.
  case unauthorised
  /// The session lacks the capability, or the app did not opt in.
  case forbidden
  /// There is no such timeline, entry, session, host, upload or request.
  case notFound = "not-found"
  /// It is being written, held or changed by another.
  case conflict
  /// A limit was exceeded.
  case limit
  /// What was asked for depends on states that were not captured.
  case thinned
  /// No host can run this machine.
  case noHost = "no-host"
  /// A later request on the same slot took its place.
  case superseded
  /// It was cancelled.
  case cancelled
  /// It was tried and went wrong.
  case failed
}
