package import JSONCore
package import Predicates
package import Timelines

extension ToInspector {
  /// Something that an exploration found.
  package struct ExploreFinding: MessagePart {
    /// The kind of failure.
    package var cause = ExploreCause.predicate
    /// The events that lead to it, the last one included.
    package var events = [JSONSlice]()
    /// The branch with these events; absent when it did not happen again, or for `problem`.
    package var timeline: TimelineID?
    /// The error, or what the host reported.
    package var message: String?
    /// Whether no single event can be left out.
    package var minimal = false
    /// Why no branch could be made.
    package var problem: String?
    /// Of several conditions that `always` joins, the one that no longer holds.
    package var broken: Predicate?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("cause", &cause)
      try fields.list("events", &events)
      try fields.field("timeline", &timeline)
      try fields.field("message", &message)
      try fields.flag("minimal", &minimal)
      try fields.field("problem", &problem)
      try fields.field("broken", &broken)
    }
  }

  /// What the events of one name did in an exploration.
  package struct ExploredEvent: MessagePart {
    /// The name.
    package var name = ""
    /// How often one was sent.
    package var sent: Int64 = 0
    /// How often it changed the state or an output.
    package var effects: Int64 = 0
    /// How often it ended with an error or a trap.
    package var failures: Int64 = 0

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("name", &name)
      try fields.field("sent", &sent)
      try fields.field("effects", &effects)
      try fields.field("failures", &failures)
    }
  }

  /// Answers `explore`.
  package struct Explore: Message {
    package static let type = "explore"
    package static let role = MessageRole.reply
    /// The findings, in the order in which they were made.
    package var findings = [ExploreFinding]()
    /// What ended the exploration.
    package var end = ExploreEnd.found
    /// Why the search failed, if that ended it.
    package var problem: String?
    /// How many different states were reached, the first one included.
    package var states: Int64 = 0
    /// How many events were sent.
    package var sent: Int64 = 0
    /// The largest number of events from the start to a state whose events were sent, plus one.
    package var depth: Int64 = 0
    /// How many random walks were made.
    package var walks: Int64?
    /// What the sent events did, by name.
    package var events = [ExploredEvent]()
    /// The events that were not sent: cases of the schema for which none could be made, and recorded
    /// ones that are too large.
    package var missing: [String]?
    /// The names of events that trapped so often that they were no longer sent.
    package var dropped: [String]?
    /// How many events the host could not decode.
    package var undecodable: Int64?
    /// The names of the states that were reached, if states have names.
    package var reached: [String]?
    /// The states of the chart that were not reached.
    package var unreached: [String]?
    /// How many edges of the chart were taken.
    package var edges: Int64?
    /// The edges of the chart that were not taken.
    package var untaken: [String]?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("findings", &findings)
      try fields.field("end", &end)
      try fields.field("problem", &problem)
      try fields.field("states", &states)
      try fields.field("sent", &sent)
      try fields.field("depth", &depth)
      try fields.field("walks", &walks)
      try fields.field("events", &events)
      try fields.field("missing", &missing)
      try fields.field("dropped", &dropped)
      try fields.field("undecodable", &undecodable)
      try fields.field("reached", &reached)
      try fields.field("unreached", &unreached)
      try fields.field("edges", &edges)
      try fields.field("untaken", &untaken)
    }
  }
}
