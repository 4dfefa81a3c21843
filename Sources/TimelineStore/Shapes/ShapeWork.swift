internal import JSONCore
internal import Timelines

/// How much work the patches of a timeline may still cost, in bytes that are read and elements that
/// are moved.
///
/// The text of a patch does not bound this work: a short path into deeply nested text reads the text
/// once for each level, and an insertion at the front of an array moves all its elements. The thread
/// that writes for every recorder does it, so it has to stay in proportion to what a recorder sends.
struct ShapeWork {
  /// Below zero, the shape is given up.
  private var left = maximum

  /// What each byte from a recorder adds. A keyframe pays for reading its state a few levels deep,
  /// which is all that ordinary patches need.
  private static let unitsPerByte = 4

  /// What a timeline starts with, and the most that it saves up: some ten milliseconds.
  private static let maximum = 1 << 24

  var isExhausted: Bool { left < 0 }

  /// Whether the maximum is left.
  var isFull: Bool { left >= Self.maximum }

  /// Adds what this many bytes from a recorder pay for.
  mutating func add(bytes: Int) {
    left = min(left, Self.maximum) + bytes * Self.unitsPerByte
  }

  /// Uses up some of it. When it throws, it is exhausted, and the patch is not to blame.
  mutating func use(_ units: Int) throws(PatchError.Reason) {
    left -= units
    guard left >= 0 else { throw .shiftsTooMuch(limit: Self.maximum) }
  }
}

/// Why the patches of an entry were not applied to a shape.
enum ShapeFailure: Error {
  /// An operation does not apply: the recorder's mistake.
  case wrong(TimelineError)
  /// The timeline has used up its work: nothing is known of its patches.
  case tooMuchWork
}
