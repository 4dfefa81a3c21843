import Synchronization
package import Timelines

extension Store {
  /// Begins a timeline, or goes on with one; `done` is called on the store's thread.
  ///
  /// A header that names another app, machine or start under the same id is a conflict; another
  /// schema or lanes replace the stored ones. Calls are carried out in their order, `append` that
  /// follows at once included.
  package nonisolated func open(
    _ header: Header, done: @escaping @Sendable (Result<Opened, StoreError>) -> Void
  ) {
    submit(.open(header, nil, isImport: false, done))
  }

  /// Appends entries; `done` is called on the store's thread once they survive anything.
  ///
  /// Entries that are there already are dropped and counted. A batch with an entry that cannot
  /// follow is refused whole.
  package nonisolated func append(
    _ batch: AppendBatch, done: @escaping @Sendable (Result<Appended, StoreError>) -> Void
  ) {
    submit(.append(batch, done))
  }

  /// Ends a timeline; what was lost after its last entry is kept.
  package nonisolated func end(
    _ id: TimelineID, gap: Gap?, done: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    change(id, done: done) { live throws(StoreError) in
      [.close(row: live.row, isClosed: true, lost: gap)]
    }
  }

  /// Begins a timeline, or goes on with one.
  package nonisolated func open(_ header: Header) async throws -> Opened {
    try await answer { open(header, done: $0) }
  }

  /// Appends entries, and returns once they survive anything.
  package nonisolated func append(_ batch: AppendBatch) async throws -> Appended {
    try await answer { append(batch, done: $0) }
  }

  /// Ends a timeline.
  package nonisolated func end(_ id: TimelineID, gap: Gap? = nil) async throws {
    try await answer { end(id, gap: gap, done: $0) }
  }

  /// Changes what is kept of a timeline, in the order of the calls.
  nonisolated func change(
    _ id: TimelineID, done: @escaping @Sendable (Result<Void, StoreError>) -> Void,
    _ rows: @escaping @Sendable (LiveTimeline) throws(StoreError) -> [RowChange]
  ) {
    submit(.change(Submission.Change(timeline: id, rows: rows), done))
  }

  nonisolated func submit(_ submission: Submission) {
    guard state != .closed else { return submission.refuse(StoreError(.closed)) }
    if inbox.withLock({ $0.add(submission) }) { announce() }
  }

  /// Tells the writing thread to look into its inbox.
  nonisolated func announce() {
    thread.call { [weak self] in self?.assumeIsolated { $0.commitPending() } }
  }

  /// Waits for an answer that is given by a callback.
  nonisolated func answer<Value: Sendable>(
    _ body: (@escaping @Sendable (Result<Value, StoreError>) -> Void) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      body { result in continuation.resume(with: result) }
    }
  }
}
