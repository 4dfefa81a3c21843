internal import Timelines
internal import Wire

/// The columns of a timeline's row, and the sums of its tail's rows.
package struct CatalogRow: Sendable {
  package var row: Int64 = 0
  package var id: String?
  /// The header's line.
  package var header: [UInt8] = []
  package var app = ""
  /// The name that the user gave it.
  package var name: String?
  /// When it started, in microseconds since 1970.
  package var started: Int64 = 0
  /// When its entries were last sealed, in microseconds since 1970.
  package var touched: Int64 = 0
  /// Whether its recorder ended it.
  package var isClosed = false
  /// The number of entries that were lost after the last one.
  package var lost: Int64?
  /// Why they were lost.
  package var why: String?
  /// The last seq of a branch that is being computed.
  package var computing: Int64?
  /// Why a branch ended early, as text.
  package var ended: String?
  package var sealed = Part()
  package var tail = Part()
  /// The bytes of the chunks.
  package var stored: Int64 = 0
  package var parent: String?
  package var parentRow: Int64 = 0
  /// The first seq that a branch does not share.
  package var start: Int64?
  /// The number of entries that it shares.
  package var shared: Int64 = 0
  /// The first of them.
  package var sharedFirst: Int64?
  /// The number of branches that start from it.
  package var branches: Int64 = 0

  /// A part of the entries.
  package struct Part: Sendable {
    package var entries: Int64 = 0
    /// The first seq.
    package var first: Int64?
    /// The last seq.
    package var last: Int64?
    /// The `t` of the last one.
    package var t: Int64?
    /// The bytes of the lines.
    package var bytes: Int64 = 0

    package init() {}

    package init(entries: Int64, first: Int64?, last: Int64?, t: Int64?, bytes: Int64) {
      self.entries = entries
      self.first = first
      self.last = last
      self.t = t
      self.bytes = bytes
    }
  }

  package init() {}

  /// The timeline without its marks; `nil` if its id is not one.
  package var record: TimelineRecord? {
    guard let id = id.flatMap({ TimelineID($0) }) else { return nil }
    var last = tail.last ?? sealed.last
    if last == nil, sharedFirst != nil { last = start.map { $0 - 1 } }
    var record = TimelineRecord(
      id: id, row: row, header: header, app: app, name: name,
      started: Timestamp(microseconds: started), touched: touched, last: last,
      first: sharedFirst ?? sealed.first ?? tail.first,
      entries: sealed.entries + shared + tail.entries, duration: tail.t ?? sealed.t ?? 0,
      stored: stored + tail.bytes, bytes: sealed.bytes + tail.bytes, branches: branches,
      isClosed: isClosed, computing: computing,
      ended: ended.flatMap { BranchEnd(rawValue: $0) }, marks: [])
    record.lostAtEnd = lost.map { Gap(lost: $0, why: why ?? "") }
    if let start, let parent = parent.flatMap({ TimelineID($0) }) {
      record.parent = TimelineRecord.Parent(id: parent, row: parentRow, start: start)
    }
    return record
  }
}
