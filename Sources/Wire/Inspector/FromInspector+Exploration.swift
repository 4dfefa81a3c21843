package import Predicates
package import Timelines

extension FromInspector {
  /// Looks for events that lead from a moment to a failure.
  package struct Explore: Message {
    package static let type = "explore"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The entry after which it begins; the last one when absent.
    package var from: Int64?
    /// What to reach.
    package var until: Predicate?
    /// What to break.
    package var always: Predicate?
    /// The names of events that are not sent.
    package var exclude: [String]?
    /// The time that the search may take.
    package var seconds: Int64?
    /// The maximum number of events after the moment.
    package var depth: Int64?
    /// The maximum number of states.
    package var states: Int64?
    /// How many ways to the predicate to find, each with another last event.
    package var findings: Int64?
    /// The processes that run the reducer, 1 to 8; one for each core when absent, at most 4.
    package var processes: Int64?
    /// The start of the random walks.
    package var seed: Int64?
    /// Whether errors that the reducer throws are expected, so that they are not findings.
    package var ignoreErrors = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("from", &from)
      try fields.field("until", &until)
      try fields.field("always", &always)
      try fields.field("exclude", &exclude)
      try fields.field("seconds", &seconds)
      try fields.field("depth", &depth)
      try fields.field("states", &states)
      try fields.field("findings", &findings)
      try fields.field("processes", &processes)
      try fields.field("seed", &seed)
      try fields.flag("ignoreErrors", &ignoreErrors)
    }
  }
}
