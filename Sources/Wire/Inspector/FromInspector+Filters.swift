package import Predicates

extension FromInspector {
  /// Requests the named filters of a type of machine, or its invariants; with a name, keeps or removes
  /// one first.
  package struct Filters: Message {
    package static let type = "filters"
    package static let role = MessageRole.request
    /// The type of the machine, as in a header.
    package var machine = ""
    /// The name of the filter to keep or remove.
    package var name: String?
    /// The filter to keep under the name, in place of the one that has it; absent to remove that one.
    package var predicate: Predicate?
    /// Whether it is about invariants: predicates that hold at every entry. The daemon marks the first
    /// entry of a live timeline that breaks one, and sends a notice.
    package var always = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("machine", &machine)
      try fields.field("name", &name)
      try fields.field("predicate", &predicate)
      try fields.flag("always", &always)
    }
  }
}

extension ToInspector {
  /// A filter or invariant with a name.
  package struct NamedFilter: MessagePart {
    /// The name.
    package var name = ""
    /// The predicate.
    package var predicate = ""

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("name", &name)
      try fields.field("predicate", &predicate)
    }
  }

  /// Answers `filters`.
  package struct Filters: Message {
    package static let type = "filters"
    package static let role = MessageRole.reply
    /// The filters or invariants of the machine, by name.
    package var filters = [NamedFilter]()

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("filters", &filters)
    }
  }
}
