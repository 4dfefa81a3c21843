extension Entry {
  /// The greatest integer of the protocol, 2^53 - 1, which every reader represents exactly.
  ///
  /// Stored numbers are within this limit, so that sums cannot overflow.
  package static var lastNumber: Int64 { 1 << 53 - 1 }

  /// Throws if the seq or the time exceeds the limit.
  package func checkNumbers() throws(TimelineError) {
    guard seq <= Self.lastNumber else { throw TimelineError(.beyondNumbers, at: seq) }
    guard t <= Self.lastNumber else { throw TimelineError(.timeBeyondNumbers, at: seq) }
  }
}
