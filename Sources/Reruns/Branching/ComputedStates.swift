internal import JSONCore
internal import Synchronization
package import Timelines

/// States that hosts computed for entries whose states were not captured.
///
/// They are a cache, separate from the recordings: the oldest are dropped when there is no room,
/// and all of them when a host's executable is rebuilt.
package final class ComputedStates: Sendable {
  /// Consecutive entries; the first one is a keyframe.
  fileprivate struct Run {
    var entries: [Entry]
    var bytes: Int
    var used: UInt64

    var seqs: ClosedRange<Int64> { entries[0].seq...entries[entries.count - 1].seq }
  }

  fileprivate struct State {
    var runs: [TimelineID: [Run]] = [:]
    var bytes = 0
    var clock: UInt64 = 0
    var generation = 0
  }

  package init() {}

  private let state = Mutex(State())

  /// The maximum bytes of cached lines: ten states of several megabytes, or a million small
  /// patches.
  private static let capacity = 64 << 20

  /// Counts how often everything was forgotten.
  var generation: Int { state.withLock { $0.generation } }

  /// Caches computed entries, which start with a keyframe or follow entries that were added before.
  ///
  /// - Parameter generation: the generation when the computation started; results of an older one
  ///   are dropped.
  func add(_ entries: [Entry], of timeline: TimelineID, from generation: Int) {
    guard let first = entries.first else { return }
    state.withLock { state in
      guard state.generation == generation else { return }
      guard first.isKeyframe else { return state.extend(timeline, by: entries) }
      state.clock += 1
      let bytes = entries.reduce(0) { $0 + $1.line.range.count }
      let run = Run(entries: entries, bytes: bytes, used: state.clock)
      state.runs[timeline, default: []].removeAll { known in
        guard known.seqs.lowerBound >= run.seqs.lowerBound,
          known.seqs.upperBound <= run.seqs.upperBound
        else { return false }
        state.bytes -= known.bytes
        return true
      }
      state.runs[timeline, default: []].append(run)
      state.bytes += bytes
      state.removeOldest(beyond: Self.capacity)
    }
  }

  /// The computed entry, if it is cached.
  package func entry(of timeline: TimelineID, at seq: Int64) -> Entry? {
    run(of: timeline, with: seq).map { $0.entries[Int(seq - $0.seqs.lowerBound)] }
  }

  /// The moment after a computed entry, if it is cached.
  package func snapshot(of timeline: TimelineID, at seq: Int64) -> Snapshot? {
    guard let run = run(of: timeline, with: seq) else { return nil }
    let end = Int(seq - run.seqs.lowerBound)
    guard let start = run.entries[...end].lastIndex(where: \.isKeyframe),
      var snapshot = Snapshot(keyframe: run.entries[start])
    else { return nil }
    for entry in run.entries[start...end].dropFirst() {
      do { try snapshot.apply(entry) } catch { return nil }
    }
    return snapshot
  }

  private func run(of timeline: TimelineID, with seq: Int64) -> Run? {
    state.withLock { state in
      let place = state.runs[timeline]?.lastIndex { $0.seqs.contains(seq) }
      guard let place else { return nil }
      state.clock += 1
      state.runs[timeline]?[place].used = state.clock
      return state.runs[timeline]?[place]
    }
  }

  /// Forgets a timeline that was deleted.
  func forget(_ timeline: TimelineID) {
    state.withLock { state in
      for run in state.runs.removeValue(forKey: timeline) ?? [] { state.bytes -= run.bytes }
    }
  }

  /// Forgets everything: the reducer has changed.
  package func forgetAll() {
    state.withLock { $0 = State(clock: $0.clock, generation: $0.generation + 1) }
  }
}

extension ComputedStates.State {
  fileprivate mutating func extend(_ timeline: TimelineID, by entries: [Entry]) {
    let place = runs[timeline]?.lastIndex { $0.seqs.upperBound + 1 == entries[0].seq }
    guard let place else { return }
    let more = entries.reduce(0) { $0 + $1.line.range.count }
    runs[timeline]?[place].entries += entries
    runs[timeline]?[place].bytes += more
    bytes += more
  }

  fileprivate mutating func removeOldest(beyond capacity: Int) {
    while bytes > capacity {
      var oldest: (timeline: TimelineID, place: Int, used: UInt64)?
      for (timeline, runs) in self.runs {
        for (place, run) in runs.enumerated() where run.used < oldest?.used ?? .max {
          oldest = (timeline, place, run.used)
        }
      }
      guard let oldest, let run = runs[oldest.timeline]?.remove(at: oldest.place) else { return }
      bytes -= run.bytes
    }
  }
}
