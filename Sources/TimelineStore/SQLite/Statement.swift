internal import CSQLite

/// A prepared statement, lent to a closure by ``Database``.
struct Statement: ~Copyable {
  /// Safe: the database that prepared it finalizes it, and lends it to one closure at a time.
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    self.handle = handle
  }

  borrowing func bind(_ values: [SQLValue]) throws(DatabaseError) {
    for (offset, value) in values.enumerated() {
      let index = Int32(offset + 1)
      let code =
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .int(let int): sqlite3_bind_int64(handle, index, int)
        case .text(var text):
          text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
              csqlite_bind_text(handle, index, $0.baseAddress, UInt64($0.count))
            }
          }
        case .blob(let bytes):
          bytes.withUnsafeBytes {
            csqlite_bind_blob(handle, index, $0.baseAddress, UInt64($0.count))
          }
        }
      guard code == SQLITE_OK else { throw error(code) }
    }
  }

  /// Advances to the next row; returns whether there is one.
  borrowing func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    case let code: throw error(code)
    }
  }

  borrowing func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// An integer column; 0 if it is null.
  borrowing func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  borrowing func intOrNil(_ column: Int32) -> Int64? { isNull(column) ? nil : int(column) }

  borrowing func text(_ column: Int32) -> String? {
    guard let text = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// A blob column, copied; empty if it is null.
  borrowing func blob(_ column: Int32) -> [UInt8] {
    withBlob(column) { Array($0) }
  }

  /// Lends a blob column.
  ///
  /// Safe: SQLite keeps the bytes until the next step, which cannot happen inside the closure.
  borrowing func withBlob<Value>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    let bytes = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }

  private func error(_ code: Int32) -> DatabaseError {
    let database = sqlite3_db_handle(handle)
    let extended = sqlite3_extended_errcode(database)
    let sql = sqlite3_sql(handle).map { String(cString: $0) } ?? "a statement"
    let verb = sql.split(separator: " ").prefix(3).joined(separator: " ")
    return DatabaseError(
      code: extended == SQLITE_OK ? code : extended, of: database, doing: verb)
  }
}
