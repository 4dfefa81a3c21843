/// The beginning of a line at the end of a file, left by a writer that was stopped.
public struct TornTail: Hashable, Sendable {
  /// How many bytes there are of it.
  public var bytes: Int
  /// The line, counted from 1.
  public var line: Int
  /// The byte at which it begins; a writer that goes on cuts the file here.
  public var offset: Int

  /// A tail of that many bytes.
  public init(bytes: Int, line: Int, offset: Int) {
    self.bytes = bytes
    self.line = line
    self.offset = offset
  }
}
