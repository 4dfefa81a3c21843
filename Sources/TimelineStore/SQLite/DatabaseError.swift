internal import CSQLite

/// What SQLite said.
package struct DatabaseError: Error, Hashable, Sendable {
  /// The extended result code.
  package var code: Int32

  /// SQLite's own words.
  package var message: String

  /// What was being done.
  package var doing: String

  /// Whether it is the disk's fault: no room, no permission or an I/O error.
  var isOfDisk: Bool {
    [SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_NOLFS]
      .contains(code & 0xFF)
  }

  /// Whether there is no room, or writing failed on a disk that was there to be written to.
  var isOfWriting: Bool { isFull || code & 0xFF == SQLITE_IOERR }

  /// Whether there is no room.
  var isFull: Bool { code & 0xFF == SQLITE_FULL }

  /// Whether the file is damaged.
  var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF) }
}

extension DatabaseError: CustomStringConvertible {
  /// A sentence.
  package var description: String { "\(doing) failed: \(message) (SQLite \(code))" }
}
