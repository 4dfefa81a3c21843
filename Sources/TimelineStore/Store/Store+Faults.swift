import Synchronization
import Timelines

extension Store {
  /// Stops writing after a fault, closes the connection, and schedules a retry.
  func refuse(_ error: StoreError) {
    set(.refusing(Self.sentence(for: error)))
    if error.reason == .server(.leaseLost) { keeper?.lose() }
    // After a failed sync the state of a connection is undefined: close it, never reuse it.
    rows = nil
    live = [:]
    shapes = ShapeCache(capacity: options.shapeBytes)
    inbox.withLock { $0.dropSealed() }
    sealingBytes = 0
    generation += 1
    guard options.waitsForDisk else { return refuseRest(error) }
    retryLater()
  }

  /// Schedules a retry: after twice the time of the previous one, up to a limit.
  func retryLater() {
    let milliseconds = options.retryMilliseconds << min(failures, Self.maximumDoublings)
    failures += 1
    thread.call(after: milliseconds) { [weak self] in
      _ = self?.assumeIsolated { $0.retry() }
    }
  }

  /// The first pause grows to sixteen times its length: one second to sixteen.
  private static let maximumDoublings = 4

  /// Forgets earlier failures once the store has written for as long as the longest pause. A disk
  /// with hardly any space accepts some commits and refuses others.
  private func forgetFailuresLater() {
    let generation = generation
    thread.call(after: options.retryMilliseconds << Self.maximumDoublings) { [weak self] in
      self?.assumeIsolated { store in
        if store.state == .open, store.generation == generation { store.failures = 0 }
      }
    }
  }

  /// Opens a new connection and resumes writing, if the disk permits; returns whether it does.
  ///
  /// A full disk lets a connection open and refuses its first commit, so only a commit shows that
  /// the store writes again.
  @discardableResult
  func retry() -> Bool {
    guard case .refusing = state else { return state == .open }
    readers.setFrozen(false)
    do {
      let rows = try source.openWriting(indexer: indexer)
      // What a failed sync left in the log is written and synced again before it counts as durable.
      try rows.syncLog()
      nextRow = max(nextRow, try rows.lastRow() + 1)
      try rows.commit([.probe])
      self.rows = rows
    } catch {
      rows = nil
      readers.setFrozen(true)
      set(.refusing(Self.sentence(for: error)))
      if error.reason == .server(.leaseLost) { keeper?.lose() }
      retryLater()
      return false
    }
    guard commitNext() else { return false }
    set(.open)
    forgetFailuresLater()
    commitPending()
    return state == .open
  }

  /// Retries immediately; returns whether the store writes.
  package func tryAgain() -> Bool { retry() }

  /// Changes the state and notifies observers.
  func set(_ state: StoreState) {
    let observer = shared.withLock { shared in
      defer { shared.state = state }
      return shared.state == state ? nil : shared.observer
    }
    observer?(state)
  }

  /// Fails everything that will not be written anymore.
  func refuseRest(_ error: StoreError = StoreError(.closed)) {
    let rest = inbox.withLock { inbox in
      inbox.dequeue(upTo: .max).submissions
    }
    for submission in rest { submission.refuse(error) }
  }

  static func sentence(for error: StoreError) -> String {
    if case .refusing(let why) = error.reason { return why }
    if case .server(.fenced) = error.reason {
      return "Another daemon has written the same timeline. To fix, use each database with one "
        + "daemon only; recording then continues automatically."
    }
    if case .server(.leaseLost) = error.reason {
      return "Another daemon has taken over the database. This one stores nothing anymore. "
        + "To record, use that daemon."
    }
    if case .server(let fault) = error.reason, fault.isOfConnection {
      return
        "The database does not answer: \(fault). Recorders keep their entries, and what you see "
        + "may be out of date. To fix, check the server; recording then continues automatically."
    }
    if case .server(let fault) = error.reason, fault.isOfLock {
      return
        "The database does not store entries: another session holds a lock on its tables. Recorders "
        + "keep their entries. To fix, end that session's transaction; recording then continues "
        + "automatically."
    }
    if case .server(let fault) = error.reason {
      return "The database server does not store entries: \(fault). To fix, check the server; "
        + "recording then continues automatically."
    }
    guard case .database(let fault) = error.reason, fault.isOfDisk else { return "\(error)" }
    return fault.isFull
      ? "The disk is full. To fix, free some space; recording then continues automatically."
      : "The disk failed: \(fault). To fix, check the disk; recording then continues automatically."
  }
}

extension StoreError {
  /// Whether the database failed, rather than what it was asked to do.
  var isOfDatabase: Bool {
    switch reason {
    case .database, .server: true
    case .held, .leased, .newer, .folder, .openFolder, .refusing, .closed, .notFound, .gone,
      .conflict,
      .ownAncestor, .manyAncestors, .hasBranches, .noEntry, .order, .path, .longPath, .damaged,
      .file, .packing, .packed, .chunk:
      false
    }
  }

  /// Whether the disk failed, rather than the data on it.
  var isOfDisk: Bool {
    switch reason {
    case .refusing, .folder, .openFolder: true
    case .database(let error): error.isOfDisk && !error.isOfReading
    case .held, .leased, .newer, .server, .closed, .notFound, .gone, .conflict, .ownAncestor,
      .manyAncestors,
      .hasBranches, .noEntry, .order, .path, .longPath, .damaged, .file, .packing, .packed, .chunk:
      false
    }
  }

  /// Whether a database that cannot be opened for writing can still be read: the disk is full or
  /// failing, and this build understands the rows without a migration.
  func leavesReading(_ path: String, _ disk: any StoreDisk) -> Bool {
    switch reason {
    case .refusing: true
    case .database(let error): error.isOfWriting && Schema.format(of: path, disk) == Schema.current
    case .held, .leased, .newer, .server, .folder, .openFolder, .closed, .notFound, .gone,
      .conflict,
      .ownAncestor, .manyAncestors, .hasBranches, .noEntry, .order, .path, .longPath, .damaged,
      .file, .packing, .packed, .chunk:
      false
    }
  }
}
