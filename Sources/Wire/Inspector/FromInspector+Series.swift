package import JSONCore
package import Timelines

extension FromInspector {
  /// Requests the changes of some values over a stretch, at the resolution of a drawing.
  ///
  /// The buckets divide the stretch as those of `overview` do.
  package struct Series: Message {
    package static let type = "series"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The paths, `/state/…` or `/outputs/…`; 1 to 64.
    package var paths = [Pointer]()
    /// The first seq or microsecond.
    package var from: Int64 = 0
    /// The last, included.
    package var to: Int64 = 0
    /// Into how many parts, 1 to 2,048; times the number of paths 32,768 at most.
    package var buckets: Int64 = 0
    /// What `from` and `to` count.
    package var by = TimelineAxis.seq

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("paths", &paths)
      try fields.field("from", &from)
      try fields.field("to", &to)
      try fields.field("buckets", &buckets)
      try fields.field("by", &by)
    }
  }
}
