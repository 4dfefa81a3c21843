/// A question about a moment of a timeline, in the small language of filters, searches, watches and
/// minimisation.
///
/// ```swift
/// let failed = try Predicate(#"event == "loggedIn" && outputs.isLoading && changed(state.user)"#)
/// failed.evaluate(EntrySubject(entry: line))
/// ```
/// The language, its grammar and the meaning of each part stand in `docs/predicates.md`; the table
/// `docs/protocol/predicates.json` holds for this implementation and the inspector's alike.
public struct Predicate: Hashable, Sendable {
  /// What it asks, as a tree.
  public let expression: Expression

  /// Reads a text, or says at which column it is not a predicate.
  public init(_ text: String) throws(PredicateError) {
    var parser = try PredicateParser(text)
    expression = try parser.predicate()
  }

  /// The predicate of a tree.
  package init(_ expression: Expression) {
    self.expression = expression
  }

  /// The longest text in UTF-8 bytes: a line that a person types, not a program.
  public static let maxBytes = 4_096

  /// How many parentheses, calls and `!` may stand inside one another; bounds recursion.
  public static let maxDepth = 64
}

extension Predicate {
  /// What one part of a predicate asks.
  public indirect enum Expression: Hashable, Sendable {
    /// Whether the value is anything but `false`, `null` and missing.
    case value(Operand)
    /// How two values compare.
    case compare(Operand, Comparison, Operand)
    /// Whether a string, array or object holds a text, element or key.
    case contains(Operand, Operand)
    /// Whether a string has a place that fits a pattern.
    case matches(Operand, Pattern)
    /// Whether the value at the path differs before and after.
    case changed(Path)
    /// The opposite.
    case not(Expression)
    /// Whether all of two or more hold.
    case all([Expression])
    /// Whether one of two or more holds.
    case any([Expression])
  }

  /// One side of a comparison.
  public enum Operand: Hashable, Sendable {
    /// The value at a path.
    case path(Path)
    /// A value that was written down.
    case literal(Literal)
  }

  /// The ways to compare.
  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    /// Both mean the same.
    case equal = "=="
    /// Both do not mean the same.
    case notEqual = "!="
    /// The first comes before the second.
    case less = "<"
    /// The first comes before the second or means the same.
    case lessOrEqual = "<="
    /// The first comes after the second.
    case greater = ">"
    /// The first comes after the second or means the same.
    case greaterOrEqual = ">="
  }
}

extension Predicate {
  /// Holds at every moment.
  public static let always = Predicate(.value(.literal(.bool(true))))
}
