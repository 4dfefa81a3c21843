import JSONCore

extension TimelineFile {
  /// What could be saved of a damaged file.
  public struct Recovered: Sendable {
    /// The timeline; what is missing in it is said by gaps and thinned entries.
    public var timeline: Timeline
    /// Entries that should stand between two others and do not; a gap says so now.
    public var missing: [ClosedRange<Int64>]
    /// The lines that were left out.
    public var skipped: [TimelineFileReader.Skipped]
    /// How many there are; beyond a limit they are counted only.
    public var skippedCount: Int
    /// The entries whose state was taken away, because the one before it is missing.
    public var thinned: [Int64]
    /// The keyframes that did not say what they changed, and do now.
    public var completed: [Int64]
    /// The beginning of a line at the end of the file.
    public var torn: TornTail?

    /// Whether anything is missing.
    public var hasLosses: Bool {
      !missing.isEmpty || skippedCount > 0 || !thinned.isEmpty || torn != nil
    }
  }

  /// Reads what can be read of a file.
  ///
  /// Lines that cannot be read, or cannot follow the ones before them, are left out. The next entry
  /// says so by a `gap`, and up to the next keyframe entries keep their events but lose their
  /// patches, which have nothing to apply to. A keyframe that lacks its patch after a known state
  /// gets the one that leads there. These alone are written anew; all others stay the bytes they
  /// are.
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
      timeline: repair.timeline, missing: repair.missing, skipped: skipped,
      skippedCount: reader.skippedCount + repair.skippedCount, thinned: repair.thinned,
      completed: repair.completed, torn: torn)
  }

  private struct Repair {
    var timeline: Timeline
    var missing: [ClosedRange<Int64>] = []
    var skipped: [TimelineFileReader.Skipped] = []
    var skippedCount = 0
    var thinned: [Int64] = []
    var completed: [Int64] = []

    init(_ timeline: Timeline) {
      self.timeline = timeline
    }

    mutating func take(_ entry: Entry, line: Int, offset: Int) {
      do {
        try appendRepaired(entry)
      } catch {
        skippedCount += 1
        guard skipped.count < TimelineFileReader.skippedLimit else { return }
        let error = TimelineFileError(.order(error), line: line, at: offset)
        skipped.append(.init(error: error, bytes: entry.line.range.count))
      }
    }

    /// Adds an entry, with a gap, without its patches or with others where it must be.
    private mutating func appendRepaired(_ entry: Entry) throws(TimelineError) {
      do {
        return try timeline.append(entry)
      } catch {
        var draft = EntryDraft(entry)
        let isThinned = !entry.isKeyframe && !entry.isThinned
        var isCompleted = false
        var isBehindLoss = false
        switch error.reason {
        case .skips, .gapDoesNotFit:
          let lost = entry.seq - (timeline.lastSeq ?? -1) - 1
          isBehindLoss = lost > 0
          draft.gap = isBehindLoss ? Gap(lost: lost, why: "damaged") : nil
          isCompleted = lost == 0 && complete(&draft, of: entry)
        case .changesMissing: isCompleted = complete(&draft, of: entry)
        case .patchWithoutBase, .patch, .outputs: break
        case .notAfter, .timeDecreases, .beyondNumbers: throw error
        }
        if isThinned { draft.thin() }
        // A draft of an entry that was read is an entry.
        guard let repaired = try? draft.entry() else { throw error }
        let next = (timeline.lastSeq ?? -1) + 1
        try timeline.append(repaired)
        if isBehindLoss { missing.append(next...entry.seq - 1) }
        if isThinned { thinned.append(entry.seq) }
        if isCompleted { completed.append(entry.seq) }
      }
    }

    /// Gives a keyframe that lacks it the patch from the state before, when that is known; answers
    /// whether it did.
    private func complete(_ draft: inout EntryDraft, of entry: Entry) -> Bool {
      guard entry.patch == nil, let before = timeline.end, let after = Snapshot(keyframe: entry)
      else { return false }
      draft.patch = Self.patch(from: before.state, to: after.state)
      let outputs = Self.patch(from: before.outputs, to: after.outputs)
      draft.outputs = before.outputs == after.outputs ? nil : outputs
      return true
    }

    private static func patch(from before: JSON, to after: JSON) -> ArraySlice<UInt8> {
      Patch.difference(from: before, to: after).json.encoded()[...]
    }
  }
}
