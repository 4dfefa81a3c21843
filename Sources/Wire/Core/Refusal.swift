package import Timelines

/// Why a request was refused.
package struct Refusal: Error, Sendable {
  /// The error message to send.
  package var reply: ErrorReply

  /// A refusal with a code for programs and a sentence for people.
  package init(
    _ code: ErrorCode, _ message: String, path: String? = nil, timeline: TimelineID? = nil
  ) {
    reply = ErrorReply {
      $0.code = code
      $0.message = message
      $0.path = path
      $0.timeline = timeline
    }
  }

  package init(_ error: MessageError) {
    reply = error.reply
  }

  /// The timeline does not exist.
  package static func noTimeline(_ timeline: TimelineID) -> Refusal {
    Refusal(.notFound, "There is no timeline \(timeline).", path: "timeline", timeline: timeline)
  }
}
