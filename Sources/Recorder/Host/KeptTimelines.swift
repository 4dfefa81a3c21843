import JSONCore
import Replaying
import Timelines
import Wire

/// The timelines that a host keeps between requests, so that an edit of the past need not send and
/// decode all events again.
///
/// Only the session's thread may use it. The least recently used timeline is removed first; a
/// request that needs it is answered with `missing`.
final class KeptTimelines {
  private struct Kept {
    let timeline: KeptTimeline
    var used: Int
  }

  private var timelines: [TimelineID: Kept] = [:]
  private var clock = 0

  /// The maximum number of steps over all timelines: about 50 MB of small events in memory.
  static let stepLimit = 250_000

  /// The maximum bytes of encoded events over all timelines.
  static let byteLimit = 64 << 20

  /// Returns a kept timeline of this machine.
  func timeline(_ id: TimelineID, make: String) -> KeptTimeline? {
    guard let found = timelines[id]?.timeline, found.make == make else { return nil }
    clock += 1
    timelines[id]?.used = clock
    return found
  }

  /// Keeps a timeline; returns whether there is room for it.
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

/// The kept steps of a timeline and, for a branch, what is needed to run its own steps.
final class KeptTimeline {
  /// The expression that makes the machine.
  let make: String
  let first: Int64
  /// The steps, without gaps.
  var steps: [KeptStep] = []
  var events: ReadEvents
  /// The approximate bytes of the encoded events, and of the states among the steps.
  var bytes = 0
  /// For a branch, what is needed to run its own steps.
  var run: KeptRun?

  init(make: String, first: Int64, events: ReadEvents) {
    self.make = make
    self.first = first
    self.events = events
  }

  /// The seqs of the steps; `nil` if there are none.
  var seqs: ClosedRange<Int64>? {
    steps.isEmpty ? nil : first...first + Int64(steps.count) - 1
  }

  /// The index of the step with a seq.
  func index(of seq: Int64) -> Int { Int(seq - first) }

  /// Appends a step of a request.
  func append(_ step: PlannedStep) {
    steps.append(KeptStep(step))
    events.append(step.action)
    switch step.action {
    case .reduce(let event): bytes += event.range.count
    case .take(let entry): bytes += entry.line.range.count
    }
  }

  /// Appends steps of another timeline.
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
    // The text is shared; a tenth is an estimate for the rest.
    bytes += other.bytes * range.count / max(1, other.steps.count) / 10
  }
}

/// What is needed to run a branch's own steps.
struct KeptRun {
  /// The index of the branch's first own step.
  let start: Int
  /// The state before it.
  let state: JSONSlice
  let outputs: JSONSlice?
  /// The states of earlier entries to which events may undo.
  let remembered: [ToRecorder.RememberedState]
  /// Intermediate moments, each with the index of the next step.
  var marks: [(next: Int, mark: any ReplayMark)] = []
  /// The replayer for consecutive requests, with the index of its next step.
  var writer: (next: Int, replayer: any RewindingReplayer)?

  /// The number of steps between two moments.
  ///
  /// The number of moments is limited by the bytes of their states, assuming that they share
  /// nothing, and so that copying them does not dominate.
  func stride(of count: Int) -> Int {
    let most = min(Self.maximumMarks, max(1, Self.markBytes / max(1, state.range.count)))
    return max(256, count / most + 1)
  }

  /// Each moment of a form contains all the states to which it can undo.
  private static let maximumMarks = 64

  /// The maximum bytes of states to keep for a branch.
  private static let markBytes = 16 << 20
}
