import Synchronization
import Timelines

/// Compresses and indexes chunks on a separate thread, so that acknowledgments do not wait for it.
final class Sealer: Sendable {
  private let thread: StoreThread
  private let indexer: any ChunkIndexer
  private let options: StoreOptions
  private let zstd = Mutex<Packer?>(nil)

  /// The number of orders, including the current one.
  private let waiting = Mutex(0)

  /// Safe: lent only under the lock.
  private struct Packer: @unchecked Sendable {
    let zstd: Zstd
  }

  init(indexer: any ChunkIndexer, options: StoreOptions) {
    self.indexer = indexer
    self.options = options
    thread = StoreThread(name: "store.sealer", runner: options.runner)
  }

  /// Seals consecutive runs later, and passes on the result; `nil` if there is no memory.
  func seal(_ order: SealOrder, _ done: @escaping @Sendable (SealedRun?) -> Void) {
    waiting.withLock { $0 += 1 }
    thread.call { [self] in
      // The last chunks of two recorders are not a backlog yet.
      let isInHaste = waiting.withLock { $0 > 2 }
      done(sealed(order, isInHaste: isInHaste))
      waiting.withLock { $0 -= 1 }
    }
  }

  /// Seals consecutive runs on the calling thread.
  func sealed(_ order: SealOrder, isInHaste: Bool = false) -> SealedRun? {
    let parts = order.runs.map(\.run)
    guard let head = order.runs.first, let tail = order.runs.last, let first = head.run.facts.first,
      let last = tail.run.facts.last
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(parts.reduce(0) { $0 + $1.bytes.count })
    var ends: [Int] = []
    var keyframes: [KeyframePlaces.Place] = []
    for part in parts {
      let offset = bytes.count
      var start = offset
      for fact in part.facts {
        if fact.isKeyframe { keyframes.append(.init(index: ends.count, offset: start)) }
        ends.append(offset + fact.end)
        start = offset + fact.end + 1
      }
      bytes.append(contentsOf: part.bytes)
    }
    guard let packed = pack(bytes, isInHaste ? options.packingInHaste : options.packing)
    else { return nil }
    let run = EntryRun(first: head.run.first, bytes: bytes, ends: ends)
    let newest = keyframes.last.map { run.first + Int64($0.index) } ?? head.base
    let chunk = ChunkRow(
      row: order.row, ordinal: 0, seqs: run.seqs, times: first.t...max(first.t, last.t),
      base: head.base, newest: newest, isKnown: tail.isKnown, bytes: bytes.count,
      keyframes: KeyframePlaces.encoded(keyframes), packed: packed, now: order.now)
    return SealedRun(order: order.withoutRuns, chunk: chunk, index: indexer.rows(for: run))
  }

  private func pack(_ bytes: [UInt8], _ level: Int32) -> [UInt8]? {
    zstd.withLock { packer in
      if packer == nil { packer = Zstd().map(Packer.init) }
      return packer?.zstd.pack(bytes, level: level)
    }
  }
}

/// Runs that will become a chunk.
struct SealOrder: Sendable {
  var timeline: TimelineID
  var row: Int64
  var generation: Int
  var runs: [WaitingRun]
  var now: Int64
  let byteCount: Int

  init(timeline: TimelineID, row: Int64, generation: Int, runs: [WaitingRun], now: Int64) {
    self.timeline = timeline
    self.row = row
    self.generation = generation
    self.runs = runs
    self.now = now
    byteCount = runs.reduce(0) { $0 + $1.run.bytes.count }
  }

  /// What remains to be known of it once its lines are compressed.
  var withoutRuns: SealOrder {
    var order = self
    order.runs = []
    return order
  }
}

/// A chunk with its index, ready to store.
struct SealedRun: Sendable {
  var order: SealOrder
  var chunk: ChunkRow
  var index: IndexRows
}
