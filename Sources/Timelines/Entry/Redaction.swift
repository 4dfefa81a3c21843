public import JSONCore

/// A value that was replaced by a stand-in before it was encoded.
public struct Redaction: Hashable, Sendable {
  /// The pointer to the stand-in in the entry: `/state/token`.
  public var pointer: Pointer

  /// A keyed hash of the real value, or empty.
  public var hash: String

  /// Creates a redaction.
  public init(_ pointer: Pointer, hash: String = "") {
    self.pointer = pointer
    self.hash = hash
  }
}
