/// Entries that were lost right before this one.
public struct Gap: Hashable, Sendable {
  /// The number of lost entries, at least one.
  public var lost: Int64

  /// The reason, as text.
  public var why: String

  /// Creates a gap.
  public init(lost: Int64, why: String) {
    self.lost = lost
    self.why = why
  }
}
