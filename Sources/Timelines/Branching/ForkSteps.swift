import JSONCore

/// The steps of a plan, in order. Requests the parent's entries as needed.
///
/// ```swift compiled
/// func numbers(_ plan: ForkPlan, of timeline: Timeline) -> [Int64] {
///   var seqs: [Int64] = []
///   var steps = ForkSteps(plan, baseTime: timeline[plan.start - 1]?.t ?? 0)
///   while let step = steps.next(entry: { timeline[$0] }) { seqs.append(step.seq) }
///   return seqs
/// }
/// ```
public struct ForkSteps: Sendable {
  private let plan: ForkPlan
  private var piece = 0
  private var offset: Int64 = 0
  private var done: Int64 = 0
  private var t: Int64

  /// Creates the steps of a plan. `baseTime` is the time of the entry of the plan's base.
  public init(_ plan: ForkPlan, baseTime: Int64) {
    self.plan = plan
    t = baseTime
  }

  /// The next step; `nil` after the last one, or if the parent's entry is missing.
  public mutating func next<Failure: Error>(
    entry: (Int64) throws(Failure) -> Entry?
  ) throws(Failure) -> PlannedStep? {
    guard piece < plan.pieces.count else { return nil }
    let seq = plan.firstStep + done
    let step: PlannedStep
    switch plan.pieces[piece].piece {
    case .loss: return nil
    case .new(let event, _):
      step = PlannedStep(seq: seq, t: t, action: .reduce(event), origin: .inspector)
    case .entry(let parent, let event, _, let isMoved):
      guard let entry = try entry(parent), let action = Self.action(entry, event) else {
        return nil
      }
      step = self.step(seq, entry, action, keepsTime: !isMoved)
    case .run(let range):
      guard let entry = try entry(range.lowerBound + offset),
        let action = Self.action(entry, nil)
      else { return nil }
      step = self.step(seq, entry, action, keepsTime: true)
      offset += 1
      if range.lowerBound + offset <= range.upperBound {
        done += 1
        t = step.t
        return step
      }
      offset = 0
    }
    piece += 1
    done += 1
    t = step.t
    return step
  }

  /// Skips steps that were already computed; `t` is the time of the last of them.
  public mutating func skip(_ count: Int64, t: Int64) {
    var rest = min(max(0, count), plan.stepCount - done)
    guard rest > 0 else { return }
    done += rest
    self.t = t
    while rest > 0, piece < plan.pieces.count {
      let length =
        if case .run(let range) = plan.pieces[piece].piece {
          range.upperBound - range.lowerBound + 1 - offset
        } else {
          Int64(1)
        }
      guard rest >= length else {
        offset += rest
        return
      }
      rest -= length
      offset = 0
      piece += 1
    }
  }

  private static func action(_ entry: Entry, _ event: JSONSlice?) -> PlannedStep.Action? {
    if entry.isFixedPoint { return .take(entry) }
    return (event ?? entry.event).map(PlannedStep.Action.reduce)
  }

  private func step(
    _ seq: Int64, _ entry: Entry, _ action: PlannedStep.Action, keepsTime: Bool
  ) -> PlannedStep {
    PlannedStep(
      seq: seq, was: entry.seq, t: keepsTime ? entry.t : t, action: action,
      cause: cause(of: entry, at: seq), origin: entry.origin, at: entry.at)
  }

  private func cause(of entry: Entry, at seq: Int64) -> EntryCause? {
    guard case .here(let cause) = entry.cause else { return entry.cause }
    // Drop a cause that now comes later.
    guard let mapped = plan.seq(ofParent: cause), mapped < seq else { return nil }
    return .here(mapped)
  }
}

extension ForkPlan {
  /// All steps, for a parent in memory.
  public func steps(of parent: Timeline) -> [PlannedStep] {
    var steps = ForkSteps(self, baseTime: parent[base.seq]?.t ?? 0)
    var all: [PlannedStep] = []
    while let step = steps.next(entry: { parent[$0] }) { all.append(step) }
    return all
  }
}
