import JSONCore
package import Timelines

/// Reports that a message was not understood, or that a request failed.
///
/// With `re` it answers a request; without, it is about a message without an `id`, or one whose
/// `id` could not be read.
package struct ErrorReply: Message {
  package static let type = "error"
  /// The kind of failure, for programs.
  package var code = ErrorCode.failed
  /// What happened and what to do, a sentence for people.
  package var message = ""
  /// The key of the message that caused the error.
  package var path: String?
  /// The column of the error in a predicate, or its index in an edit script.
  package var at: Int64?
  /// The affected timeline.
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
  /// This end does not send messages of that type.
  case unknownType = "unknown-type"
  /// The key `path` is absent. From a host, it also means that it no longer keeps the steps in
  /// `path` ([why](decisions/0280-missing-asks-to-send-something-again.md)).
  case missing
  /// The key `path` has a value of another type.
  case wrongType = "wrong-type"
  /// The value of the key `path` is impossible; in a header or an entry, a value of another type is
  /// `wrong-value`, too.
  case wrongValue = "wrong-value"
  /// The other end has a newer major version.
  case version
  /// The client is not authenticated, or the session has ended.
  case unauthorised
  /// The session lacks the capability, the app did not opt in, or the value contains stand-ins.
  case forbidden
  /// There is no such timeline, entry, session, host, upload, or request.
  case notFound = "not-found"
  /// Another peer is writing, holding, or changing it.
  case conflict
  /// A limit was exceeded.
  case limit
  /// The result depends on states that were not captured.
  case thinned
  /// No host can run this machine.
  case noHost = "no-host"
  /// A later request with the same `slot` replaced it.
  case superseded
  /// The request was canceled.
  case canceled = "cancelled"
  /// The attempt failed.
  case failed
}
