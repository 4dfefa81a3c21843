import JSONCore
import Replaying
import Timelines
import Wire

// Requests that use steps kept by the host.
extension HostRun {
  /// Keeps steps, makes a branch of them, or reruns some of them.
  mutating func performKept(
    _ id: TimelineID, _ replay: Replay, _ memory: KeptTimelines, _ send: (FromRecorder) -> Void
  ) throws(HostRefusal) {
    if request.load { return try load(id, replay, memory, send) }
    if !request.steps.isEmpty { try branch(id, replay, memory) }
    guard let kept = memory.timeline(id, make: replay.make), let run = kept.run else {
      throw Self.notKept("timeline")
    }
    let start = request.seq - kept.first
    let count = request.count ?? Int64(kept.steps.count) - start
    let end = start + min(max(0, count), Self.lastSeq)
    guard start >= Int64(run.start), start <= end, end <= Int64(kept.steps.count) else {
      throw HostRefusal(
        code: .wrongValue, sentence: "The branch has no steps from \(request.seq).", path: "seq")
    }
    do throws(ReplayError) {
      try perform(kept, Int(start)..<Int(end), replay, send)
    } catch {
      guard error.reason != .stateMissing else { throw Self.notKept("steps") }
      try refuse(error, send)
    }
  }

  static func notKept(_ path: String) -> HostRefusal {
    HostRefusal(
      code: .missing, sentence: "The host no longer keeps the \(path) of this request.", path: path)
  }

  // MARK: Keeping

  /// Keeps steps of a request: appended to the kept ones if they follow them, otherwise instead of
  /// them.
  private mutating func load(
    _ id: TimelineID, _ replay: Replay, _ memory: KeptTimelines, _ send: (FromRecorder) -> Void
  ) throws(HostRefusal) {
    var kept = memory.timeline(id, make: replay.make)
    if !request.steps.isEmpty {
      guard request.seq > 0, request.seq <= Self.lastSeq - Int64(request.steps.count) else {
        throw HostRefusal(
          code: .wrongValue, sentence: "The seq \(request.seq) is out of range.", path: "seq")
      }
      let timeline: KeptTimeline
      if let known = kept, known.run == nil, known.seqs?.upperBound == request.seq - 1 {
        timeline = known
      } else {
        timeline = KeptTimeline(
          make: replay.make, first: request.seq, events: try rewinding(replay).makeEvents())
      }
      var seq = request.seq
      for (index, step) in request.steps.enumerated() {
        timeline.append(try plan(step, index, seq))
        seq += 1
      }
      kept = memory.keep(timeline, as: id) ? timeline : nil
    }
    let seqs = kept?.seqs
    environment.didSend()
    send(.reduced(FromRecorder.Reduced { $0.kept = seqs.map { SeqRange($0) } }))
  }

  private func rewinding(_ replay: Replay) throws(HostRefusal) -> any RewindingReplayer {
    do throws(ReplayError) {
      return try makeReplayer(replay)
    } catch {
      throw HostRefusal(code: .failed, sentence: "\(error.reason)", path: "make")
    }
  }

  private func makeReplayer(_ replay: Replay) throws(ReplayError) -> any RewindingReplayer {
    guard let replayer = try replay.makeReplayer() as? any RewindingReplayer else {
      throw ReplayError(.notReplayable(why: "Its replayer cannot keep steps."))
    }
    return replayer
  }

  /// Makes a branch of kept steps and the steps of the request.
  private func branch(
    _ id: TimelineID, _ replay: Replay, _ memory: KeptTimelines
  ) throws(HostRefusal) {
    guard let state = request.state, request.seq > 0 else {
      throw HostRefusal(
        code: .missing, sentence: "A branch needs the state that it begins with.", path: "state")
    }
    let parent = request.of.flatMap { memory.timeline($0, make: replay.make) }
    // A form's undo targets have different seqs in the branch of a branch.
    if replay.kind == .form, parent?.run != nil { throw Self.notKept("of") }
    let map = KeptMap(request)
    let shared = parent.flatMap { parent -> ClosedRange<Int64>? in
      guard request.base == nil, parent.first < request.seq,
        parent.seqs.map({ $0.contains(request.seq - 1) }) == true
      else { return nil }
      return parent.first...request.seq - 1
    }
    let events: ReadEvents
    if let parent {
      events = parent.events.emptied()
    } else {
      events = try rewinding(replay).makeEvents()
    }
    let branch = KeptTimeline(
      make: replay.make, first: shared?.lowerBound ?? request.seq, events: events)
    if let parent, let shared {
      branch.append(parent, shared, was: false) { cause, _ in cause }
    }
    let start = branch.steps.count
    var seq = request.seq
    for (index, step) in request.steps.enumerated() {
      guard let seqs = step.kept?.seqs else {
        branch.append(try plan(step, index, seq))
        seq += 1
        continue
      }
      guard let parent, let known = parent.seqs, known.lowerBound <= seqs.lowerBound,
        seqs.upperBound <= known.upperBound
      else { throw Self.notKept("of") }
      branch.append(parent, seqs, was: true) { cause, seq in
        map.seq(ofParent: cause).flatMap { $0 < seq ? $0 : nil }
      }
      seq += Int64(seqs.count)
    }
    branch.run = KeptRun(
      start: start, state: state, outputs: request.outputState,
      remembered: request.remembered ?? [])
    guard memory.keep(branch, as: id) else { throw Self.notKept("timeline") }
  }

  // MARK: Running

  private mutating func perform(
    _ kept: KeptTimeline, _ range: Range<Int>, _ replay: Replay, _ send: (FromRecorder) -> Void
  ) throws(ReplayError) {
    guard let run = kept.run else { return }
    // Without `quiet`, requests are consecutive: each continues after the one before.
    let writes = request.quiet == nil
    let wanted = range.lowerBound + Int(clamping: min(Int64(range.count), request.quiet ?? 0))
    environment.willRun(id, kept.first + Int64(wanted))
    let replayer: any RewindingReplayer
    if writes, let writer = run.writer, writer.next == wanted {
      replayer = writer.replayer
    } else {
      replayer = try makeReplayer(replay)
      if let end = try go(to: wanted, kept, replayer) { return flush(more: false, end, send) }
    }
    kept.run?.writer = writes ? nil : run.writer
    for index in wanted..<range.upperBound {
      if environment.isCancelled(id) { return flush(more: false, canceled(kept, index), send) }
      if let end = exceeded(before: kept.first + Int64(index)) {
        return flush(more: false, end, send)
      }
      environment.willRun(id, kept.first + Int64(index))
      let draft = try replayer.run(kept.steps, at: index, kept.events, first: kept.first)
      if let end = try append(draft, send) { return flush(more: false, end, send) }
    }
    if writes { kept.run?.writer = (range.upperBound, replayer) }
    if request.snapshot { return try flush(with: try replayer.snapshot(), send) }
    flush(more: false, nil, send)
  }

  private func canceled(_ kept: KeptTimeline, _ index: Int) -> EarlyEnd {
    EarlyEnd {
      $0.why = .canceled
      $0.seq = kept.first + Int64(index)
      $0.message = "The request was canceled."
    }
  }

  /// Moves a fresh replayer to an index, from the last kept moment before it. Returns why it
  /// stopped early, if it did.
  private mutating func go(
    to wanted: Int, _ kept: KeptTimeline, _ replayer: any RewindingReplayer
  ) throws(ReplayError) -> EarlyEnd? {
    guard let run = kept.run else { return nil }
    var next = run.start
    if let mark = run.marks.last(where: { $0.next <= wanted }) {
      replayer.go(to: mark.mark)
      next = mark.next
    } else {
      try replayer.load(state: run.state, outputs: run.outputs, seq: nil)
      for known in run.remembered {
        try replayer.remember(known.state, as: known.was, seq: known.seq)
      }
    }
    let stride = run.stride(of: kept.steps.count - run.start)
    while next < wanted {
      let seq = kept.first + Int64(next)
      if environment.isCancelled(id) { return canceled(kept, next) }
      if let end = exceeded(before: seq) { return end }
      let place = (next - run.start) / stride * stride + stride + run.start
      let end = min(wanted, place, next + Self.slice)
      try replayer.pass(kept.steps, next..<end, kept.events, first: kept.first)
      next = end
      guard next == place, (kept.run?.marks.last?.next ?? 0) < place, let mark = replayer.mark
      else { continue }
      kept.run?.marks.append((place, mark))
    }
    return nil
  }

  /// The number of steps between two checks of the clock.
  private static var slice: Int { 256 }
}

/// Maps the entries of a parent to seqs in the requested branch.
private struct KeptMap {
  private let first: Int64
  private let base: Int64?
  private var runs: [(parent: ClosedRange<Int64>, seq: Int64)] = []
  private var single: [Int64: Int64] = [:]

  init(_ request: ToRecorder.Reduce) {
    first = request.seq
    base = request.base
    var seq = request.seq
    for step in request.steps {
      if let seqs = step.kept?.seqs {
        runs.append((seqs, seq))
        // A peer's numbers may overflow; they are rejected later.
        seq &+= Int64(seqs.count)
      } else {
        if let was = step.was { single[was] = seq }
        seq &+= 1
      }
    }
  }

  /// The branch's seq for an entry of the parent; `nil` if it is not in the branch.
  func seq(ofParent seq: Int64) -> Int64? {
    if let found = single[seq] { return found }
    // Binary search: the runs are sorted, and a branch that removes many events has many of them.
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].parent.upperBound < seq { low = middle + 1 } else { high = middle }
    }
    if low < runs.count, runs[low].parent.contains(seq) {
      return runs[low].seq + seq - runs[low].parent.lowerBound
    }
    if let base { return seq == base ? 0 : nil }
    return seq < first ? seq : nil
  }
}
