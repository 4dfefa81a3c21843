internal import JSONCore
internal import TimelineStore
internal import Timelines
internal import Wire

/// Consecutive entries whose states were not captured, after one whose state was: a host computes
/// them.
struct ThinnedRun: Sendable {
  let timeline: TimelineID
  /// The last entry whose state was captured.
  let known: Int64
  /// The state after it.
  let base: HostMoment
  /// The last entry to compute.
  let last: Int64

  /// The run that ends with an entry whose state was not captured.
  ///
  /// - Throws: a ``Refusal`` if no state before it is known.
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
        timeline: place.timeline, known: known, base: try HostMoment(snapshot), last: place.seq)
    }
  }

  /// The moment after the last entry.
  func snapshot(
    header: Header, store: Store, hosts: any ReducerHosts
  ) async throws -> HostMoment {
    try await run(header: header, from: .max, store: store, hosts: hosts) { _ in }
  }

  /// Runs the events, passes on the entries from `from` on, and returns the moment after the last.
  @discardableResult
  func run(
    header: Header, from: Int64, store: Store, hosts: any ReducerHosts,
    _ body: @Sendable ([Entry]) async throws -> Void
  ) async throws -> HostMoment {
    var base = base
    var next = known + 1
    while next <= last {
      try Task.checkCancellation()
      let end = min(last, next + Self.batch - 1)
      var runner = Runner(make: header.machine.make ?? "", next: next, base: base)
      runner.add(try await steps(next...end, store))
      let remembered = try await remembered(runner.undone, before: next, header, store, hosts)
      let quiet = from > next ? min(from - next, end - next + 1) : nil
      let host = try await hosts.host(for: header, named: nil)
      let rerun = try await host.run(
        runner, quiet: quiet, snapshot: true, remembered: remembered, each: body)
      if let ended = rerun.ended {
        throw Refusal(
          .failed, "It ended at entry \(ended.seq): \(ended.message ?? ended.why.rawValue)",
          timeline: timeline)
      }
      guard let state = rerun.end else {
        throw Refusal(.failed, "The host did not return the requested state.")
      }
      base = state
      next = end + 1
    }
    return base
  }

  /// The maximum number of events in one request; they fit into a message next to a large state.
  private static let batch: Int64 = 4_096

  /// The states that the undo of a form goes back to, if they are before a request.
  private func remembered(
    _ undone: [Int64], before next: Int64, _ header: Header, _ store: Store,
    _ hosts: any ReducerHosts
  ) async throws -> [ToRecorder.RememberedState] {
    guard header.machine.kind == "form" else { return [] }
    var states: [ToRecorder.RememberedState] = []
    for seq in undone where seq < next && seq >= 0 {
      let place = EntryReference(timeline: timeline, seq: seq)
      // Each source is earlier than its undo, so this terminates.
      let known = try? await HostMoment.moment(place, header: header, store: store, hosts: hosts)
      guard let state = known?.state else { continue }
      states.append(ToRecorder.RememberedState(was: seq, seq: seq, state))
    }
    return states
  }

  private func steps(_ seqs: ClosedRange<Int64>, _ store: Store) async throws -> [Runner.Step] {
    try await store.read { [timeline] reader in
      var window = EntryWindow(reader, try reader.lineage(of: timeline))
      return try seqs.map { seq in
        guard let entry = try window.entry(at: seq), entry.event != nil else {
          throw Refusal(.failed, "Entry \(seq) cannot be read.", timeline: timeline)
        }
        return Runner.Step(again: entry)
      }
    }
  }
}

extension HostMoment {
  /// The moment after an entry. If its state was not captured, the moment is computed from the last
  /// captured one.
  static func moment(
    _ place: EntryReference, header: Header, store: Store, hosts: any ReducerHosts
  ) async throws -> HostMoment {
    let known = try await store.read { reader in
      try reader.moment(of: reader.lineage(of: place.timeline), at: place.seq)
    }
    switch known {
    case .known(let snapshot)?: return try HostMoment(snapshot)
    case .thinned?:
      return try await ThinnedRun.find(endingAt: place, store: store)
        .snapshot(header: header, store: store, hosts: hosts)
    case .lost(let range)?:
      throw Refusal(
        .thinned, "The state after entry \(place.seq) is not known: \(range.why).", path: "seq",
        timeline: place.timeline)
    case nil:
      throw Refusal(
        .notFound, "The timeline \(place.timeline) has no entry \(place.seq).", path: "seq",
        timeline: place.timeline)
    }
  }
}

extension StoreReader {
  /// The last entry up to a seq whose state was captured, if nothing was lost in between.
  ///
  /// The first captured entry after an uncaptured one is a keyframe. So after the newest keyframe,
  /// all entries are captured up to the first one that is not.
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
