internal import CPostgres

// Safe: the handle is freed in `deinit`. libpq keeps the bytes of values until then, and `value`
// lends them for the length of a call; rows and columns are checked against the result's size.

/// The rows of a statement, in PostgreSQL's binary format.
final class PostgresResult {
  private let handle: OpaquePointer

  let count: Int

  /// Takes over a result of libpq.
  init(_ handle: OpaquePointer) {
    self.handle = handle
    count = Int(PQntuples(handle))
  }

  deinit {
    PQclear(handle)
  }

  /// The number of rows that a statement changed or returned.
  var changes: Int64 {
    PQcmdTuples(handle).flatMap { Int64(String(cString: $0)) } ?? 0
  }

  /// The rows, each valid as long as the result.
  var rows: [PostgresRow] { (0..<count).map { PostgresRow(result: self, number: Int32($0)) } }

  var first: PostgresRow? { count > 0 ? PostgresRow(result: self, number: 0) : nil }

  fileprivate func value<Value>(
    _ row: Int32, _ column: Int32, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value? {
    guard row < count, column < PQnfields(handle), PQgetisnull(handle, row, column) == 0,
      let start = PQgetvalue(handle, row, column)
    else { return nil }
    return body(
      UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(handle, row, column))))
  }
}

struct PostgresRow {
  fileprivate let result: PostgresResult
  fileprivate let number: Int32

  func intOrNil(_ column: Int32) -> Int64? {
    result.value(number, column) { bytes in
      bytes.reduce(bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0) { $0 << 8 | Int64($1) }
    }
  }

  /// An integer column; 0 if it is null.
  func int(_ column: Int32) -> Int64 { intOrNil(column) ?? 0 }

  func bool(_ column: Int32) -> Bool { int(column) != 0 }

  /// A column of bytes or text as text, or `nil`.
  func text(_ column: Int32) -> String? {
    result.value(number, column) { String(decoding: $0, as: UTF8.self) }
  }

  /// A column of bytes, copied; empty if it is null.
  func blob(_ column: Int32) -> [UInt8] { result.value(number, column) { Array($0) } ?? [] }

  /// Lends a column of bytes; no bytes if it is null.
  func withBlob<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    result.value(number, column, body) ?? body(UnsafeRawBufferPointer(start: nil, count: 0))
  }
}
