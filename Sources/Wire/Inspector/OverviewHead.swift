package import Timelines

/// The JSON at the start of an overview's binary frame.
package struct OverviewHead: Message {
  package static let type = "overview"
  /// The request that it answers.
  package var re = RequestID.number(0)
  /// The timeline.
  package var timeline = TimelineID.zero
  /// What `from` and `to` count.
  package var by = TimelineAxis.seq
  /// The first seq or microsecond, as in the request.
  package var from: Int64 = 0
  /// The last, included, as in the request.
  package var to: Int64 = 0
  /// Into how many parts the stretch is divided.
  package var buckets: Int64 = 0
  /// The names of the lanes, whose columns come last, in this order.
  package var lanes = [String]()

  package init() {}

  package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
    try fields.field("re", &re)
    try fields.field("timeline", &timeline)
    try fields.field("by", &by)
    try fields.field("from", &from)
    try fields.field("to", &to)
    try fields.field("buckets", &buckets)
    try fields.field("lanes", &lanes)
  }
}
