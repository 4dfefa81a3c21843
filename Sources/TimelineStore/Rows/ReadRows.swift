/// The row of a timeline or of one of its ancestors.
package struct AncestryRow: Hashable, Sendable {
  package var row: Int64
  /// The first seq that is not shared with the parent; `nil` without a parent.
  package var start: Int64?

  package init(row: Int64, start: Int64?) {
    self.row = row
    self.start = start
  }
}

/// Where the entries of a row begin and end.
package struct RowEnds: Hashable, Sendable {
  /// The first seq of the tail.
  package var tail: Int64?
  /// The first and the last seq of all.
  package var seqs: ClosedRange<Int64>?
  /// Whether there are chunks without an index.
  package var hasUnindexed: Bool

  /// - Parameters:
  ///   - tail: the first and the last seq of the tail.
  ///   - chunks: the first and the last seq of the chunks.
  package init(
    tail: (first: Int64?, last: Int64?), chunks: (first: Int64?, last: Int64?), hasUnindexed: Bool
  ) {
    self.tail = tail.first
    self.hasUnindexed = hasUnindexed
    let firsts = [tail.first, chunks.first].compactMap { $0 }
    let lasts = [tail.last, chunks.last].compactMap { $0 }
    if let first = firsts.min(), let last = lasts.max(), first <= last { seqs = first...last }
  }
}

package enum ChunkPlace: Hashable, Sendable {
  /// The first one that ends at a seq or later.
  case endingFrom(Int64)
  /// The last one that ends before a seq.
  case endingBefore(Int64)
}

/// A chunk without its lines.
package struct ChunkHead: Sendable {
  /// An id that is never used again, so that it can be the key of a cache.
  package var id: Int64
  /// Its ordinal among the timeline's chunks.
  package var ordinal: Int64
  /// The first seq.
  package var first: Int64
  /// The last seq.
  package var last: Int64
  /// The `t` of the first and the last entry.
  package var times: ClosedRange<Int64>
  /// The newest keyframe before the chunk.
  package var base: Int64?
  /// The bytes of the lines.
  package var bytes: Int64
  package var isIndexed: Bool
  /// The places of the keyframes, encoded.
  package var keyframes: [UInt8]

  package init(
    id: Int64, ordinal: Int64, first: Int64, last: Int64, times: (Int64, Int64), base: Int64?,
    bytes: Int64, isIndexed: Bool, keyframes: [UInt8]
  ) {
    self.id = id
    self.ordinal = ordinal
    self.first = first
    self.last = last
    self.times = times.0...max(times.0, times.1)
    self.base = base
    self.bytes = bytes
    self.isIndexed = isIndexed
    self.keyframes = keyframes
  }

  var keyframeSeqs: [Int64] {
    KeyframePlaces.decoded(keyframes).map { first + Int64($0.index) }
  }
}

package struct ChunkSize: Hashable, Sendable {
  /// Its ordinal among the timeline's chunks.
  package var ordinal: Int64
  /// The first seq.
  package var first: Int64
  /// The bytes of its frame.
  package var stored: Int64
  package var hasKeyframes: Bool

  package init(ordinal: Int64, first: Int64, stored: Int64, hasKeyframes: Bool) {
    self.ordinal = ordinal
    self.first = first
    self.stored = stored
    self.hasKeyframes = hasKeyframes
  }
}

/// Which rows of the tail to read.
package enum TailPlace: Hashable, Sendable {
  /// From the first one that ends at a seq or later, forward.
  case endingFrom(Int64)
  /// From the last one that starts at a seq or earlier, backward.
  case startingUpTo(Int64)
}

/// A row of the tail.
package struct TailPart: Sendable {
  /// The first seq.
  package var first: Int64
  /// The last seq.
  package var last: Int64
  /// The `t` of the last entry.
  package var t: Int64
  /// The newest keyframe before the row.
  package var base: Int64?
  package var lines: [UInt8]

  package init(first: Int64, last: Int64, t: Int64, base: Int64?, lines: [UInt8]) {
    self.first = first
    self.last = last
    self.t = t
    self.base = base
    self.lines = lines
  }
}

/// Which posting of a key to read.
package enum PostingPlace: Hashable, Sendable {
  /// Of the last chunk that starts up to a seq.
  case upTo(Int64)
  /// Of the first chunk that starts after a seq.
  case after(Int64)
}

/// A row of the pyramid of counts.
package struct LevelRow: Sendable {
  /// Its place in the level.
  package var ordinal: Int64
  /// The first seq.
  package var first: Int64
  /// The last seq.
  package var last: Int64
  /// The `t` of the first and the last entry.
  package var times: ClosedRange<Int64>
  /// The counts, encoded.
  package var summary: [UInt8]

  package init(
    ordinal: Int64, first: Int64, last: Int64, times: (Int64, Int64), summary: [UInt8]
  ) {
    self.ordinal = ordinal
    self.first = first
    self.last = last
    self.times = times.0...max(times.0, times.1)
    self.summary = summary
  }
}
