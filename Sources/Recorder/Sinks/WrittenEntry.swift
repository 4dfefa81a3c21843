/// An encoded entry: its line, and what an outbox needs to know without decoding it.
package struct WrittenEntry: Sendable {
  package let seq: Int64
  /// The line, without a line feed.
  package let line: [UInt8]
  package let isKeyframe: Bool

  package init(seq: Int64, line: [UInt8], isKeyframe: Bool) {
    self.seq = seq
    self.line = line
    self.isKeyframe = isKeyframe
  }
}
