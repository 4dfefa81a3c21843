extension EditScript {
  /// The script that skips an entry with everything it caused, and what that caused, and so on.
  ///
  /// Entries that took their state as given stay, as does what they caused.
  public init(skipping seq: Int64, withWhatItCausedIn timeline: Timeline) {
    self.init(
      skipping: seq, withWhatItCausedIn: timeline.entries(from: seq, count: .max),
      of: timeline.header.timeline)
  }

  /// The script that skips an entry with everything it caused.
  ///
  /// - Parameters:
  ///   - seq: The entry.
  ///   - entries: The entries from it on, in order.
  ///   - timeline: The timeline they are of.
  public init(
    skipping seq: Int64, withWhatItCausedIn entries: some Sequence<Entry>, of timeline: TimelineID
  ) {
    var skipped: Set<Int64> = [seq]
    var ranges = SeqSet()
    ranges.insert(seq...seq)
    for entry in entries where !entry.isFixedPoint && entry.seq > seq {
      let cause: Int64? =
        switch entry.cause {
        case .here(let cause): cause
        case .elsewhere(let reference) where reference.timeline == timeline: reference.seq
        case .elsewhere, nil: nil
        }
      // A cause comes before its effects, so that one pass finds all.
      guard let cause, skipped.contains(cause) else { continue }
      skipped.insert(entry.seq)
      ranges.insert(entry.seq...entry.seq)
    }
    self.init(ranges.ranges.map(Edit.drop))
  }
}
