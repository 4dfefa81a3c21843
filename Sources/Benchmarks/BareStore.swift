import Foundation
import TimelineStore
import Timelines

/// A store that indexes nothing, written to without a socket.
struct BareStore: Sendable {
  /// Whether it checks that patches apply.
  let checksPatches: Bool
  private let store: Store
  private let timeline: TimelineID

  init(in folder: String, header: Header, checksPatches: Bool = true) async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var options = StoreOptions()
    // Without room for a state, patches are not checked.
    if !checksPatches { options.shapeBytes = 0 }
    self.checksPatches = checksPatches
    store = try Store(folder: folder, indexer: NoIndexer(), options: options)
    timeline = header.timeline
    _ = try await store.open(header)
  }

  /// What writing takes.
  struct Written: Sendable {
    /// Until the entries are durable.
    let seconds: Double
    /// Of all threads, until the entries are packed.
    let processorSeconds: Double
  }

  /// Writes the sent entries in the same commits as the daemon, and waits until they are packed.
  ///
  /// The entries are parsed before, so that only writing is measured.
  func write(_ batches: [IngestBatch], commits: [Int64]) async throws -> Written {
    let groups = try groups(of: batches, commits: commits)
    let clock = ContinuousClock()
    let start = clock.now
    let processorStart = ProcessorClock.seconds()
    for group in groups { _ = try await store.append(group) }
    let seconds = (clock.now - start) / .seconds(1)
    let unpacked = 2 * Int64(StoreOptions().chunkBytes)
    while try await store.read({ try $0.tailBytes(of: timeline) }) > unpacked {
      try await Task.sleep(for: .milliseconds(20))
    }
    return Written(
      seconds: seconds, processorSeconds: ProcessorClock.seconds() - processorStart)
  }

  private func groups(of batches: [IngestBatch], commits: [Int64]) throws -> [AppendBatch] {
    var groups: [AppendBatch] = []
    var entries: [Entry] = []
    var next = commits.makeIterator()
    var end = next.next()
    for batch in batches {
      for line in batch.lines {
        let entry = try Entry(reading: line)
        entries.append(entry)
        guard entry.seq == end else { continue }
        groups.append(AppendBatch(timeline, entries))
        entries = []
        end = next.next()
      }
    }
    guard entries.isEmpty else { throw BenchmarkError("entries were not acknowledged") }
    return groups
  }

  func close() async { await store.close() }
}
