/// A value to bind to a statement.
enum SQLValue {
  case null
  case int(Int64)
  case text(String)
  case blob([UInt8])

  static func int(_ value: Int64?) -> SQLValue { value.map { .int($0) } ?? .null }

  static func text(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }

  /// 0 or 1.
  static func bool(_ value: Bool) -> SQLValue { .int(value ? 1 : 0) }
}
