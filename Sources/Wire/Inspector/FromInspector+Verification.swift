package import Predicates
package import Timelines

extension FromInspector {
  /// Replays a timeline and compares.
  ///
  /// The outcome is `inconclusive` if nothing could be compared, if entries were not captured and
  /// no later captured entry confirms them, or if it differs after a value was redacted, also
  /// before `from`. With several processes, each also makes entry 0 again.
  ///
  /// The recorded values of a branch that `minimise` made are those of a bug. With `failure`, such
  /// a branch is judged by the predicate in its header's `parent.failure`: the outcome is `fails`
  /// at the first entry after which the predicate is true or at which the run ends early, `passes`
  /// if there is none, and `inconclusive` if the values that the predicate reads are unknown.
  package struct Verify: Message {
    package static let type = "verify"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The first seq; absent for the start.
    package var from: Int64?
    /// The last, included; absent for the end.
    package var to: Int64?
    /// The number of fresh processes, 1 to 8; 1 when absent.
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
    /// The other timeline; absent to compare with a rerun.
    package var with: TimelineID?
    /// The host that runs the events again; absent for any, if `with` is absent, too.
    package var host: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("with", &with)
      try fields.field("host", &host)
    }
  }

  /// Finds the fewest events for which a predicate is true.
  ///
  /// A failure further than 1,000,000 entries from the beginning is refused. If a few of n events
  /// matter, it takes about that few times log n runs, plus one for each remaining event and each
  /// simpler payload; if all matter, about n runs.
  package struct Minimize: Message {
    package static let type = "minimise"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The predicate.
    package var predicate = Predicate.always
    /// The last entry to use.
    package var through: Int64?
    /// The time limit.
    package var seconds: Int64?
    /// Whether it may begin at a keyframe.
    package var laterStart = false
    /// Whether the remaining events stay as they were recorded, instead of becoming simpler.
    package var keepPayloads = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("predicate", &predicate)
      try fields.field("through", &through)
      try fields.field("seconds", &seconds)
      try fields.flag("laterStart", &laterStart)
      try fields.flag("keepPayloads", &keepPayloads)
    }
  }

  /// Cancels a request in progress.
  package struct Cancel: Message {
    package static let type = "cancel"
    package static let role = MessageRole.request
    /// The `id` of that request.
    package var request = RequestID.number(0)

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("request", &request)
    }
  }
}
