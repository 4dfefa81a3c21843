package import Predicates
package import Timelines

extension FromInspector {
  /// Requests conditions that held at every entry of some recordings of one type of machine.
  ///
  /// They are proposed from the first and the last 10,000 entries of each recording; then each is
  /// tried at all entries. At most 64 recordings are searched.
  package struct Invariants: Message {
    package static let type = "invariants"
    package static let role = MessageRole.request
    /// The recordings.
    package var timelines = [TimelineID]()
    /// Whether to search the other recordings of this type of machine, too, but no branches.
    package var others = false
    /// Whether to leave out the kinds that often hold by chance: `subset`, `range`, `constant`, and
    /// `present`.
    package var meant = false
    /// The maximum number of invariants, 1 to 200 (default: 20).
    package var limit: Int64?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timelines", &timelines)
      try fields.flag("others", &others)
      try fields.flag("meant", &meant)
      try fields.field("limit", &limit)
    }
  }
}

extension ToInspector {
  /// A condition that held at every entry.
  package struct FoundInvariant: MessagePart {
    /// What kind of condition it is.
    package var kind = InvariantKind.constant
    /// The condition.
    package var predicate = Predicate.always
    /// At how many of the entries that it was proposed from its values are known.
    package var support: Int64 = 0

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("kind", &kind)
      try fields.field("predicate", &predicate)
      try fields.field("support", &support)
    }
  }

  /// Answers `invariants`.
  package struct Invariants: Message {
    package static let type = "invariants"
    package static let role = MessageRole.reply
    /// What held, the most surprising first.
    package var invariants = [FoundInvariant]()
    /// At how many entries each was tried.
    package var entries: Int64 = 0
    /// At how many of them the recordings do not say whether it held.
    package var unknown: Int64?
    /// In how many recordings these entries are.
    package var recordings: Int64 = 0
    /// How many older recordings were not searched.
    package var skipped: Int64?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("invariants", &invariants)
      try fields.field("entries", &entries)
      try fields.field("unknown", &unknown)
      try fields.field("recordings", &recordings)
      try fields.field("skipped", &skipped)
    }
  }
}
