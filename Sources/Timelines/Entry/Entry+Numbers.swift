extension Entry {
  /// The last whole number of the protocol, 2^53 - 1, which every reader keeps exact.
  ///
  /// What is stored stays within it, so that nobody has to expect sums that overflow.
  package static var lastNumber: Int64 { 1 << 53 - 1 }

  /// Refuses an entry whose seq or time nobody could ask for.
  package func checkNumbers() throws(TimelineError) {
    guard seq <= Self.lastNumber, t <= Self.lastNumber else {
      throw TimelineError(.beyondNumbers, at: seq)
    }
  }
}
