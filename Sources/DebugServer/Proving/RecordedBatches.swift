internal import Timelines

/// A stretch of a recording, cut into batches that can be run again on their own.
///
/// A batch begins after a moment that is known and ends with one, so that the next does not have to
/// wait for what comes out of it. Where entries were lost it begins anew with the next known state.
struct RecordedBatches: Sendable {
  /// The recording.
  let recording: Recording
  /// The stretch.
  let stretch: ClosedRange<Int64>

  /// Entries that are run again from a known moment.
  struct Batch: Sendable {
    /// Entries whose state is taken as given, or not known at all; they come before the others.
    var given: [Entry] = []
    /// The moment that `entries` go on from.
    var before: Snapshot?
    /// The earlier states that events go back to.
    var remembered: [ToRecorder.RememberedState] = []
    /// The entries to run.
    var entries: [Entry] = []
    /// Where the next batch begins.
    var next: Int64
  }

  /// A stretch of a recording in batches.
  init(_ recording: Recording, _ stretch: ClosedRange<Int64>) {
    self.recording = recording
    self.stretch = stretch
  }

  /// The most entries without a captured state that are run in one go. Beyond it a batch would hold
  /// more than a message may.
  private static let uncapturedLimit = 20_000

  /// The batch that begins at an entry, of about so many entries; `nil` at the end.
  func batch(at seq: Int64, count: Int = Recording.batchEntries) async throws -> Batch? {
    guard seq <= stretch.upperBound else { return nil }
    var entries = try await recording.entries(in: seq...stretch.upperBound, count: count)
    guard let first = entries.first, let read = entries.last else { return nil }
    var batch = Batch(next: read.seq + 1)
    if !first.isBroken, first.seq > 0, !first.isFixedPoint,
      let before = try await recording.snapshot(at: first.seq - 1)
    {
      batch.before = before
    } else {
      // The first state that is known is given: what made it cannot be run.
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
      // No captured entry to end with: more of them are needed.
      let more = try await recording.entries(in: last.seq + 1...stretch.upperBound)
      guard !more.isEmpty else { break }
      entries += more
      cut(&entries)
    }
    let remembered = try await recording.remembered(for: entries[...])
    if remembered.count == 0, let first = entries.first {
      // It goes back to what nobody knows, so that its state is taken as it was recorded.
      batch.given.append(first)
    }
    entries.removeSubrange(remembered.count...)
    batch.remembered = remembered.states
    batch.entries = entries
    batch.next = (entries.last ?? batch.given.last).map { $0.seq + 1 } ?? batch.next
    return batch
  }

  /// Ends a batch before a loss, or an event that nobody can run, and after its last captured entry,
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

  /// Has a host run a batch.
  func run(_ batch: Batch, on host: any ReducerHosting) async throws -> Rerun {
    guard !batch.entries.isEmpty else { return Rerun() }
    var request = try ToRecorder.Reduce(
      again: batch.entries, make: recording.make, from: batch.before)
    request.remembered = batch.remembered.isEmpty ? nil : batch.remembered
    return try await host.rerun(request)
  }

  /// Has a host make entry 0 from nothing; nothing where the type does not say how it begins.
  func runFirst(on host: any ReducerHosting) async throws -> Rerun {
    var request = ToRecorder.Reduce()
    request.make = recording.make
    do {
      return try await host.rerun(request)
    } catch let refusal as Refusal where refusal.reply.code == .missing {
      return Rerun()
    }
  }
}
