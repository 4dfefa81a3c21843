/// An incomplete line at the end of a file, from a writer that was stopped.
public struct TornTail: Hashable, Sendable {
  /// The number of bytes.
  public var bytes: Int
  /// The line, counted from 1.
  public var line: Int
  /// The offset at which it begins, and where a writer that continues truncates the file.
  public var offset: Int

  /// Creates a torn tail.
  public init(bytes: Int, line: Int, offset: Int) {
    self.bytes = bytes
    self.line = line
    self.offset = offset
  }
}
