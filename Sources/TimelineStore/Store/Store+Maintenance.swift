import Synchronization

extension Store {
  /// Schedules maintenance in short pieces, once there is no other work.
  func scheduleMaintenance() {
    guard !isTidying else { return }
    isTidying = true
    thread.call { [weak self] in self?.assumeIsolated { $0.performMaintenance() } }
  }

  func performMaintenance() {
    isTidying = false
    guard state == .open, let rows else { return }
    do {
      let isMore = try rows.performMaintenance()
      if commits >= nextMeasure {
        nextMeasure = commits + Self.measureEvery
        measure(try rows.usedBytes())
      }
      if isMore { scheduleMaintenance() }
    } catch {
      refuse(error)
    }
  }

  /// Calls a closure on the store's thread with a sentence, once each time space becomes short.
  package nonisolated func onWarning(_ body: @escaping @Sendable (String) -> Void) {
    thread.call { [weak self] in
      self?.assumeIsolated { store in
        store.warner = body
        store.warnOfRecovery(body)
        // Space may have been short when the store was opened, before there was a closure.
        store.nextMeasure = store.commits
        store.scheduleMaintenance()
      }
    }
  }

  /// At most a few MiB are written between two measurements of the free space.
  private static let measureEvery: UInt64 = 64

  private func measure(_ used: Int64) {
    guard let warner else { return }
    let free = options.disk.freeBytes(of: folder)
    var warning: String?
    if used > options.softLimit {
      warning =
        "The timelines take \(used >> 20) MiB; the soft limit is \(options.softLimit >> 20) MiB. "
        + "To fix, delete or export some, or set retention limits."
    } else if let free, free < options.leastFree {
      warning =
        "The disk has \(free >> 20) MiB left. To fix, free some space before recording stops."
    }
    defer { isWarned = warning != nil }
    guard let warning, !isWarned else { return }
    warner(warning)
  }
}
