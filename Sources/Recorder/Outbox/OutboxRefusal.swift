package import Timelines

/// Why the other end cannot be believed; the connection ends with this sentence.
package enum OutboxRefusal: Error, Hashable, Sendable {
  /// It acknowledged more than it was sent.
  case beyond(TimelineID, durable: Int64, sent: Int64)
  /// It acknowledged less than before.
  case backwards(TimelineID, durable: Int64, before: Int64)
  /// It speaks of a timeline that it was never told of.
  case unknown(TimelineID)
  /// A number that no credit or limit can be.
  case impossible(String, Int64)
}

extension OutboxRefusal: CustomStringConvertible {
  /// The sentence.
  package var description: String {
    switch self {
    case .beyond(let timeline, let durable, let sent):
      "The timeline \(timeline) was sent up to \(sent), and \(durable) was acknowledged."
    case .backwards(let timeline, let durable, let before):
      "The timeline \(timeline) was acknowledged up to \(before), and then up to \(durable)."
    case .unknown(let timeline): "There is no timeline \(timeline) here."
    case .impossible(let what, let value): "The \(what) cannot be \(value)."
    }
  }
}

/// What comes of a message that the other end refused.
package enum OutboxAnswer: Hashable, Sendable {
  /// Another connection may help.
  case connectAgain
  /// The timeline is given up: how many entries of it were kept, and how many are lost with those
  /// that were not kept, which nothing reports any more.
  case givenUp(kept: Int, lost: Int64)
  /// Nothing is left to send: it was the end of the timeline, which was to report so many losses.
  case over(unreported: Int64)
}
