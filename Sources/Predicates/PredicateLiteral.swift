public import JSONCore

extension Predicate {
  /// A value that was written down in a predicate.
  public enum Literal: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, exact.
    case number(JSON.Number)
    /// A string.
    case string(String)

    /// The value as JSON.
    public var json: JSON {
      switch self {
      case .null: .null
      case .bool(let bool): .bool(bool)
      case .number(let number): .number(number)
      case .string(let string): .string(string)
      }
    }

    /// Whether both mean the same; strings by their bytes.
    public static func == (left: Literal, right: Literal) -> Bool { left.json == right.json }

    /// Feeds the value, so that equal ones hash alike.
    public func hash(into hasher: inout Hasher) { json.hash(into: &hasher) }
  }
}
