internal import Synchronization
internal import Timelines

/// Caches shared by the reading threads: decompressed chunks and decoded states.
final class StoreCaches: Sendable {
  /// Decompressed chunks by the chunk's unique id.
  let chunks: Mutex<RecentValues<Int64, EntryRun>>

  /// Rows of the tail that were read.
  let tail: Mutex<RecentValues<RunPlace, EntryRun>>

  /// States by the timeline's row and seq.
  let states: Mutex<RecentStates>

  init(_ options: StoreOptions) {
    chunks = Mutex(RecentValues(capacity: options.chunkCacheBytes))
    tail = Mutex(RecentValues(capacity: options.chunkCacheBytes / 8))
    states = Mutex(RecentStates(capacity: options.stateCacheBytes))
  }

  func clear() {
    chunks.withLock { $0.removeAll() }
    tail.withLock { $0.removeAll() }
    states.withLock { $0.removeAll() }
  }
}

struct RunPlace: Hashable, Sendable {
  /// The timeline's row.
  var row: Int64
  /// The run's first seq.
  var first: Int64
}

/// A least-recently-used cache, bounded by cost.
struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var values: [Key: (value: Value, cost: Int, used: UInt64)] = [:]
  private var cost = 0
  private var clock: UInt64 = 0
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// A cached value, marked as used.
  mutating func value(_ key: Key) -> Value? {
    clock += 1
    values[key]?.used = clock
    return values[key]?.value
  }

  /// Caches a value, unless it alone exceeds the limit.
  mutating func keep(_ value: Value, for key: Key, cost: Int) {
    guard cost <= capacity else { return }
    clock += 1
    if let old = values.updateValue((value, cost, clock), forKey: key) { self.cost -= old.cost }
    self.cost += cost
    if self.cost > capacity { removeOldest() }
  }

  /// Removes the older half, so that one search for the oldest values pays for many.
  private mutating func removeOldest() {
    let oldestFirst = values.sorted { $0.value.used < $1.value.used }
    for (key, old) in oldestFirst {
      guard cost > capacity / 2, values.count > 1 else { return }
      cost -= old.cost
      values[key] = nil
    }
  }

  mutating func removeAll() {
    values = [:]
    cost = 0
  }
}

/// Recently used states, to start from the nearest one.
struct RecentStates: Sendable {
  private struct Kept {
    var snapshot: Snapshot
    var cost: Int
    var used: UInt64
  }

  private var rows: [Int64: [Int64: Kept]] = [:]
  private var count = 0
  private var cost = 0
  private var clock: UInt64 = 0
  private let capacity: Int

  /// Few enough that finding the nearest or the oldest is cheap.
  private static let countLimit = 256

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The cached state with the greatest seq in a range.
  mutating func newest(
    of row: Int64, in seqs: ClosedRange<Int64>
  ) -> (seq: Int64, snapshot: Snapshot, cost: Int)? {
    let found = rows[row]?.keys.filter(seqs.contains).max()
    guard let found, let kept = rows[row]?[found] else { return nil }
    clock += 1
    rows[row]?[found]?.used = clock
    return (found, kept.snapshot, kept.cost)
  }

  /// Caches a state. A single state that exceeds the limit replaces all others, up to eight times
  /// the limit: otherwise scrubbing over it would decode it at each step.
  mutating func keep(_ snapshot: Snapshot, of row: Int64, at seq: Int64, cost: Int) {
    guard cost <= capacity * 8 else { return }
    clock += 1
    let kept = Kept(snapshot: snapshot, cost: cost, used: clock)
    if let old = rows[row, default: [:]].updateValue(kept, forKey: seq) {
      self.cost -= old.cost
      count -= 1
    }
    self.cost += cost
    count += 1
    while count > 1, self.cost > capacity || count > Self.countLimit { removeOldest() }
  }

  mutating func removeAll() {
    rows = [:]
    count = 0
    cost = 0
  }

  private mutating func removeOldest() {
    var oldest: (row: Int64, seq: Int64, used: UInt64)?
    for (row, states) in rows {
      for (seq, kept) in states where kept.used < oldest?.used ?? .max {
        oldest = (row, seq, kept.used)
      }
    }
    guard let oldest, let kept = rows[oldest.row]?.removeValue(forKey: oldest.seq) else { return }
    if rows[oldest.row]?.isEmpty == true { rows[oldest.row] = nil }
    cost -= kept.cost
    count -= 1
  }
}
