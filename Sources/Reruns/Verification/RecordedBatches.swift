internal import Timelines
internal import Wire

/// A stretch of a recording, split into batches that can be run again independently.
///
/// A batch starts after a known moment and ends with one, so that the next does not depend on its
/// result. After lost entries, it starts at the next known state.
struct RecordedBatches: Sendable {
  let recording: StoredRecording
  let stretch: ClosedRange<Int64>

  /// Entries that are run again from a known moment.
  struct Batch: Sendable {
    /// Entries whose state is given or unknown; they come before the others.
    var given: [Entry] = []
    /// The moment that `entries` start from.
    var before: Snapshot?
    /// The earlier states that events go back to.
    var remembered: [ToRecorder.RememberedState] = []
    var entries: [Entry] = []
    /// The start of the next batch.
    var next: Int64
  }

  init(_ recording: StoredRecording, _ stretch: ClosedRange<Int64>) {
    self.recording = recording
    self.stretch = stretch
  }

  /// The maximum number of entries without a captured state in one batch. With more, a batch could
  /// exceed the limit of a message.
  private static let uncapturedLimit = 20_000

  /// The batch that starts at an entry, with about so many entries; `nil` at the end.
  func batch(at seq: Int64, count: Int = StoredRecording.batchEntries) async throws -> Batch? {
    guard seq <= stretch.upperBound else { return nil }
    var entries = try await recording.entries(in: seq...stretch.upperBound, count: count)
    guard let first = entries.first, let read = entries.last else { return nil }
    var batch = Batch(next: read.seq + 1)
    if !first.isBroken, first.seq > 0, !first.isFixedPoint,
      let before = try await recording.snapshot(at: first.seq - 1)
    {
      batch.before = before
    } else {
      // The first known state is given: the event that made it cannot be run.
      let known = entries.firstIndex { $0.isKeyframe } ?? entries.count - 1
      batch.given = Array(entries[...known])
      entries.removeSubrange(...known)
      guard let known = batch.given.last, known.isKeyframe else { return batch }
      batch.before = try await recording.snapshot(at: known.seq)
      guard batch.before != nil else {
        batch.next = known.seq + 1
        return batch
      }
    }
    cut(&entries)
    while let last = entries.last, last.isThinned, last.seq < stretch.upperBound,
      entries.count < Self.uncapturedLimit
    {
      // No captured entry to end with: read more.
      let more = try await recording.entries(in: last.seq + 1...stretch.upperBound)
      guard !more.isEmpty else { break }
      entries += more
      cut(&entries)
    }
    let remembered = try await recording.remembered(for: entries[...])
    if remembered.count == 0, let first = entries.first {
      // It goes back to an unknown state, so its own state is taken as recorded.
      batch.given.append(first)
    }
    entries.removeSubrange(remembered.count...)
    batch.remembered = remembered.states
    batch.entries = entries
    batch.next = (entries.last ?? batch.given.last).map { $0.seq + 1 } ?? batch.next
    return batch
  }

  /// Ends a batch before a loss, or an event that cannot be run, and after its last captured entry,
  /// if it has one.
  private func cut(_ entries: inout [Entry]) {
    if let loss = entries.firstIndex(where: \.isBroken) {
      entries.removeSubrange(loss...)
      return
    }
    guard let last = entries.last, last.seq < stretch.upperBound,
      let captured = entries.lastIndex(where: { !$0.isThinned })
    else { return }
    entries.removeSubrange((captured + 1)...)
  }

  /// Runs a batch on a host.
  func run(_ batch: Batch, on host: any ReducerHosting) async throws -> Rerun {
    guard !batch.entries.isEmpty else { return Rerun() }
    let runner = try Runner(again: batch.entries, make: recording.make, from: batch.before)
    return try await host.run(runner, remembered: batch.remembered)
  }

  /// Makes entry 0 from a fresh machine on a host; empty if the type does not define its initial
  /// state.
  func runFirst(on host: any ReducerHosting) async throws -> Rerun {
    var runner = Runner(make: recording.make, next: 0)
    runner.addFirst()
    do {
      return try await host.run(runner)
    } catch let refusal as Refusal where refusal.reply.code == .missing {
      return Rerun()
    }
  }
}
