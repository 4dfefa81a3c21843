import JSONCore

extension TimelineFile {
  /// What could be saved of a damaged file.
  public struct Recovered: Sendable {
    /// The timeline; what is missing in it is said by gaps and thinned entries.
    public var timeline: Timeline
    /// The lines that were left out.
    public var skipped: [TimelineFileReader.Skipped]
    /// How many there are; beyond a limit they are counted only.
    public var skippedCount: Int
    /// The entries whose state was taken away, because the one before it is missing.
    public var thinned: [Int64]
    /// The beginning of a line at the end of the file.
    public var torn: TornTail?

    /// Whether anything is missing.
    public var hasLosses: Bool { skippedCount > 0 || !thinned.isEmpty || torn != nil }
  }

  /// Reads what can be read of a file.
  ///
  /// Lines that cannot be read, or cannot follow the ones before them, are left out. The next entry
  /// says so by a `gap`, and up to the next keyframe entries keep their events but lose their
  /// patches, which have nothing to apply to. These alone are written anew; all others stay the
  /// bytes they are.
  ///
  /// - Throws: When there is no readable header.
  public static func recover(
    _ bytes: some Collection<UInt8>,
    lineLimit: Int = TimelineFileReader.standardLineLimit
  ) throws(TimelineFileError) -> Recovered {
    var reader = TimelineFileReader(mode: .lenient, lineLimit: lineLimit)
    var repair: Repair?
    func take(_ item: TimelineFileReader.Item) {
      switch item {
      case .header(let header): repair = Repair(Timeline(header))
      case .entry(let entry, let line, let offset): repair?.take(entry, line: line, offset: offset)
      }
    }
    try reader.read(bytes, take)
    let torn = try reader.finish(take)
    guard let repair else { throw TimelineFileError(.empty, line: 1, at: 0) }
    let skipped = (reader.skipped + repair.skipped).sorted { $0.error.line < $1.error.line }
    return Recovered(
      timeline: repair.timeline, skipped: skipped,
      skippedCount: reader.skippedCount + repair.skippedCount, thinned: repair.thinned, torn: torn)
  }

  private struct Repair {
    var timeline: Timeline
    var skipped: [TimelineFileReader.Skipped] = []
    var skippedCount = 0
    var thinned: [Int64] = []

    init(_ timeline: Timeline) {
      self.timeline = timeline
    }

    mutating func take(_ entry: Entry, line: Int, offset: Int) {
      do {
        if try appendRepaired(entry) { thinned.append(entry.seq) }
      } catch {
        skippedCount += 1
        guard skipped.count < TimelineFileReader.skippedLimit else { return }
        let error = TimelineFileError(.order(error), line: line, at: offset)
        skipped.append(.init(error: error, bytes: entry.line.range.count))
      }
    }

    /// Adds an entry, with a gap or without its patches where it must be; answers whether it was
    /// thinned.
    private mutating func appendRepaired(_ entry: Entry) throws(TimelineError) -> Bool {
      do {
        try timeline.append(entry)
        return false
      } catch {
        var draft = EntryDraft(entry)
        switch error.reason {
        case .skips, .gapDoesNotFit:
          let lost = entry.seq - (timeline.lastSeq ?? -1) - 1
          draft.gap = lost > 0 ? Gap(lost: lost, why: "damaged") : nil
        case .patchWithoutBase, .patch, .outputs: break
        case .notAfter, .timeDecreases, .changesMissing: throw error
        }
        let isThinned = !entry.isKeyframe && !entry.isThinned
        if isThinned { draft.thin() }
        // A draft of an entry that was read is an entry.
        guard let repaired = try? draft.entry() else { throw error }
        try timeline.append(repaired)
        return isThinned
      }
    }
  }
}
