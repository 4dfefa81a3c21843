package import JSONCore
package import Predicates
package import Timelines

extension FromInspector {
  /// Requests the entries that changed a value.
  package struct Changes: Message {
    package static let type = "changes"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The path, `/state/…` or `/outputs/…`.
    package var path = Pointer.root
    /// Only entries before that seq, the latest first; also the order if neither `before` nor
    /// `after` is present.
    package var before: Int64?
    /// Only entries after that seq, the earliest first.
    package var after: Int64?
    /// The maximum number of entries.
    package var limit: Int64 = 0
    /// A key, such as `id`, by whose value an element of an array is followed.
    package var follow: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("path", &path)
      try fields.field("before", &before)
      try fields.field("after", &after)
      try fields.field("limit", &limit)
      try fields.field("follow", &follow)
    }
  }

  /// Requests the entries for which a predicate is true.
  package struct Find: Message {
    package static let type = "find"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The predicate.
    package var predicate = Predicate.always
    /// The seq to begin at.
    package var from: Int64 = 0
    /// Which way; `forward` when absent.
    package var direction: SearchDirection?
    /// The maximum number of entries; 1 when absent.
    package var limit: Int64?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("predicate", &predicate)
      try fields.field("from", &from)
      try fields.field("direction", &direction)
      try fields.field("limit", &limit)
    }
  }

  /// Requests the values at some paths in a stretch of entries.
  package struct Column: Message {
    package static let type = "column"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The paths, `/state/…`, `/outputs/…` or `/event/…`.
    package var paths = [Pointer]()
    /// The first seq.
    package var from: Int64 = 0
    /// How many entries.
    package var count: Int64 = 0

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("paths", &paths)
      try fields.field("from", &from)
      try fields.field("count", &count)
    }
  }

  /// Requests counts over a stretch, for drawing.
  package struct Overview: Message {
    package static let type = "overview"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The first seq or microsecond.
    package var from: Int64 = 0
    /// The last, included.
    package var to: Int64 = 0
    /// Into how many parts, 1 to 16,384.
    package var buckets: Int64 = 0
    /// What `from` and `to` count.
    package var by = TimelineAxis.seq

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("from", &from)
      try fields.field("to", &to)
      try fields.field("buckets", &buckets)
      try fields.field("by", &by)
    }
  }

  /// Lets a host compute the states that were not captured in a stretch.
  package struct Compute: Message {
    package static let type = "compute"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The first seq.
    package var from: Int64 = 0
    /// The last, included.
    package var to: Int64 = 0

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("from", &from)
      try fields.field("to", &to)
    }
  }
}
