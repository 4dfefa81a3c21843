/// Why a text is not a predicate, and where.
///
/// ```
/// stat.count > 3
/// ^ no value is called 'stat'; did you mean 'state'?
/// ```
public struct PredicateError: Error, Hashable, Sendable {
  /// The error message, with a solution if known.
  public var message: String

  /// The place, counted in Unicode scalars from 1.
  public var column: Int

  /// The place in UTF-8, counted in bytes from 0.
  public var offset: Int
}

extension PredicateError: CustomStringConvertible {
  /// The sentence with its place.
  public var description: String { "\(message) (column \(column))" }
}
