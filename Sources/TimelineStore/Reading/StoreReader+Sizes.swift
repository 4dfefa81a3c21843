package import Timelines

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

extension StoreReader {
  /// The bytes of a timeline's lines that are not sealed yet.
  package func tailBytes(of id: TimelineID) throws(StoreError) -> Int64 {
    let row = try lineage(of: id).row
    return try asking { () throws(DatabaseError) in
      try database.integer("SELECT sum(length(lines)) FROM tail WHERE timeline = ?", .int(row))
    }
  }

  /// The stored chunks of a timeline, for benchmarks.
  package func packedChunks(of id: TimelineID) throws(StoreError) -> PackedChunks {
    let row = try lineage(of: id).row
    return try asking { () throws(DatabaseError) in
      var chunks = PackedChunks()
      let sql = "SELECT bytes, lines FROM chunk WHERE timeline = ? ORDER BY last"
      try database.forEach(sql, .int(row)) { row in
        chunks.frames.append((size: Int(clamping: row.int(0)), bytes: row.blob(1)))
      }
      return chunks
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
