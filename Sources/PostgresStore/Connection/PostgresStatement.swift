internal import CPostgres
import TimelineStore

// Safe: the buffers live as long as the closures that hand their addresses to libpq, which copies
// them before it returns; a place in the buffer is below its size.

/// A statement with its parameters.
///
/// It has no name on the server: behind PgBouncer in transaction mode, the next transaction may run
/// on a connection that does not know the name.
struct PostgresStatement {
  let sql: String
  let values: [PostgresValue]

  /// The number of rows that it must change or return; otherwise the transaction is rolled back.
  var expected: Int64?

  /// The error if it changes or returns another number of rows.
  var otherwise: DatabaseServerError

  init(
    _ sql: String, _ values: [PostgresValue] = [], expected: Int64? = nil,
    otherwise: DatabaseServerError = .fenced
  ) {
    self.sql = sql
    self.values = values
    self.expected = expected
    self.otherwise = otherwise
  }

  /// What the statement does, for messages: its first words.
  var verb: String {
    sql.split(whereSeparator: \.isWhitespace).prefix(3).joined(separator: " ")
  }

  /// Lends the parameters in the form that libpq takes.
  func withParameters<Result>(
    _ body: (
      _ count: Int32, _ types: UnsafePointer<Oid>?,
      _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
      _ formats: UnsafePointer<Int32>?
    ) -> Result
  ) -> Result {
    var bytes: [UInt8] = []
    var places: [Range<Int>?] = []
    for value in values {
      let start = bytes.count
      let isThere = value.append(to: &bytes)
      places.append(isThere ? start..<bytes.count : nil)
    }
    // An empty value has an address, too; without one it would be null.
    bytes.append(0)
    let types = values.map { Oid($0.type) }
    let lengths = places.map { Int32(clamping: $0?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: values.count)
    return bytes.withUnsafeBytes { buffer in
      let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = places.map { place in
        place.flatMap { range in base.map { $0 + range.lowerBound } }
      }
      return types.withUnsafeBufferPointer { types in
        pointers.withUnsafeBufferPointer { pointers in
          lengths.withUnsafeBufferPointer { lengths in
            formats.withUnsafeBufferPointer { formats in
              body(
                Int32(values.count), types.baseAddress, pointers.baseAddress, lengths.baseAddress,
                formats.baseAddress)
            }
          }
        }
      }
    }
  }
}
