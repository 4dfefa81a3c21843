public import JSONCore
public import Timelines

/// Runs a whole recording again, entry by entry, and compares it.
///
/// Computes the states that were not captured. After lost entries, after an event that could not be
/// written, and where a state came from outside, it continues with the recorded state.
///
/// ```swift
/// func firstDifference(of timeline: Timeline, _ replay: Replay) throws -> ReplayDifference? {
///   var run = TimelineReplay(timeline, with: try replay.makeReplayer())
///   while try run.next() != nil {
///     if let difference = run.differences.first { return difference }
///   }
///   return nil
/// }
/// ```
public struct TimelineReplay {
  /// The recording.
  public let timeline: Timeline

  /// The differences from the recording so far: the first entry of each stretch that differs.
  public private(set) var differences: [ReplayDifference] = []

  private let replayer: any Replayer
  private var recorded: TimelineCursor
  private var index = 0
  private var hasState = false
  /// Whether the state equals the recorded one, if known. While it does, equal patches prove that it
  /// still does.
  private var isEqual: Bool?

  /// Creates a run of a recording, with a replayer without a state.
  public init(_ timeline: Timeline, with replayer: any Replayer) {
    self.timeline = timeline
    self.replayer = replayer
    recorded = TimelineCursor(timeline)
  }

  /// Computes the next entry; `nil` after the last one.
  ///
  /// Entries before the first known state are thinned. If this throws, the entry cannot be run again,
  /// and the entries after it are thinned up to the next recorded state.
  public mutating func next() throws(ReplayError) -> EntryDraft? {
    guard index < timeline.entries.count else { return nil }
    let entry = timeline.entries[index]
    index += 1
    if entry.isBroken {
      hasState = false
      replayer.forget()
    }
    guard hasState || entry.state != nil else {
      isEqual = nil
      var draft = EntryDraft(entry)
      draft.thin()
      return draft
    }
    let (step, computed) = try run(entry)
    var draft = computed
    // A recorded state comes with its recorded error.
    if case .take = step.action { draft.error = entry.error }
    draft.was = entry.was
    draft.gap = entry.gap
    draft.omitted = nil
    compare(draft, with: entry)
    hasState = true
    return draft
  }

  private mutating func run(
    _ entry: Entry
  ) throws(ReplayError) -> (step: PlannedStep, draft: EntryDraft) {
    do throws(ReplayError) {
      let step = try step(for: entry)
      return (step, try replayer.run(step))
    } catch {
      hasState = false
      replayer.forget()
      throw ReplayError(error.reason, at: entry.seq)
    }
  }

  private func step(for entry: Entry) throws(ReplayError) -> PlannedStep {
    let isGiven = !hasState || entry.isFixedPoint
    guard let event = entry.event, !isGiven else {
      return step(of: entry, .take(entry))
    }
    if let seq = try replayer.missing(for: event), seq < entry.seq,
      let state = timeline.state(at: seq)
    {
      let slice = try? JSONSlice(validating: state.encoded())
      if let slice { try replayer.remember(slice, as: seq) }
    }
    return step(of: entry, .reduce(event))
  }

  private func step(of entry: Entry, _ action: PlannedStep.Action) -> PlannedStep {
    PlannedStep(
      seq: entry.seq, was: entry.seq, t: entry.t, action: action, cause: entry.cause,
      origin: entry.origin, at: entry.at)
  }

  private mutating func compare(_ draft: EntryDraft, with entry: Entry) {
    guard !entry.isThinned else {
      isEqual = nil
      return
    }
    if isEqual == true, let patch = entry.patch, patch.bytes == draft.patch,
      entry.outputs?.bytes == draft.outputs
    {
      return
    }
    let wasEqual = isEqual ?? true
    guard case .known(let before)? = recorded.move(to: entry.seq),
      let after = try? replayer.snapshot()
    else { return }
    let state = Patch.difference(from: before.state, to: after.state)
    let outputs = Patch.difference(from: before.outputs, to: after.outputs)
    isEqual = state.isEmpty && outputs.isEmpty
    if isEqual == false, wasEqual {
      differences.append(ReplayDifference(seq: entry.seq, state: state, outputs: outputs))
    }
  }
}

/// A difference between a computed and a recorded entry.
///
/// ```swift
/// let difference = ReplayDifference(seq: 7, state: Patch([.replace(.root, 2)]), outputs: Patch())
/// assert(difference.outputs.isEmpty)
/// ```
public struct ReplayDifference: Hashable, Sendable {
  /// The entry.
  public let seq: Int64
  /// The patch from the recorded state to the computed one.
  public let state: Patch
  /// The patch from the recorded outputs to the computed ones.
  public let outputs: Patch

  /// Creates a difference.
  public init(seq: Int64, state: Patch, outputs: Patch) {
    self.seq = seq
    self.state = state
    self.outputs = outputs
  }
}
