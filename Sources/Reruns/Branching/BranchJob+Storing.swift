internal import TimelineStore
internal import Timelines

// Writing to the store.
extension BranchJob {
  func add(_ entries: [Entry]) async throws {
    guard let first = entries.first else { return }
    _ = try await creation?.value
    if let fault { throw fault }
    var entries = entries
    if first.seq == draft.own.lowerBound, let shared {
      entries[0] = try first.changing(shared)
      self.shared = nil
    }
    let batch = AppendBatch(branch, entries)
    inFlight += batch.byteCount
    store.append(batch) { [weak self] result in
      Task { await self?.stored(result, batch.byteCount) }
    }
    // A host may be faster than the disk.
    while inFlight > Self.inFlightBytes, fault == nil {
      // A canceled task does not wait here, so its bytes in flight would never be subtracted.
      try Task.checkCancellation()
      await waiters.wait(upTo: durable + 1)
    }
    if let fault { throw fault }
  }

  /// The maximum number of bytes in flight to the disk before the host has to wait.
  static let inFlightBytes = 8 << 20

  private func stored(_ result: Result<Appended, StoreError>, _ bytes: Int) {
    inFlight -= bytes
    switch result {
    case .success(let appended):
      durable = max(durable, appended.durable ?? -1)
      if let refused = appended.refused {
        fault = fault ?? StoreError(.order(refused))
        // What they wait for does not come.
        waiters.releaseAll()
      }
      waiters.release(upTo: durable)
      durableWaiters.release(upTo: durable)
      reportGrowth()
    case .failure(let error):
      fault = fault ?? error
      waiters.releaseAll()
    }
  }

  /// Reports that the branch has grown, as often as a person can see.
  private func reportGrowth() {
    guard !isTelling, !isFinished else { return }
    isTelling = true
    report(.grown(branch, progress))
    let reported = durable
    Task {
      try? await clock.sleep(for: .milliseconds(30))
      isTelling = false
      if durable > reported { reportGrowth() }
    }
  }

  private var isFinished: Bool {
    if case .finished = phase { true } else { false }
  }

  func untilDurable(_ seq: Int64) async throws {
    while durable < seq {
      if let fault { throw fault }
      try Task.checkCancellation()
      await waiters.wait(upTo: seq)
    }
  }

  /// Waits until the entries of the branch up to one or its end are durable, or are not going to be.
  func waitUntilComputed(upTo seq: Int64?, milliseconds: Int64) async {
    guard case .running = phase, !isComputed(upTo: seq) else { return }
    await durableWaiters.wait(upTo: end(seq), milliseconds: milliseconds)
  }

  /// Whether the entries of the branch up to one or its end are durable, or are not going to be.
  func isComputed(upTo seq: Int64?) -> Bool { isFinished || durable >= end(seq) }

  private func end(_ seq: Int64?) -> Int64 {
    let last = draft.own.upperBound - 1
    return seq.map { min($0, last) } ?? last
  }

  /// Waits until an entry can be read, or is not going to be.
  func wait(upTo seq: Int64, milliseconds: Int64) async {
    guard case .running = phase, seq < draft.own.upperBound, durable < seq else { return }
    await waiters.wait(upTo: seq, milliseconds: milliseconds)
  }
}
