package import Timelines

/// What the catalogue holds of a timeline.
package struct TimelineRecord: Sendable {
  /// The timeline.
  package var id: TimelineID
  /// Its row.
  package var row: Int64
  /// The header's line.
  package var header: [UInt8]
  /// The app's name.
  package var app: String
  /// The name that a person gave it.
  package var name: String?
  /// When it started.
  package var started: Timestamp
  /// When something of it was last sealed, in microseconds since 1970.
  package var touched: Int64
  /// The last seq that survives anything.
  package var last: Int64?
  /// The first seq that is kept, the shared prefix of a branch included.
  package var first: Int64?
  /// How many entries it has, the shared prefix of a branch included.
  package var entries: Int64
  /// The `t` of the last entry.
  package var duration: Int64
  /// What its own entries take on disk, without the index.
  package var stored: Int64
  /// The bytes of its own entries' lines.
  package var bytes: Int64
  /// The row of the timeline whose entries it shares, and the first seq that is its own.
  package var parent: Parent?
  /// How many branches start from it.
  package var branches: Int64
  /// Whether its recorder ended it.
  package var isClosed: Bool
  /// What was lost after the last entry.
  package var lostAtEnd: Gap?
  /// The last seq of a branch that is being computed.
  package var computing: Int64?
  /// Why a branch ends before its edits do.
  package var ended: BranchEnd?
  /// Its marks in order.
  package var marks: [Mark]

  /// Where a branch leaves its parent.
  package struct Parent: Hashable, Sendable {
    /// The parent.
    package var id: TimelineID
    /// The parent's row.
    package var row: Int64
    /// The first seq that is not shared.
    package var start: Int64
  }

  /// A mark on an entry.
  package struct Mark: Hashable, Sendable {
    /// The entry.
    package var seq: Int64
    /// What is written on it.
    package var text: String
  }
}
