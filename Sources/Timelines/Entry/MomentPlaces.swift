/// Where the values of an entry are that say what holds after it, from the start of its line.
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

/// Where a value is, from the start of its line.
package struct ValuePlace: Sendable {
  let start: UInt32
  let end: UInt32

  /// The same place in a text in which the line begins at `line`.
  @inline(__always)
  package func from(_ line: Int) -> Range<Int> { line + Int(start)..<line + Int(end) }
}
