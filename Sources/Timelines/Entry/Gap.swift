/// Entries that were lost right before the one that says so.
public struct Gap: Hashable, Sendable {
  /// How many were lost, at least one.
  public var lost: Int64

  /// Why, in words.
  public var why: String

  /// A loss of that many.
  public init(lost: Int64, why: String) {
    self.lost = lost
    self.why = why
  }
}
