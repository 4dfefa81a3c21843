/// An entry as the recorder wrote it: its line, and what an outbox needs to know without reading it.
package struct WrittenEntry: Sendable {
  /// The number of the entry.
  package let seq: Int64
  /// The line, without a line feed.
  package let line: [UInt8]
  /// Whether it carries the full state.
  package let isKeyframe: Bool

  /// An entry of these parts.
  package init(seq: Int64, line: [UInt8], isKeyframe: Bool) {
    self.seq = seq
    self.line = line
    self.isKeyframe = isKeyframe
  }
}
