internal import CSQLite
import Foundation

/// What SQLite said.
package struct DatabaseError: Error, Hashable, Sendable {
  /// The extended result code.
  package var code: Int32

  /// SQLite's own words.
  package var message: String

  /// What was being done.
  package var doing: String

  /// The database's file, where there is one.
  package var file: String?

  /// Whether it is the disk's fault: no room, no permission or an I/O error.
  var isOfDisk: Bool {
    [SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_NOLFS]
      .contains(code & 0xFF)
  }

  /// Whether there is no room, or writing failed on a disk that was there to be written to.
  var isOfWriting: Bool { isFull || code & 0xFF == SQLITE_IOERR }

  /// Whether a part of the file cannot be read, which may stay so.
  var isOfReading: Bool {
    let (read, shortRead) = (SQLITE_IOERR | 1 << 8, SQLITE_IOERR | 2 << 8)
    return code == read || code == shortRead
  }

  /// Whether there is no room.
  var isFull: Bool { code & 0xFF == SQLITE_FULL }

  /// Whether the file is damaged.
  var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF) }
}

extension DatabaseError {
  /// What a connection says about its last call.
  ///
  /// Safe: SQLite keeps both texts until the next call on the connection, and they are copied here.
  init(code: Int32, of connection: OpaquePointer?, doing: String) {
    let file = sqlite3_db_filename(connection, "main").map { String(cString: $0) }
    self.init(
      code: code, message: String(cString: sqlite3_errmsg(connection)), doing: doing,
      file: file?.isEmpty == true ? nil : file)
  }

  /// What happened and how to save the data, where the file is damaged.
  package var damage: String? {
    guard isDamage else { return nil }
    // The path is absolute.
    let folder = file.map { $0.split(separator: "/").dropLast().joined(separator: "/") }
    return "The database is damaged (\(self)). " + StoreError.savingAdvice(folder.map { "/\($0)" })
  }
}

extension DiskError {
  /// What SQLite would have called it.
  var sqliteCode: Int32 {
    switch code {
    case ENOSPC, EDQUOT: SQLITE_FULL
    case EIO: SQLITE_IOERR
    case EROFS: SQLITE_READONLY
    default: SQLITE_CANTOPEN
    }
  }
}

extension DatabaseError: CustomStringConvertible {
  /// A sentence.
  package var description: String { "\(doing) failed: \(message) (SQLite \(code))" }
}
