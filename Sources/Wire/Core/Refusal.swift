package import Timelines

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

  package static func noTimeline(_ timeline: TimelineID) -> Refusal {
    Refusal(.notFound, "There is no timeline \(timeline).", path: "timeline", timeline: timeline)
  }

  /// The session does not exist, or has ended.
  package static func noSession(_ id: String) -> Refusal {
    Refusal(
      .notFound, "There is no session \(id). To see which there are, run: debugd status",
      path: "session")
  }

  /// The timeline does not have the entry.
  ///
  /// - Parameter seqs: Its first and last entries; `nil` if it has none.
  package static func noEntry(
    _ seq: Int64, in seqs: ClosedRange<Int64>?, path: String, timeline: TimelineID
  ) -> Refusal {
    let known =
      switch seqs {
      case nil: "There is no entry \(seq): the timeline has no entries."
      case .some(let seqs) where seqs.contains(seq):
        "Entry \(seq) is missing: the timeline has entries \(seqs.lowerBound) to \(seqs.upperBound), with gaps."
      case .some(let seqs) where seqs.count == 1:
        "There is no entry \(seq): the timeline has only entry \(seqs.lowerBound)."
      case .some(let seqs):
        "There is no entry \(seq): the timeline has entries \(seqs.lowerBound) to \(seqs.upperBound)."
      }
    return Refusal(.notFound, known, path: path, timeline: timeline)
  }
}
