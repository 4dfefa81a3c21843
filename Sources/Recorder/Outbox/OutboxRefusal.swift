package import Timelines

/// A protocol violation of the daemon. It ends the connection with its description.
package enum OutboxRefusal: Error, Hashable, Sendable {
  /// It acknowledged more than was sent.
  case beyond(TimelineID, durable: Int64, sent: Int64)
  /// It acknowledged less than before.
  case backwards(TimelineID, durable: Int64, before: Int64)
  /// It named an unknown timeline.
  case unknown(TimelineID)
  /// It confirmed the end of a timeline that was not closed.
  case notClosed(TimelineID)
  /// It sent an invalid credit or limit.
  case impossible(String, Int64)
}

extension OutboxRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .beyond(let timeline, let durable, let sent):
      "The daemon acknowledged entry \(durable) of timeline \(timeline), but entry \(sent) was the last one sent."
    case .backwards(let timeline, let durable, let before):
      "The daemon acknowledged timeline \(timeline) up to entry \(before), and then only up to \(durable)."
    case .unknown(let timeline):
      "The daemon named timeline \(timeline), which this recorder does not record."
    case .notClosed(let timeline):
      "The daemon confirmed the end of timeline \(timeline), which the recorder did not close."
    case .impossible(let what, let value): "The daemon sent an invalid \(what): \(value)."
    }
  }
}

/// The outcome of a message that the daemon refused.
package enum RefusalOutcome: Hashable, Sendable {
  /// A new connection may help.
  case connectAgain
  /// The timeline is abandoned: how many of its entries were buffered, and how many are lost in
  /// all.
  case abandoned(kept: Int, lost: Int64)
  /// Nothing is left to send: the `close` of the timeline was refused, which reported this many
  /// losses.
  case over(unreported: Int64)
}
