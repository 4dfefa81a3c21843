import Synchronization
import Timelines

extension Store {
  /// Stops writing after a fault, lets go of the connection, and tries again later.
  func refuse(_ error: StoreError) {
    set(.refusing(Self.words(for: error)))
    // After a failed sync nobody knows what a connection still holds: it is closed, never reused.
    rows = nil
    live = [:]
    shapes = ShapeCache(capacity: options.shapeBytes)
    inbox.withLock { $0.dropSealed() }
    sealingBytes = 0
    generation += 1
    guard options.waitsForDisk else { return refuseRest(error) }
    retryLater()
  }

  func retryLater() {
    thread.call(after: options.retryMilliseconds) { [weak self] in
      _ = self?.assumeIsolated { $0.retry() }
    }
  }

  /// Opens a new connection and goes on, when the disk lets it; answers whether it does.
  @discardableResult
  func retry() -> Bool {
    guard case .refusing = state else { return state == .open }
    readers.setFrozen(false)
    do {
      let rows = try openRows()
      // What a failed sync left in the log is written and synced anew, before anyone counts on it.
      try rows.prove()
      nextRow = max(nextRow, try rows.lastRow() + 1)
      self.rows = rows
    } catch {
      rows = nil
      readers.setFrozen(true)
      set(.refusing(Self.words(for: error)))
      retryLater()
      return false
    }
    set(.open)
    commitPending()
    return state == .open
  }

  /// Tries at once to write again; answers whether the store writes.
  package func tryAgain() -> Bool { retry() }

  /// Changes the state and tells who wants to know.
  func set(_ state: StoreState) {
    let observer = shared.withLock { shared in
      defer { shared.state = state }
      return shared.state == state ? nil : shared.observer
    }
    observer?(state)
  }

  /// Answers what will not be written any more.
  func refuseRest(_ error: StoreError = StoreError(.closed)) {
    let rest = inbox.withLock { inbox in
      inbox.take(upTo: .max).submissions
    }
    for submission in rest { submission.refuse(error) }
  }

  static func words(for error: StoreError) -> String {
    if case .refusing(let why) = error.reason { return why }
    guard case .database(let fault) = error.reason, fault.isOfDisk else { return "\(error)" }
    return fault.isFull
      ? "The disk is full. To fix, make room; recording goes on by itself."
      : "The disk fails: \(fault). To fix, look at the disk; recording goes on by itself."
  }
}

extension StoreError {
  /// Whether the disk failed, and not what is stored on it.
  var isOfDisk: Bool {
    switch reason {
    case .refusing, .folder, .openFolder: true
    case .database(let error): error.isOfDisk && !error.isOfReading
    case .held, .newer, .closed, .notFound, .gone, .conflict, .hasBranches, .noEntry, .order, .path,
      .longPath, .damaged, .file, .packing, .packed:
      false
    }
  }

  /// Whether a database that could not be opened for writing can be read all the same: the disk has
  /// no room or fails, and nothing has to be written before this build understands the rows.
  func leavesReading(_ path: String, _ disk: any StoreDisk) -> Bool {
    switch reason {
    case .refusing: true
    case .database(let error): error.isOfWriting && Schema.format(of: path, disk) == Schema.current
    default: false
    }
  }
}
