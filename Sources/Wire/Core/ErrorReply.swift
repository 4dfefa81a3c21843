import JSONCore
package import Timelines

/// Reports that a message was not understood, or that a request failed.
///
/// With `re` it answers a request; without, it speaks of a frame that had no id.
package struct ErrorReply: Message {
  package static let type = "error"
  /// What sort of failure it is, for programs.
  package var code = ErrorCode.failed
  /// What happened and what to do, for people.
  package var message = ""
  /// The invalid key of the message.
  package var path: String?
  /// The column of the error in a predicate, or its index in an edit script.
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

/// The kind of failure of an error reply.
package enum ErrorCode: String, MessageWord, CaseIterable {
  /// The frame is not JSON.
  case malformed
  /// The direction has no message of this type.
  case unknownType = "unknown-type"
  /// A required key is missing.
  case missing
  /// The value has the wrong type.
  case wrongType = "wrong-type"
  /// The value has the right type, but is invalid.
  case wrongValue = "wrong-value"
  /// The peer uses a newer major version.
  case version
  /// The peer did not authenticate, or its session has ended.
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
  /// The request was canceled.
  case canceled = "cancelled"
  /// The request failed.
  case failed
}
