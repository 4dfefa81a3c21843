import JSONCore

/// A pattern for text. Matching takes linear time, whatever the pattern is.
///
/// ```swift
/// let taps = try Pattern(#"^tapped\w+$"#)
/// assert(taps.matches("tappedFavorite"))
/// ```
/// The language is the part of regular expressions that does not need backtracking: no back
/// references and no lookaround. Characters are Unicode scalars. See `docs/predicates.md`. The
/// inspector has the same engine.
public struct Pattern: Hashable, Sendable {
  /// The pattern's source.
  public let source: String

  let program: PatternProgram

  /// Parses a pattern. Throws the first error with its scalar.
  public init(_ source: String) throws(PatternError) {
    var parser = PatternParser(source)
    let tree = try parser.pattern()
    self.source = source
    program = PatternProgram(tree, ignoresCase: parser.ignoresCase)
  }

  /// The maximum number of instructions, which limits the time for one scalar of text.
  public static let maxInstructions = 2_000

  /// The maximum nesting of groups, which limits recursion.
  public static let maxDepth = 64

  /// Whether the pattern matches anywhere in a text.
  public func matches(_ text: String) -> Bool {
    var matcher = PatternMatcher(program)
    return matcher.matches(text)
  }

  /// Whether both have the same source, byte for byte.
  public static func == (left: Pattern, right: Pattern) -> Bool {
    left.source.hasSameBytes(as: right.source)
  }

  /// Feeds the source.
  public func hash(into hasher: inout Hasher) { source.hashBytes(into: &hasher) }
}

/// Why a text is not a pattern, and where.
public struct PatternError: Error, Hashable, Sendable {
  /// The error message.
  public var message: String

  /// The place, counted in Unicode scalars from 0.
  public var offset: Int
}
