package import Timelines
package import Wire

package struct TimelineRecord: Sendable {
  package var id: TimelineID
  package var row: Int64
  /// The header's line.
  package var header: [UInt8]
  package var app: String
  /// The name that the user gave it.
  package var name: String?
  package var started: Timestamp
  /// When its entries were last sealed, in microseconds since 1970.
  package var touched: Int64
  /// The last durable seq.
  package var last: Int64?
  /// The first stored seq, including the shared prefix of a branch.
  package var first: Int64?
  /// The number of entries, including the shared prefix of a branch.
  package var entries: Int64
  /// The `t` of the last entry.
  package var duration: Int64
  /// The bytes of its own entries on disk, without the index.
  package var stored: Int64
  /// The bytes of its own entries' lines.
  package var bytes: Int64
  /// The row of the parent, and the first seq that is not shared.
  package var parent: Parent?
  /// The number of branches that start from it.
  package var branches: Int64
  /// Whether its recorder ended it.
  package var isClosed: Bool
  /// The losses after the last entry.
  package var lostAtEnd: Gap?
  /// The last seq of a branch that is being computed.
  package var computing: Int64?
  /// Why a branch ended early.
  package var ended: BranchEnd?
  package var marks: [Mark]

  /// Where a branch leaves its parent.
  package struct Parent: Hashable, Sendable {
    package var id: TimelineID
    /// The parent's row.
    package var row: Int64
    /// The first seq that is not shared.
    package var start: Int64
  }

  package struct Mark: Hashable, Sendable {
    package var seq: Int64
    package var text: String

    package init(seq: Int64, text: String) {
      self.seq = seq
      self.text = text
    }
  }
}
