/// A parameter of a statement, sent in PostgreSQL's binary format.
enum PostgresValue {
  case null
  case int(Int64)
  case bool(Bool)
  /// Text without zero bytes, such as an id.
  case text(String)
  case bytes([UInt8])
  case ints([Int64])
  case blobs([[UInt8]])

  static func int(_ value: Int64?) -> PostgresValue { value.map { .int($0) } ?? .null }

  static func text(_ value: String?) -> PostgresValue { value.map { .text($0) } ?? .null }

  /// Text from peers, which may have zero bytes. PostgreSQL's type `text` refuses those.
  static func peerText(_ value: String) -> PostgresValue { .bytes(Array(value.utf8)) }

  static func peerText(_ value: String?) -> PostgresValue {
    value.map { .peerText($0) } ?? .null
  }

  /// The number of the type in PostgreSQL's catalog; these never change. 0 lets the server infer it.
  var type: UInt32 {
    switch self {
    case .null: 0
    case .int: Self.int8
    case .bool: 16
    case .text: 25
    case .bytes: Self.bytea
    case .ints: 1_016
    case .blobs: 1_001
    }
  }

  private static let int8: UInt32 = 20
  private static let bytea: UInt32 = 17

  /// Appends the bytes; returns whether there are any, that is, whether the value is not null.
  func append(to buffer: inout [UInt8]) -> Bool {
    switch self {
    case .null: return false
    case .int(let value): Self.append(value, to: &buffer)
    case .bool(let value): buffer.append(value ? 1 : 0)
    case .text(let text): buffer.append(contentsOf: text.utf8)
    case .bytes(let bytes): buffer.append(contentsOf: bytes)
    case .ints(let values):
      Self.appendArrayHead(values.count, of: Self.int8, to: &buffer)
      for value in values {
        Self.append(Int32(8), to: &buffer)
        Self.append(value, to: &buffer)
      }
    case .blobs(let values):
      Self.appendArrayHead(values.count, of: Self.bytea, to: &buffer)
      for value in values {
        Self.append(Int32(clamping: value.count), to: &buffer)
        buffer.append(contentsOf: value)
      }
    }
    return true
  }

  private static func append(_ value: some FixedWidthInteger, to buffer: inout [UInt8]) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      buffer.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// The head of an array: its dimensions, whether there are nulls, the type of its elements, their
  /// number, and the first index.
  private static func appendArrayHead(_ count: Int, of type: UInt32, to buffer: inout [UInt8]) {
    guard count > 0 else {
      for number in [0, 0, type] { append(number, to: &buffer) }
      return
    }
    for number in [1, 0, type, UInt32(clamping: count), 1] { append(number, to: &buffer) }
  }
}
