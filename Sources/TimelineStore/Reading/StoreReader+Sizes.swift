package import Timelines

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

extension StoreReader {
  /// The bytes of a timeline's lines that are not sealed yet.
  package func tailBytes(of id: TimelineID) throws(StoreError) -> Int64 {
    let row = try lineage(of: id).row
    return try rows.tailBytes(of: row)
  }

  /// The stored chunks of a timeline, for benchmarks.
  package func packedChunks(of id: TimelineID) throws(StoreError) -> PackedChunks {
    let row = try lineage(of: id).row
    var chunks = PackedChunks()
    var next: Int64 = 0
    while true {
      let found = try rows.withChunk(.endingFrom(next), of: row) { head, lending in
        var frame: [UInt8] = []
        lending { frame = Array($0) }
        return (last: head.last, size: Int(clamping: head.bytes), frame: frame)
      }
      guard let found, found.last >= next, found.last < .max else { return chunks }
      chunks.frames.append((size: found.size, bytes: found.frame))
      next = found.last + 1
    }
  }
}

/// Chunks as they are stored.
package struct PackedChunks: Sendable {
  /// The zstd frames, with the sizes of their content.
  package var frames: [(size: Int, bytes: [UInt8])] = []

  /// Decompresses all of them, and returns the total size.
  package func unpacked() -> Int {
    guard let zstd = Zstd() else { return 0 }
    return frames.reduce(0) { sum, frame in
      sum + frame.bytes.withUnsafeBytes { zstd.unpack($0, count: frame.size)?.count ?? 0 }
    }
  }
}
