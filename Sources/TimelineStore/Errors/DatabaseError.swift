internal import CSQLite
import Foundation

/// An error of SQLite.
package struct DatabaseError: Error, Hashable, Sendable {
  /// The extended result code.
  package var code: Int32

  package var message: String

  /// The failed operation.
  package var doing: String

  /// The database file, if there is one.
  package var file: String?

  /// Whether the disk is the cause: no space, no permission, or an I/O error.
  var isOfDisk: Bool {
    [SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_NOLFS]
      .contains(code & 0xFF)
  }

  /// Whether there is no space, or writing failed on a writable disk.
  var isOfWriting: Bool { isFull || code & 0xFF == SQLITE_IOERR }

  /// Whether a part of the file cannot be read, perhaps permanently.
  var isOfReading: Bool {
    let (read, shortRead) = (SQLITE_IOERR | 1 << 8, SQLITE_IOERR | 2 << 8)
    return code == read || code == shortRead
  }

  /// Whether there is no space.
  var isFull: Bool { code & 0xFF == SQLITE_FULL }

  var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF) }
}

extension DatabaseError {
  /// The error of a connection's last call.
  ///
  /// Safe: SQLite keeps both texts until the next call on the connection, and they are copied here.
  init(code: Int32, of connection: OpaquePointer?, doing: String) {
    let file = sqlite3_db_filename(connection, "main").map { String(cString: $0) }
    self.init(
      code: code, message: String(cString: sqlite3_errmsg(connection)), doing: doing,
      file: file?.isEmpty == true ? nil : file)
  }

  /// What happened and how to recover the data, if the file is damaged.
  package var damage: String? {
    guard isDamage else { return nil }
    // The path is absolute.
    let folder = file.map { $0.split(separator: "/").dropLast().joined(separator: "/") }
    return "The database is damaged (\(self)). " + StoreError.savingAdvice(folder.map { "/\($0)" })
  }
}

extension DatabaseError: CustomStringConvertible {
  package var description: String { "\(doing) failed: \(message) (SQLite \(code))" }
}
