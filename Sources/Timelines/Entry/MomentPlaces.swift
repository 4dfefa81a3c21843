/// The places in a line of the values that describe the moment after the entry.
package struct MomentPlaces: Sendable {
  /// The full state.
  package var state: ValuePlace?
  /// The full outputs.
  package var outputState: ValuePlace?
  /// The change of the state.
  package var patch: ValuePlace?
  /// The change of the outputs.
  package var outputs: ValuePlace?
}

/// The place of a value in its line.
package struct ValuePlace: Sendable {
  let start: UInt32
  let end: UInt32

  /// The place in a text in which the line begins at `line`.
  @inline(__always)
  package func from(_ line: Int) -> Range<Int> { line + Int(start)..<line + Int(end) }
}
