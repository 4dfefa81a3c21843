import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The recorders of this process, so that its end does not lose what they still have.
package enum LiveRecorders {
  private struct Known: Sendable {
    weak var core: RecorderCore?
  }

  private static let known = ProcessMutex<[Known]>([])

  /// Registers the handler once, before the first recorder is added.
  private static let registration: Void = {
    _ = atexit { LiveRecorders.flushAtExit() }
  }()

  /// The process that added a recorder last; a forked child has none until it does.
  private static let generation = Atomic(0)

  static func add(_ core: RecorderCore) {
    _ = registration
    generation.store(ForkWatch.generation, ordering: .relaxed)
    known.withLock { known in
      known.removeAll { $0.core == nil }
      known.append(Known(core: core))
    }
  }

  /// The recorders that record now.
  package static var all: [RecorderCore] { known.withLock { $0.compactMap(\.core) } }

  /// Has everything written, in a bounded time.
  private static func flushAtExit() {
    guard generation.load(ordering: .relaxed) == ForkWatch.generation else { return }
    // They share the time: an app with many waits no longer than one with a single one.
    let start = monotonicTime()
    for core in all {
      core.handOver(within: max(.zero, core.options.exitPatience - (monotonicTime() - start)))
    }
  }
}

extension RecorderCore {
  /// Closes the timelines and hands everything over, as far as it can be done in that time.
  func handOver(within time: Duration) {
    guard isOurs else { return }
    let end = monotonicTime() + time
    self.end()
    while !hasEnded.load(ordering: .acquiring) {
      guard monotonicTime() < end else { return }
      rest()
    }
    for sink in sinks {
      _ = (sink as? any AskingSink)?.handOver(within: max(.zero, end - monotonicTime()))
    }
  }
}
