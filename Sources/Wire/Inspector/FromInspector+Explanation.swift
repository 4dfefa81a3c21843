package import Predicates
package import Timelines

extension FromInspector {
  /// Asks what led to an entry.
  ///
  /// That is the values that a predicate read and who set them, causes, the fewest events, and the
  /// difference from a healthy recording. What cannot be answered is named in the reply.
  package struct Explain: Message {
    package static let type = "explain"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The entry.
    package var seq: Int64 = 0
    /// A predicate that holds after the entry; when absent, the failure of a minimized branch or the
    /// entry's error is explained, else what the entry changed.
    package var predicate: Predicate?
    /// A recording to compare with; when absent, that one without the failure whose events go on like
    /// these for the longest.
    package var healthy: TimelineID?
    /// Whether to look for the fewest events, which runs the reducer.
    package var fewest = false
    /// The time limit of the fewest events; 20 when absent.
    package var seconds: Int64?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("seq", &seq)
      try fields.field("predicate", &predicate)
      try fields.field("healthy", &healthy)
      try fields.flag("fewest", &fewest)
      try fields.field("seconds", &seconds)
    }
  }
}
