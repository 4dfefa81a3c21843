package import Predicates
package import Timelines

extension FromInspector {
  /// Replays a timeline and compares.
  package struct Verify: Message {
    package static let type = "verify"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The first seq; absent for the start.
    package var from: Int64?
    /// The last, included; absent for the end.
    package var to: Int64?
    /// In how many fresh processes, 1 to 8; 1 when absent.
    package var processes: Int64?
    /// Whether a minimized branch is judged by its failure instead of its recorded values.
    package var failure = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("from", &from)
      try fields.field("to", &to)
      try fields.field("processes", &processes)
      try fields.flag("failure", &failure)
    }
  }

  /// Compares two timelines, or one with its events on another host.
  package struct Compare: Message {
    package static let type = "compare"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The other timeline.
    package var with: TimelineID?
    /// The other host.
    package var host: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("with", &with)
      try fields.field("host", &host)
    }
  }

  /// Finds the fewest events for which a predicate holds.
  package struct Minimize: Message {
    package static let type = "minimise"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The predicate.
    package var predicate = Predicate.always
    /// The last entry to use.
    package var through: Int64?
    /// The time that it may take.
    package var seconds: Int64?
    /// Whether it may begin at a keyframe.
    package var laterStart = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("predicate", &predicate)
      try fields.field("through", &through)
      try fields.field("seconds", &seconds)
      try fields.flag("laterStart", &laterStart)
    }
  }

  /// Cancels a request in progress.
  package struct Cancel: Message {
    package static let type = "cancel"
    package static let role = MessageRole.request
    /// Its id.
    package var request = RequestID.number(0)

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("request", &request)
    }
  }
}
