package import JSONCore
package import Predicates
package import Timelines

extension ToInspector {
  /// An entry in an explanation.
  package struct ExplainedEntry: MessagePart {
    /// The entry.
    package var seq: Int64 = 0
    /// Its timeline, if it is another one.
    package var timeline: TimelineID?
    /// The name of its event; absent if it has none, or is not stored.
    package var name: String?
    /// Its event, unless that is large.
    package var event: JSONSlice?
    /// The call site.
    package var at: String?
    /// The error.
    package var error: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("seq", &seq)
      try fields.field("timeline", &timeline)
      try fields.field("name", &name)
      try fields.field("event", &event)
      try fields.field("at", &at)
      try fields.field("error", &error)
    }
  }

  /// A value that was read.
  package struct ExplainedValue: MessagePart {
    /// Its path.
    package var path = ""
    /// The value, unless it is large or not known.
    package var value: JSONSlice?
    /// The value before the entry, unless it is large or not known.
    package var before: JSONSlice?
    /// The entry of the timeline that set it; absent when it is as at the start.
    package var seq: Int64?
    /// Whether it is certain that no later entry set it.
    package var label = ExplainLabel.recorded

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("path", &path)
      try fields.field("value", &value)
      try fields.field("before", &before)
      try fields.field("seq", &seq)
      try fields.field("label", &label)
    }
  }

  /// An entry that led to another one.
  package struct ExplainedLink: MessagePart {
    /// The entry, by its place in `entries`.
    package var from: Int64 = 0
    /// The one that it led to, by its place in `entries`.
    package var to: Int64 = 0
    /// Why.
    package var reason = ExplainReason.cause
    /// The path of the value, if the reason is one.
    package var path: String?
    /// How this is known.
    package var label = ExplainLabel.recorded

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("from", &from)
      try fields.field("to", &to)
      try fields.field("reason", &reason)
      try fields.field("path", &path)
      try fields.field("label", &label)
    }
  }

  /// The fewest events, found by running the reducer.
  package struct ExplainedFewest: MessagePart {
    /// The events, in order, each with the entry that it was recorded in.
    package var entries = [ExplainedEntry]()
    /// Whether leaving out any one event loses it.
    package var minimal = false
    /// How this is known.
    package var label = ExplainLabel.inferred

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("entries", &entries)
      try fields.flag("minimal", &minimal)
      try fields.field("label", &label)
    }
  }

  /// The first entry that a healthy recording does not have.
  package struct ExplainedDifference: MessagePart {
    /// The healthy recording.
    package var timeline = TimelineID.zero
    /// The entry; absent when the other recording has all of them.
    package var entry: ExplainedEntry?
    /// The entry there whose event has the same name and another payload.
    package var other: ExplainedEntry?
    /// How this is known.
    package var label = ExplainLabel.inferred

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("entry", &entry)
      try fields.field("other", &other)
      try fields.field("label", &label)
    }
  }

  /// Answers `explain`.
  ///
  /// A `label` is `recorded` when the recording says so, and `inferred` when it follows from other things
  /// that were recorded or computed. Values and events of more than 1,024 bytes are left out.
  package struct Explain: Message {
    package static let type = "explain"
    package static let role = MessageRole.reply
    /// What was explained; absent when it is what the entry changed.
    package var predicate: Predicate?
    /// The entry since which it holds without a break.
    package var since: Int64?
    /// The entry, and those that led to it, the nearest first.
    package var entries = [ExplainedEntry]()
    /// What led to what.
    package var links = [ExplainedLink]()
    /// The values that the predicate read; without one, those that the entry changed.
    package var values = [ExplainedValue]()
    /// The fewest events; absent when they were not looked for, or are in `missing`.
    package var fewest: ExplainedFewest?
    /// The difference from a healthy recording.
    package var healthy: ExplainedDifference?
    /// What could not be answered, and how to get it.
    package var missing: [String]?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("predicate", &predicate)
      try fields.field("since", &since)
      try fields.field("entries", &entries)
      try fields.field("links", &links)
      try fields.field("values", &values)
      try fields.field("fewest", &fewest)
      try fields.field("healthy", &healthy)
      try fields.field("missing", &missing)
    }
  }
}
