import JSONCore

/// A pattern for text that is matched in time linear to the text, whatever the pattern.
///
/// ```swift
/// try Pattern(#"^tapped\w+$"#).matches("tappedFavorite")
/// ```
/// The language is the part of regular expressions that needs no backtracking: no back references,
/// no looking around. Characters are Unicode scalars. `docs/predicates.md` lists all of it; the
/// inspector has the same engine.
public struct Pattern: Hashable, Sendable {
  /// The pattern as it was written.
  public let source: String

  let program: PatternProgram

  /// Reads a pattern, or says at which scalar it is none.
  public init(_ source: String) throws(PatternError) {
    var parser = PatternParser(source)
    let tree = try parser.pattern()
    self.source = source
    program = PatternProgram(tree, ignoresCase: parser.ignoresCase)
  }

  /// The instructions that a pattern may take; with them the time for one scalar of text is bounded.
  public static let maxInstructions = 2_000

  /// How many groups may stand inside one another; bounds recursion.
  public static let maxDepth = 64

  /// Whether the text has a place that fits.
  public func matches(_ text: String) -> Bool {
    var matcher = PatternMatcher(program)
    return matcher.matches(text)
  }

  /// Whether both were written alike, byte by byte.
  public static func == (left: Pattern, right: Pattern) -> Bool {
    left.source.hasSameBytes(as: right.source)
  }

  /// Feeds the source.
  public func hash(into hasher: inout Hasher) { source.hashBytes(into: &hasher) }
}

/// Why a text is not a pattern, and where.
public struct PatternError: Error, Hashable, Sendable {
  /// What is wrong, as a sentence.
  public var message: String

  /// The place, counted in Unicode scalars from 0.
  public var offset: Int
}
