/// A condition on a moment of a timeline, in the language of filters, searches, watches, and
/// minimization.
///
/// ```swift
/// let failed = try Predicate(#"event == "loggedIn" && error != null"#)
/// let entry = try Entry(reading: #"{"seq":7,"t":1,"event":"loggedIn","error":"offline","patch":[]}"#)
/// assert(failed.evaluate(EntrySubject(entry: entry.line)) == .yes)
/// ```
/// `docs/predicates.md` defines the language. The cases in `docs/protocol/predicates.json` test this
/// implementation and that of the inspector.
public struct Predicate: Hashable, Sendable {
  /// The condition as a tree.
  public let expression: Expression

  /// Parses a text. Throws the first error with its column.
  public init(_ text: String) throws(PredicateError) {
    var parser = try PredicateParser(text)
    expression = try parser.predicate()
  }

  /// Creates a predicate from a tree.
  package init(_ expression: Expression) {
    self.expression = expression
  }

  /// The maximum length of a text in UTF-8 bytes.
  public static let maxBytes = 4_096

  /// The maximum nesting of parentheses, calls, and `!`, which limits recursion.
  public static let maxDepth = 64
}

extension Predicate {
  /// A part of a predicate.
  public indirect enum Expression: Hashable, Sendable {
    /// Whether the value is anything but `false`, `null`, and missing.
    case value(Operand)
    /// How two values compare.
    case compare(Operand, Comparison, Operand)
    /// Whether a string, an array, or an object contains a text, an element, or a key.
    case contains(Operand, Operand)
    /// Whether an array contains each element of another one.
    case includes(Operand, Operand)
    /// Whether a pattern matches anywhere in a string.
    case matches(Operand, Pattern)
    /// Whether a leaf of the event, the state, or the outputs passes.
    case anywhere(LeafTest)
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
    /// A literal.
    case literal(Literal)
    /// The sum of the numbers at some paths.
    case sum([Path])
  }

  /// The comparison operators.
  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    /// Both are equal.
    case equal = "=="
    /// Both are not equal.
    case notEqual = "!="
    /// The first comes before the second.
    case less = "<"
    /// The first comes before the second or equals it.
    case lessOrEqual = "<="
    /// The first comes after the second.
    case greater = ">"
    /// The first comes after the second or equals it.
    case greaterOrEqual = ">="
  }
}

extension Predicate {
  /// Holds at every moment.
  public static let always = Predicate(.value(.literal(.bool(true))))
}
