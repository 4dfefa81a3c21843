extension EditScript {
  /// The script that drops an entry and, recursively, everything it caused.
  ///
  /// Entries whose state came from outside stay, and so do the entries they caused.
  public init(skipping seq: Int64, withWhatItCausedIn timeline: Timeline) {
    self.init(
      skipping: seq, withWhatItCausedIn: timeline.entries(from: seq, count: .max),
      of: timeline.header.timeline)
  }

  /// The script that drops an entry and everything it caused.
  ///
  /// - Parameters:
  ///   - seq: The entry.
  ///   - entries: The entries from this one on, in order.
  ///   - timeline: Their timeline.
  public init(
    skipping seq: Int64, withWhatItCausedIn entries: some Sequence<Entry>, of timeline: TimelineID
  ) {
    var skipped: Set<Int64> = [seq]
    var ranges = SeqSet()
    ranges.insert(seq...seq)
    for entry in entries where !entry.isFixedPoint && entry.seq > seq {
      // Causes precede their effects, so one pass finds all of them.
      guard let cause = entry.cause(in: timeline), skipped.contains(cause) else { continue }
      skipped.insert(entry.seq)
      ranges.insert(entry.seq...entry.seq)
    }
    self.init(ranges.ranges.map(Edit.drop))
  }
}

extension Entry {
  /// The entry of its own timeline that caused it; `nil` if none did, or one of another timeline.
  package func cause(in timeline: TimelineID) -> Int64? {
    switch cause {
    case .here(let seq): seq
    case .elsewhere(let reference) where reference.timeline == timeline: reference.seq
    case .elsewhere, nil: nil
    }
  }
}
