import JSONCore
import Replaying
import Timelines

/// What a host keeps of timelines between requests, so that a change of the past need not send and
/// read all events again.
///
/// It belongs to the session's thread. What is asked for least goes first; whoever needs it again is
/// told that it is not there.
final class HostMemory {
  private struct Kept {
    let timeline: KeptTimeline
    var used: Int
  }

  private var timelines: [TimelineID: Kept] = [:]
  private var clock = 0

  /// The steps that are kept in all: some 50 MB of small events, as they are in memory.
  static let stepLimit = 250_000

  /// The bytes of events, as they were sent, that are kept in all.
  static let byteLimit = 64 << 20

  /// A timeline, as it was kept for that machine.
  func timeline(_ id: TimelineID, make: String) -> KeptTimeline? {
    guard let found = timelines[id]?.timeline, found.make == make else { return nil }
    clock += 1
    timelines[id]?.used = clock
    return found
  }

  /// Keeps a timeline; whether there is room for it.
  @discardableResult
  func keep(_ timeline: KeptTimeline, as id: TimelineID) -> Bool {
    clock += 1
    timelines[id] = Kept(timeline: timeline, used: clock)
    while timelines.count > 1, !hasRoom {
      guard let oldest = timelines.min(by: { $0.value.used < $1.value.used })?.key else { break }
      timelines[oldest] = nil
    }
    if !hasRoom { timelines[id] = nil }
    return timelines[id] != nil
  }

  private var hasRoom: Bool {
    let steps = timelines.values.reduce(0) { $0 + $1.timeline.steps.count }
    let bytes = timelines.values.reduce(0) { $0 + $1.timeline.bytes }
    return steps <= Self.stepLimit && bytes <= Self.byteLimit
  }
}

/// The steps of a timeline that a host keeps, and for a branch what its own are run from.
final class KeptTimeline {
  /// The expression of the machine.
  let make: String
  /// The seq of the first step.
  let first: Int64
  /// The steps, without a gap.
  var steps: [KeptStep] = []
  /// Their events.
  var events: ReadEvents
  /// About the bytes of the events as they were sent, and of the states on the way.
  var bytes = 0
  /// What the steps from some place on are run from.
  var run: KeptRun?

  init(make: String, first: Int64, events: ReadEvents) {
    self.make = make
    self.first = first
    self.events = events
  }

  /// The seqs of the steps; `nil` when there are none.
  var seqs: ClosedRange<Int64>? {
    steps.isEmpty ? nil : first...first + Int64(steps.count) - 1
  }

  /// The place of a seq among the steps.
  func index(of seq: Int64) -> Int { Int(seq - first) }

  /// Adds a step that was sent.
  func append(_ step: PlannedStep) {
    steps.append(KeptStep(step))
    events.append(step.action)
    switch step.action {
    case .reduce(let event): bytes += event.range.count
    case .take(let entry): bytes += entry.line.range.count
    }
  }

  /// Adds steps of another timeline with their places in this one.
  func append(
    _ other: KeptTimeline, _ seqs: ClosedRange<Int64>, was: Bool,
    cause: (Int64, Int64) -> Int64?
  ) {
    let range = other.index(of: seqs.lowerBound)..<other.index(of: seqs.upperBound) + 1
    var seq = first + Int64(steps.count)
    steps.reserveCapacity(steps.count + range.count)
    for index in range {
      var step = other.steps[index]
      if was { step.was = other.first + Int64(index) }
      if case .here(let parent) = step.cause {
        step.cause = cause(parent, seq).map { .here($0) }
      }
      steps.append(step)
      seq += 1
    }
    events.append(other.events, range)
    // The text is shared; a tenth stands for what is not.
    bytes += other.bytes * range.count / max(1, other.steps.count) / 10
  }
}

/// How the own steps of a branch are run.
struct KeptRun {
  /// The place of the first step that is the branch's own.
  let start: Int
  /// The state before it.
  let state: JSONSlice
  /// Its outputs.
  let outputs: JSONSlice?
  /// The states of earlier entries to which events may go back.
  let remembered: [ToRecorder.RememberedState]
  /// Moments on the way, and the place of the step that comes next.
  var marks: [(next: Int, mark: any ReplayMark)] = []
  /// Who writes the entries one after the other, and the place of the step that comes next.
  var writer: (next: Int, replayer: any RewindingReplayer)?

  /// How many steps are between two moments.
  ///
  /// As many moments are kept as their states may have bytes if nothing of one is in another, and
  /// never so many that copying them is the work.
  func stride(of count: Int) -> Int {
    let most = min(Self.mostMarks, max(1, Self.markBytes / max(1, state.range.count)))
    return max(256, count / most + 1)
  }

  /// A form's moments hold all the states that it can go back to, each.
  private static let mostMarks = 64

  /// The bytes of states that may be kept for a branch.
  private static let markBytes = 16 << 20
}
