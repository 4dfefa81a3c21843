internal import JSONCore
internal import TimelineStore
internal import Timelines
import Wire

/// The steps of a branch, read from the parent's entries as they are needed.
///
/// A value that is passed between reads of the store: the next batch is read while a host works on
/// this one.
struct StepFeed: Sendable {
  private let parent: TimelineID
  private var steps: ForkSteps
  /// How many steps remain.
  private(set) var left: Int64

  /// The steps of a draft, or the rest of them.
  ///
  /// - Parameter done: how many are computed, and the time of the last entry of the branch.
  init(_ draft: BranchDraft, done: (count: Int64, t: Int64)? = nil) {
    parent = draft.header.parent?.timeline ?? draft.header.timeline
    steps = ForkSteps(draft.plan, baseTime: draft.baseTime)
    left = draft.plan.stepCount
    if let done, done.count > 0 {
      steps.skip(done.count, t: done.t)
      left -= done.count
    }
  }

  /// The next steps, up to a number and a number of bytes of their events.
  mutating func next(
    _ count: Int, bytes: Int, _ reader: StoreReader
  ) throws -> [PlannedStep] {
    var batch: [PlannedStep] = []
    batch.reserveCapacity(Int(clamping: min(Int64(count), left)))
    var window = EntryWindow(reader, try reader.lineage(of: parent))
    var size = 0
    while left > 0, batch.count < count, size < bytes {
      guard let step = try steps.next(entry: { try window.entry(at: $0) }) else {
        throw Refusal(
          .failed, "An entry of the parent that the branch needs no longer exists.",
          timeline: parent)
      }
      left -= 1
      size += step.byteCount
      batch.append(step)
    }
    return batch
  }
}

extension PlannedStep {
  /// The approximate size in a message.
  fileprivate var byteCount: Int {
    switch action {
    case .reduce(let event): event.range.count + 96
    case .take(let entry): entry.line.range.count + 96
    }
  }
}

/// Consecutive entries of a timeline, read from the store in windows.
struct EntryWindow {
  private let reader: StoreReader
  private let lineage: Lineage
  private var piece: StoredPiece?

  init(_ reader: StoreReader, _ lineage: Lineage) {
    self.reader = reader
    self.lineage = lineage
  }

  /// The entry with a seq; `nil` if it does not exist.
  mutating func entry(at seq: Int64) throws -> Entry? {
    if let piece, piece.seqs.contains(seq) { return try piece.entry(at: seq) }
    guard let next = try reader.piece(of: lineage, at: seq), next.seqs.contains(seq) else {
      return nil
    }
    piece = next
    return try next.entry(at: seq)
  }
}
