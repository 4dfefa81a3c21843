import Synchronization

extension Store {
  /// Does what can wait, in short pieces, once nothing else does.
  func tidyLater() {
    guard !isTidying else { return }
    isTidying = true
    thread.call { [weak self] in self?.assumeIsolated { $0.tidy() } }
  }

  func tidy() {
    isTidying = false
    guard state == .open, let rows else { return }
    do {
      let isMore = try rows.tidy()
      if commits >= nextMeasure {
        nextMeasure = commits + Self.measureEvery
        measure(try rows.usedBytes())
      }
      if isMore { tidyLater() }
    } catch {
      refuse(error)
    }
  }

  /// Calls a closure on the store's thread when room becomes short, with a sentence; once for each
  /// time that it does.
  package nonisolated func onWarning(_ body: @escaping @Sendable (String) -> Void) {
    shared.withLock { $0.warner = body }
    thread.call { [weak self] in self?.assumeIsolated { $0.warnOfRecovery(body) } }
  }

  /// A few MiB at most are written between two looks at the room that is left.
  private static let measureEvery: UInt64 = 64

  private func measure(_ used: Int64) {
    let free = options.disk.freeBytes(of: folder)
    var warning: String?
    if used > options.softLimit {
      warning =
        "The timelines take \(used >> 20) MiB of the \(options.softLimit >> 20) MiB that "
        + "they should. To fix, delete or export some, or set limits for what is kept."
    } else if let free, free < options.leastFree {
      warning = "The disk has \(free >> 20) MiB left. To fix, make room before recording stops."
    }
    defer { isWarned = warning != nil }
    guard let warning, !isWarned else { return }
    shared.withLock { $0.warner }?(warning)
  }
}
