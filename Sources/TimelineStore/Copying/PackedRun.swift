/// Consecutive entries as a zstd frame, on their way between two stores.
///
/// The lines of a stored chunk travel in the frame in which they are stored.
package struct PackedRun: Hashable, Sendable {
  /// The seq of the first entry.
  package var first: Int64
  /// The seq of the last entry.
  package var last: Int64
  /// The bytes of the lines.
  package var bytes: Int64
  /// The lines as a zstd frame with a checksum.
  package var frame: [UInt8]

  package init(first: Int64, last: Int64, bytes: Int64, frame: [UInt8]) {
    self.first = first
    self.last = last
    self.bytes = bytes
    self.frame = frame
  }

  /// The maximum bytes of lines: the longest line that a file may have, and a full chunk before it.
  package static let maximumBytes: Int64 = 96 << 20

  /// The maximum bytes of a frame; zstd adds little to what it cannot compress.
  package static let maximumFrame = Int64(maximumBytes + maximumBytes / 64)

  /// The bytes of lines up to which the ratio is ignored: a recorder's longest message.
  static let freeBytes: Int64 = 17 << 20

  /// The maximum ratio of lines to frame beyond that, as for files.
  static let maximumRatio: Int64 = 1_000
}

/// The own entries of a timeline, without those that it shares with its parent.
package struct OwnExtent: Hashable, Sendable {
  /// The seq of the first one.
  package var first: Int64
  /// The seq of the last one.
  package var last: Int64

  package init(first: Int64, last: Int64) {
    self.first = first
    self.last = last
  }

  /// The entries that two copies of a timeline must agree on; `nil` if they have none in common.
  ///
  /// Retention rewrites the first entry of what it keeps, so if the copies start at different
  /// entries, the first common one may differ.
  package func compared(with other: OwnExtent) -> ClosedRange<Int64>? {
    let start = max(first, other.first)
    let from = first == other.first ? start : start + 1
    let through = min(last, other.last)
    return from <= through ? from...through : nil
  }
}
