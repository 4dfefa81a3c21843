package import Predicates
package import Timelines

extension FromInspector {
  /// Looks for events that lead from a moment to a failure: breadth-first, then at random.
  ///
  /// Traps, and errors that the reducer throws, are found, too; without `until` and `always`, only
  /// these. The events are recorded ones of the machine's type, cases of its schema, and small
  /// changes of both; one with a changed payload counts as two events. The host must be a process,
  /// because an event that traps ends it. The result depends on `seed`, and on the time only if
  /// that ends the search.
  package struct Explore: Message {
    package static let type = "explore"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The entry after which it begins; the last one when absent.
    package var from: Int64?
    /// A predicate to make true.
    package var until: Predicate?
    /// A predicate to make false.
    package var always: Predicate?
    /// The names of events that are not sent.
    package var exclude: [String]?
    /// The time limit of the search; 60 when absent. Minimizing the findings takes up to 20 more.
    package var seconds: Int64?
    /// The maximum number of events after the moment; 64 when absent.
    package var depth: Int64?
    /// The maximum number of states; 200,000 when absent.
    package var states: Int64?
    /// How many ways to the predicate to find, each with another last event; 1 when absent.
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
