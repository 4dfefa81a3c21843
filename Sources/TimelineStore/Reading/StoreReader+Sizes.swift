package import Timelines

// Safe: the bytes are lent for the length of a call by the run that holds them; the places in them
// are those of lines that were checked when they were stored, and nothing reads beyond its end.

extension StoreReader {
  /// The bytes of a timeline's lines that are not sealed yet.
  package func tailBytes(of id: TimelineID) throws(StoreError) -> Int64 {
    let row = try lineage(of: id).row
    return try asking { () throws(DatabaseError) in
      try database.integer("SELECT sum(length(lines)) FROM tail WHERE timeline = ?", .int(row))
    }
  }

  /// The chunks of a timeline as they are stored, to be measured.
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
  /// The zstd frames, and the sizes of what is in them.
  package var frames: [(size: Int, bytes: [UInt8])] = []

  /// Unpacks all, one after the other; answers how many bytes came out.
  package func unpacked() -> Int {
    guard let zstd = Zstd() else { return 0 }
    return frames.reduce(0) { sum, frame in
      sum + frame.bytes.withUnsafeBytes { zstd.unpack($0, count: frame.size)?.count ?? 0 }
    }
  }
}
