import Synchronization
package import Timelines

extension Store {
  /// Starts or continues a timeline; `done` is called on the store's thread.
  ///
  /// A header with another app, machine, or start under the same id is a conflict; another schema
  /// or other lanes replace the stored ones. Calls are performed in order, including an immediately
  /// following `append`.
  package nonisolated func open(
    _ header: Header, done: @escaping @Sendable (Result<Opened, StoreError>) -> Void
  ) {
    submit(.open(header, nil, isImport: false, done))
  }

  /// Appends entries; `done` is called on the store's thread once they are durable.
  ///
  /// Entries that are already stored are dropped and counted. A batch with an invalid entry is
  /// refused as a whole.
  package nonisolated func append(
    _ batch: AppendBatch, done: @escaping @Sendable (Result<Appended, StoreError>) -> Void
  ) {
    submit(.append(batch, done))
  }

  /// Ends a timeline; stores the losses after its last entry.
  package nonisolated func end(
    _ id: TimelineID, gap: Gap?, done: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    change(id, done: done) { live throws(StoreError) in
      [.close(row: live.row, isClosed: true, lost: gap)]
    }
  }

  /// Starts or continues a timeline.
  package nonisolated func open(_ header: Header) async throws -> Opened {
    try await answer { open(header, done: $0) }
  }

  /// Appends entries, and returns once they are durable.
  package nonisolated func append(_ batch: AppendBatch) async throws -> Appended {
    try await answer { append(batch, done: $0) }
  }

  package nonisolated func end(_ id: TimelineID, gap: Gap? = nil) async throws {
    try await answer { end(id, gap: gap, done: $0) }
  }

  /// Changes a timeline's catalog entry, in the order of the calls.
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

  /// Schedules a look into the inbox on the writing thread.
  nonisolated func announce() {
    thread.call { [weak self] in self?.assumeIsolated { $0.commitPending() } }
  }

  /// Waits for an answer from a callback.
  nonisolated func answer<Value: Sendable>(
    _ body: (@escaping @Sendable (Result<Value, StoreError>) -> Void) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      body { result in continuation.resume(with: result) }
    }
  }
}
