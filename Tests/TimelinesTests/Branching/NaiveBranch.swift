import JSONCore

@testable import Timelines

/// The rules of branches once more, on a plain list that is searched from the front; slow and
/// obvious, to compare the real ones with.
struct NaiveBranch {
  enum Item: Equatable {
    case start(Int64, given: String?)
    case entry(Int64, new: String?, isMoved: Bool)
    case new(String)
    case gap(before: Int64)

    var seq: Int64? {
      switch self {
      case .start(let seq, _), .entry(let seq, _, _): seq
      case .new, .gap: nil
      }
    }
  }

  enum Failure: Error, Equatable {
    case doesNotExist, removed, isStart, isFixedPoint
  }

  struct Step: Equatable {
    var seq: Int64
    var was: Int64?
    var t: Int64
    /// The event's text, or `nil` for a state that is taken as given.
    var event: String?
    var cause: Int64?
  }

  struct Result: Equatable {
    var start: Int64
    var base: String
    var steps: [Step]
    var gap: Int64?
  }

  let parent: [Entry]
  let through: Int64
  var list: [Item]

  init(_ timeline: Timeline, through: Int64) {
    parent = timeline.entries.filter { $0.seq <= through }
    self.through = through
    list = []
    for entry in parent {
      if list.isEmpty {
        list.append(.start(entry.seq, given: nil))
      } else {
        if entry.gap != nil { list.append(.gap(before: entry.seq)) }
        list.append(.entry(entry.seq, new: nil, isMoved: false))
      }
    }
  }

  func find(_ seq: Int64) throws(Failure) -> Int {
    guard parent.contains(where: { $0.seq == seq }) else { throw .doesNotExist }
    guard let index = list.firstIndex(where: { $0.seq == seq }) else { throw .removed }
    return index
  }

  func findEvent(_ seq: Int64) throws(Failure) -> Int {
    let index = try find(seq)
    if index == 0 { throw .isStart }
    if parent.contains(where: { $0.seq == seq && $0.isFixedPoint }) { throw .isFixedPoint }
    return index
  }

  /// Where to insert before an entry; lost entries stay right before it.
  func place(before seq: Int64) throws(Failure) -> Int {
    if seq == through + 1 { return list.count }
    let index = try find(seq)
    if index == 0 { throw .isStart }
    if case .entry(_, _, isMoved: false) = list[index], list[index - 1] == .gap(before: seq) {
      return index - 1
    }
    return index
  }

  mutating func apply(_ edit: Edit) throws(Failure) {
    switch edit {
    case .drop(let range):
      var seqs: [Int64] = []
      for seq in range {
        _ = try findEvent(seq)
        seqs.append(seq)
      }
      list.removeAll { $0.seq.map(seqs.contains) ?? false }
    case .replace(let seq, let event):
      let index = try findEvent(seq)
      guard case .entry(_, _, let isMoved) = list[index] else { return }
      list[index] = .entry(seq, new: event.text, isMoved: isMoved)
    case .insert(let event, let seq): list.insert(.new(event.text), at: try place(before: seq))
    case .move(let seq, let target):
      let index = try findEvent(seq)
      _ = try place(before: target)
      if seq == target { return }
      guard case .entry(_, let new, _) = list.remove(at: index) else { return }
      list.insert(.entry(seq, new: new, isMoved: true), at: try place(before: target))
    case .append(let event): list.append(.new(event.text))
    case .cut(let seq): list.removeSubrange((try find(seq) + 1)...)
    case .start(let state):
      guard case .start(let seq, _) = list[0] else { return }
      list[0] = .start(seq, given: state.text)
    case .startAt(let seq):
      let index = try find(seq)
      list.removeSubrange(...index)
      list.insert(.start(seq, given: nil), at: 0)
    }
  }

  func result() -> Result {
    var original: [Item] = []
    for entry in parent {
      if original.isEmpty {
        original.append(.start(entry.seq, given: nil))
      } else {
        if entry.gap != nil { original.append(.gap(before: entry.seq)) }
        original.append(.entry(entry.seq, new: nil, isMoved: false))
      }
    }
    let list = self.list.map { simplified($0) }
    var same = 0
    while same < list.count, same < original.count, list[same] == original[same] { same += 1 }
    if same > 0, case .gap = list[same - 1] { same -= 1 }
    var base = ""
    var next: Int64 = 0
    var t: Int64 = 0
    var map: [Int64: Int64] = [:]
    if same > 0 {
      let last = list[..<same].last { $0.seq != nil }?.seq ?? -1
      base = "after \(last)"
      next = last + 1
      t = time(last)
      // Lost ones too: they are as lost in the branch, under the same number.
      for seq in 0...last { map[seq] = seq }
    } else if case .start(let seq, let given) = list[0] {
      base = given.map { "given \($0) at \(seq)" } ?? "at \(seq)"
      next = 1
      t = time(seq)
      map[seq] = 0
      same = 1
    }
    let start = base.hasPrefix("after") ? next : 0
    var gap: Int64?
    var own: [Item] = []
    for item in list[same...] {
      if case .gap(let seq) = item {
        gap = seq
        break
      }
      own.append(item)
    }
    for (offset, item) in own.enumerated() {
      if let seq = item.seq { map[seq] = next + Int64(offset) }
    }
    var steps: [Step] = []
    for item in own {
      var step = Step(seq: next, t: t)
      if case .new(let event) = item { step.event = event }
      if case .entry(let seq, let new, let isMoved) = item,
        let entry = parent.first(where: { $0.seq == seq })
      {
        step.was = seq
        step.event = entry.isFixedPoint ? nil : new ?? entry.event?.text
        if !isMoved { step.t = entry.t }
        if case .here(let cause) = entry.cause, let mapped = map[cause], mapped < next {
          step.cause = mapped
        }
      }
      t = step.t
      steps.append(step)
      next += 1
    }
    return Result(start: start, base: base, steps: steps, gap: gap)
  }

  private func time(_ seq: Int64) -> Int64 { parent.first { $0.seq == seq }?.t ?? -1 }

  /// The item without changes that change nothing.
  private func simplified(_ item: Item) -> Item {
    switch item {
    case .start(let seq, let given):
      let state = parent.first { $0.seq == seq }?.state?.text
      return .start(seq, given: given == state ? nil : given)
    case .entry(let seq, let new, let isMoved):
      let event = parent.first { $0.seq == seq }?.event?.text
      let place = list.firstIndex(of: item) ?? 0
      let isDisplaced =
        list[1..<max(1, place)].contains { ($0.seq ?? -1) > seq }
        || list[place...].contains { ($0.seq ?? .max) < seq }
      return .entry(seq, new: new == event ? nil : new, isMoved: isMoved && isDisplaced)
    default: return item
    }
  }
}

extension ForkPlan {
  /// The plan in the words of the naive model.
  func naive(of parent: Timeline) -> NaiveBranch.Result {
    let base =
      switch self.base {
      case .after(let seq): "after \(seq)"
      case .at(let seq): "at \(seq)"
      case .given(let state, let seq): "given \(state.text) at \(seq)"
      }
    let steps = steps(of: parent).map { step in
      var event: String?
      if case .reduce(let slice) = step.action { event = slice.text }
      var cause: Int64?
      if case .here(let seq) = step.cause { cause = seq }
      return NaiveBranch.Step(seq: step.seq, was: step.was, t: step.t, event: event, cause: cause)
    }
    return NaiveBranch.Result(start: start, base: base, steps: steps, gap: endedBeforeGapAt)
  }
}

extension EditError {
  /// The error in the words of the naive model.
  var naive: NaiveBranch.Failure? {
    switch reason {
    case .doesNotExist: .doesNotExist
    case .removed: .removed
    case .isStart: .isStart
    case .isFixedPoint: .isFixedPoint
    default: nil
    }
  }
}
