public import JSONCore

/// A value that was replaced by a stand-in before it was encoded.
public struct Redaction: Hashable, Sendable {
  /// Where the stand-in is, from the entry on: `/state/token`.
  public var pointer: Pointer

  /// A keyed hash of what was there, or empty.
  public var hash: String

  /// A stand-in at a place.
  public init(_ pointer: Pointer, hash: String = "") {
    self.pointer = pointer
    self.hash = hash
  }
}
