internal import JSONCore
internal import TimelineStore
internal import Timelines

/// Entries whose states were not captured, behind one whose state was: a host computes them again.
struct ThinnedRun: Sendable {
  /// The timeline.
  let timeline: TimelineID
  /// The last entry whose state was captured.
  let known: Int64
  /// The state after it.
  let base: BranchBase
  /// The last entry that is to be computed.
  let last: Int64

  /// The run that ends with an entry whose state was not captured.
  ///
  /// - Throws: a ``Refusal`` where there is no state to begin with.
  static func find(endingAt place: EntryReference, store: Store) async throws -> ThinnedRun {
    try await store.read { reader in
      let lineage = try reader.lineage(of: place.timeline)
      guard let known = try reader.lastCaptured(of: lineage, upTo: place.seq),
        case .known(let snapshot)? = try reader.moment(of: lineage, at: known)
      else {
        throw Refusal(
          .thinned,
          """
          The state after entry \(place.seq) was not captured, and none before it since the last \
          loss, so that it cannot be computed.
          """, path: "seq", timeline: place.timeline)
      }
      return ThinnedRun(
        timeline: place.timeline, known: known, base: try BranchBase(snapshot), last: place.seq)
    }
  }

  /// The moment after the last entry.
  func snapshot(
    header: Header, store: Store, hosts: any ReducerHosts
  ) async throws -> BranchBase {
    try await run(header: header, from: .max, store: store, hosts: hosts) { _ in }
  }

  /// Runs the events; hands on the entries from `from` on, and answers the moment after the last.
  @discardableResult
  func run(
    header: Header, from: Int64, store: Store, hosts: any ReducerHosts,
    _ body: @Sendable ([Entry]) async throws -> Void
  ) async throws -> BranchBase {
    var base = base
    var next = known + 1
    while next <= last {
      try Task.checkCancellation()
      let end = min(last, next + Self.batch - 1)
      let planned = try await planned(next...end, store)
      let steps = try planned.map { try ToRecorder.ReduceStep($0) }
      let remembered = try await remembered(planned, before: next, header, store, hosts)
      let request = ToRecorder.Reduce {
        $0.make = header.machine.make ?? ""
        $0.state = base.state
        $0.outputState = base.outputs
        $0.seq = next
        $0.steps = steps
        $0.quiet = from > next ? min(from - next, Int64(steps.count)) : nil
        $0.snapshot = true
        $0.remembered = remembered.isEmpty ? nil : remembered
      }
      let answer = ReducedAnswer()
      let host = try await hosts.host(for: header, named: nil)
      try await host.reduce(request) { part in
        let entries = try part.entries.map { slice in
          do { return try Entry(reading: slice) } catch {
            throw Refusal(.failed, "The host answered with what is no entry: \(error)")
          }
        }
        await answer.note(part)
        if !entries.isEmpty { try await body(entries) }
      }
      if let ended = await answer.ended {
        throw Refusal(
          .failed, "It ended at entry \(ended.seq): \(ended.message ?? ended.why.rawValue)",
          timeline: timeline)
      }
      guard let state = await answer.state else {
        throw Refusal(.failed, "The host did not tell the state that it was asked for.")
      }
      base = state
      next = end + 1
    }
    return base
  }

  /// One request's events; they fit into a message beside a large state.
  private static let batch: Int64 = 4_096

  /// The states to which the undo of a form goes back, where these are before a request.
  private func remembered(
    _ steps: [PlannedStep], before next: Int64, _ header: Header, _ store: Store,
    _ hosts: any ReducerHosts
  ) async throws -> [ToRecorder.RememberedState] {
    guard header.machine.kind == "form" else { return [] }
    var states: [ToRecorder.RememberedState] = []
    for seq in Set(steps.compactMap(\.undone)).sorted() where seq < next && seq >= 0 {
      let place = EntryReference(timeline: timeline, seq: seq)
      // Each is before the one that goes back to it, so that this ends.
      let known = try? await BranchBase.moment(place, header: header, store: store, hosts: hosts)
      guard let state = known?.state else { continue }
      states.append(ToRecorder.RememberedState(was: seq, seq: seq, state))
    }
    return states
  }

  private func planned(
    _ seqs: ClosedRange<Int64>, _ store: Store
  ) async throws -> [PlannedStep] {
    try await store.read { [timeline] reader in
      var window = EntryWindow(reader, try reader.lineage(of: timeline))
      return try seqs.map { seq in
        guard let entry = try window.entry(at: seq), let event = entry.event else {
          throw Refusal(.failed, "Entry \(seq) cannot be read.", timeline: timeline)
        }
        return PlannedStep(
          seq: seq, was: seq, t: entry.t, action: .reduce(event), cause: entry.cause,
          origin: entry.origin, at: entry.at)
      }
    }
  }
}

/// What the last part of a host's answer tells.
private actor ReducedAnswer {
  private(set) var ended: EarlyEnd?
  private(set) var state: BranchBase?

  func note(_ part: FromRecorder.Reduced) {
    ended = part.ended ?? ended
    if let state = part.state { self.state = BranchBase(state: state, outputs: part.outputState) }
  }
}

extension StoreReader {
  /// The last entry up to a seq whose state was captured, when nothing was lost in between.
  ///
  /// The first captured entry behind one that is not is a keyframe: from the newest keyframe on all
  /// is captured up to the first that is not.
  fileprivate func lastCaptured(
    of lineage: Lineage, upTo seq: Int64
  ) throws(StoreError) -> Int64? {
    guard let keyframe = try newestKeyframe(of: lineage, upTo: seq) else { return nil }
    var last = keyframe
    var isBroken = false
    var isThinned = false
    try forEachEntry(of: lineage, in: keyframe...seq) { entry throws(StoreError) in
      if entry.seq > keyframe, entry.gap != nil { isBroken = true }
      isThinned = isThinned || entry.isThinned
      if !isThinned { last = entry.seq }
    }
    return isBroken ? nil : last
  }
}
