import JSONCore

extension TimelineFile {
  /// The recovered part of a damaged file.
  public struct Recovered: Sendable {
    /// The timeline, with gaps and thinned entries where data is missing.
    public var timeline: Timeline
    /// The number of missing entries between others, which gaps now report.
    public var missing: [ClosedRange<Int64>]
    /// The lines that were left out.
    public var skipped: [TimelineFileReader.Skipped]
    /// The number of skipped lines; beyond a limit, they are only counted.
    public var skippedCount: Int
    /// The entries whose state was removed, because the previous entry is missing.
    public var thinned: [Int64]
    /// The keyframes whose missing patches were added.
    public var completed: [Int64]
    /// An incomplete line at the end of the file.
    public var torn: TornTail?

    /// Whether data is missing.
    public var hasLosses: Bool {
      !missing.isEmpty || skippedCount > 0 || !thinned.isEmpty || torn != nil
    }
  }

  /// Reads the readable part of a file.
  ///
  /// Skips lines that cannot be read, or cannot follow the previous ones. The next entry gets a `gap`,
  /// and entries up to the next keyframe lose their patches, but keep their events. A keyframe without
  /// a patch after a known state gets the missing patch. All other entries keep their bytes.
  ///
  /// - Throws: An error if the header cannot be read.
  public static func recover(
    _ bytes: some Collection<UInt8>,
    lineLimit: Int = TimelineFileReader.standardLineLimit
  ) throws(TimelineFileError) -> Recovered {
    var reader = TimelineFileReader(mode: .lenient, lineLimit: lineLimit)
    var repair: Repair?
    func add(_ item: TimelineFileReader.Item) {
      switch item {
      case .header(let header): repair = Repair(Timeline(header))
      case .entry(let entry, let line, let offset): repair?.add(entry, line: line, offset: offset)
      }
    }
    try reader.read(bytes, add)
    let torn = try reader.finish(add)
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

    mutating func add(_ entry: Entry, line: Int, offset: Int) {
      do {
        try appendRepaired(entry)
      } catch {
        skippedCount += 1
        guard skipped.count < TimelineFileReader.skippedLimit else { return }
        let error = TimelineFileError(.order(error), line: line, at: offset)
        skipped.append(.init(error: error, bytes: entry.line.range.count))
      }
    }

    /// Adds an entry, with a gap and changed patches where necessary.
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
        case .notAfter, .timeDecreases, .beyondNumbers, .timeBeyondNumbers: throw error
        }
        if isThinned { draft.thin() }
        // A draft of a valid entry is valid.
        guard let repaired = try? draft.entry() else { throw error }
        let next = (timeline.lastSeq ?? -1) + 1
        try timeline.append(repaired)
        if isBehindLoss { missing.append(next...entry.seq - 1) }
        if isThinned { thinned.append(entry.seq) }
        if isCompleted { completed.append(entry.seq) }
      }
    }

    /// Adds the missing patch to a keyframe if the previous state is known; returns whether it did.
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
