package import JSONCore

extension ToInspector {
  /// An entry that changed a value.
  package struct Change: MessagePart {
    /// The entry.
    package var seq: Int64 = 0
    /// The value before; absent when there was none.
    package var old: JSONSlice?
    /// The value after; absent when there is none.
    package var new: JSONSlice?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("seq", &seq)
      try fields.field("old", &old)
      try fields.field("new", &new)
    }
  }

  /// Answers `changes`.
  package struct Changes: Message {
    package static let type = "changes"
    package static let role = MessageRole.reply
    /// The entries, in the requested order.
    package var changes = [Change]()
    /// The ranges where the result is unknown.
    package var unknown: [SeqRange]?
    /// Whether more entries follow.
    package var more = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("changes", &changes)
      try fields.field("unknown", &unknown)
      try fields.flag("more", &more)
    }
  }

  /// A leaf because of which an entry matches a predicate with `anywhere`.
  package struct FoundLeaf: MessagePart {
    /// The entry.
    package var seq: Int64 = 0
    /// The path, `/event/…`, `/state/…` or `/outputs/…`.
    package var path = Pointer.root

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("seq", &seq)
      try fields.field("path", &path)
    }
  }

  /// Answers `find`.
  package struct Find: Message {
    package static let type = "find"
    package static let role = MessageRole.reply
    /// The found entries, in the order of the search.
    package var seqs = [Int64]()
    /// Where to continue; absent at the end.
    package var next: Int64?
    /// The searched ranges where the result is unknown.
    package var unknown: [SeqRange]?
    /// How many entries these are.
    package var unknownCount: Int64 = 0
    /// Where `anywhere` found something in these entries; paths of more than 1 KiB are left out.
    package var leaves: [FoundLeaf]?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("seqs", &seqs)
      try fields.field("next", &next)
      try fields.field("unknown", &unknown)
      try fields.field("unknownCount", &unknownCount)
      try fields.field("leaves", &leaves)
    }
  }

  /// Answers `column`.
  package struct Column: Message {
    package static let type = "column"
    package static let role = MessageRole.reply
    /// The first seq.
    package var from: Int64 = 0
    /// For each path, an array with the value after each entry; `null` if there is none or it is
    /// unknown.
    package var columns = [JSONSlice]()
    /// The ranges where the result is unknown.
    package var unknown: [SeqRange]?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("from", &from)
      try fields.field("columns", &columns)
      try fields.field("unknown", &unknown)
    }
  }
}
