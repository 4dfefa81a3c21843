package import JSONCore

extension ToInspector {
  /// The changes of one value: lists of the same length, with an item for each bucket in which it
  /// changes.
  package struct PathSeries: MessagePart {
    /// The buckets, rising; the first one holds the value that the stretch begins with.
    package var at = [Int64]()
    /// The value at the end of each: a scalar, or an object with `is`.
    package var last = [JSONSlice]()
    /// The least number in each, or `null`.
    package var least = [JSONSlice]()
    /// The greatest number in each, or `null`.
    package var greatest = [JSONSlice]()
    /// How many entries changed the value in each.
    package var changes = [Int64]()
    /// Whether a stand-in replaces the value somewhere in the stretch; the lists are empty then.
    package var redacted = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("at", &at)
      try fields.field("last", &last)
      try fields.field("least", &least)
      try fields.field("greatest", &greatest)
      try fields.field("changes", &changes)
      try fields.flag("redacted", &redacted)
    }
  }

  /// Answers `series`.
  package struct Series: Message {
    package static let type = "series"
    package static let role = MessageRole.reply
    /// One for each path; see [The items of a series](#the-items-of-a-series).
    package var paths = [PathSeries]()
    /// Buckets with lost entries, or after which the values are unknown.
    package var unknown: [SeqRange]?
    /// Buckets in which not every entry was read.
    package var sampled: [SeqRange]?
    /// The last entry of the stretch; absent if it has none.
    package var through: Int64?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("paths", &paths)
      try fields.field("unknown", &unknown)
      try fields.field("sampled", &sampled)
      try fields.field("through", &through)
    }
  }
}
