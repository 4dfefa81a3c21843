internal import TimelineStore
internal import Timelines

// The way to the disk.
extension BranchJob {
  func add(_ entries: [Entry]) async throws {
    guard !entries.isEmpty else { return }
    _ = try await creation?.value
    if let fault { throw fault }
    let batch = AppendBatch(branch, entries)
    inFlight += batch.byteCount
    store.append(batch) { [weak self] result in
      Task { await self?.stored(result, batch.byteCount) }
    }
    // A host may be faster than the disk.
    while inFlight > Self.inFlightBytes, fault == nil {
      // Nobody waits in a cancelled task, so that what is on its way would never be counted off.
      try Task.checkCancellation()
      await waiters.wait(upTo: durable + 1)
    }
    if let fault { throw fault }
  }

  /// How many bytes may be on their way to the disk before the host has to wait.
  static let inFlightBytes = 8 << 20

  private func stored(_ result: Result<Appended, StoreError>, _ bytes: Int) {
    inFlight -= bytes
    switch result {
    case .success(let appended):
      durable = max(durable, appended.durable ?? -1)
      if let refused = appended.refused { fault = fault ?? StoreError(.order(refused)) }
      waiters.release(upTo: durable)
      tellGrown()
    case .failure(let error):
      fault = fault ?? error
      waiters.releaseAll()
    }
  }

  /// Tells that it has grown, as often as a person sees.
  private func tellGrown() {
    guard !isTelling, !isFinished else { return }
    isTelling = true
    tell(.grown(branch, progress))
    let told = durable
    Task {
      try? await clock.sleep(for: .milliseconds(30))
      isTelling = false
      if durable > told { tellGrown() }
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

  /// Waits until an entry can be read, as long as that can be expected.
  func wait(upTo seq: Int64, milliseconds: Int64) async {
    guard case .running = phase, seq < draft.own.upperBound, durable < seq else { return }
    await waiters.wait(upTo: seq, milliseconds: milliseconds)
  }
}
