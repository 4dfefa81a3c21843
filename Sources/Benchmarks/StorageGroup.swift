import Foundation
import JSONCore
import TimelineStore
import Timelines

extension Group {
  /// The size of timelines on disk.
  static let storage = Group(
    name: "storage",
    summary: "bytes on disk of a million entries, including the index",
    metrics: [
      Metric(
        "storage.vs_one_file", "bytes of the database, relative to the lines as one zstd -3 file",
        goal: .atMost(1.5)),
      Metric(
        "storage.vs_full_snapshots",
        "compressed bytes with a full state of 10 KB in each entry, relative to ours",
        goal: .atLeast(2)),
      Metric("storage.vs_full_snapshots_2k", "the same for a state of 2 KB"),
      Metric("storage.bytes_per_entry", "bytes of the database per entry"),
      Metric("storage.index_part", "part of the database that is index"),
    ]
  ) { measure in
    let count = measure.isQuick ? 10_000 : 1_000_000
    let sample = measure.isQuick ? 1_000 : 20_000
    return try StoredPayments.with(count: count) { payments in
      let (store, id) = (payments.store, payments.id)
      try await payments.seal()
      let used = Double(try await payments.usedBytes())
      let chunks = try await store.read { try $0.packedChunks(of: id) }
      let packed = Double(chunks.frames.reduce(0) { $0 + $1.bytes.count })
      return [
        "storage.vs_one_file": used / Double(try await payments.packedFileBytes()),
        "storage.vs_full_snapshots": try fullAgainstOurs(entries: sample, accounts: 200),
        "storage.vs_full_snapshots_2k": try fullAgainstOurs(entries: sample, accounts: 40),
        "storage.bytes_per_entry": used / Double(count),
        "storage.index_part": (used - packed) / used,
      ]
    }
  }
}

extension StoredPayments {
  func usedBytes() async throws -> Int64 {
    try await store.read { try $0.usedBytes() }
  }

  /// The bytes of the file with `zstd -3`.
  fileprivate func packedFileBytes() async throws -> Int {
    let packing = PackingStream(level: 3)
    guard let packing else { throw BenchmarkError("there is no memory") }
    var export = try await store.export(id, packed: false)
    var size = 0
    while let bytes = try await export.next() {
      size += try packing.pack(bytes, isEnd: false).count
    }
    return size + (try packing.pack([], isEnd: true).count)
  }
}

/// The size of chunks with a full state in each entry, relative to ours.
private func fullAgainstOurs(entries count: Int, accounts: Int) throws -> Double {
  var run = PaymentsRun(accounts: accounts)
  var snapshot = Snapshot(state: .null)
  var (ours, full) = (ChunkSizes(), ChunkSizes())
  for _ in 0..<count {
    let entry = try Entry(reading: run.nextLine())
    if let keyframe = Snapshot(keyframe: entry) {
      snapshot = keyframe
    } else {
      try snapshot.apply(entry)
    }
    var draft = EntryDraft(entry)
    ours.add(draft.line)
    draft.state = snapshot.state.encoded()[...]
    draft.patch = nil
    full.add(draft.line)
  }
  return full.packedBytes / ours.packedBytes
}

/// Measures lines in chunks like those of the store.
private struct ChunkSizes {
  private var lines: [UInt8] = []
  private var packed = 0

  mutating func add(_ line: [UInt8]) {
    lines += line
    lines.append(UInt8(ascii: "\n"))
    if lines.count >= StoreOptions().chunkBytes { pack() }
  }

  /// The bytes of all chunks.
  var packedBytes: Double {
    var rest = self
    rest.pack()
    return Double(rest.packed)
  }

  private mutating func pack() {
    packed +=
      (try? PackingStream(level: StoreOptions().packing)?.pack(lines, isEnd: true))?.count ?? 0
    lines = []
  }
}
