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

  /// The sinks of a recorder that has ended: they may still have something to hand over.
  private struct Finishing: Sendable {
    weak var sink: (any AskingSink)?
    var patience: Duration
  }

  private static let known = ProcessMutex<[Known]>([])
  private static let finishing = ProcessMutex<[Finishing]>([])

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

  /// Remembers sinks that end by themselves, as long as they are there.
  static func finish(_ sinks: [any AskingSink], patience: Duration) {
    finishing.withLock { finishing in
      finishing.removeAll { $0.sink == nil }
      finishing += sinks.map { Finishing(sink: $0, patience: patience) }
    }
  }

  /// The recorders that record now.
  package static var all: [RecorderCore] { known.withLock { $0.compactMap(\.core) } }

  /// The recorder of this process that records a machine, and what as.
  static func recorder(of identity: UInt) -> (RecorderCore, RecordedMachine)? {
    for core in all where core.isOurs {
      if let machine = core.recorded(identity) { return (core, machine) }
    }
    return nil
  }

  /// Has everything written, in a bounded time.
  private static func flushAtExit() {
    guard generation.load(ordering: .relaxed) == ForkWatch.generation else { return }
    // They share the time: an app with many waits no longer than one with a single one.
    let start = monotonicTime()
    for core in all {
      core.handOver(within: max(.zero, core.options.exitPatience - (monotonicTime() - start)))
      core.giveUp()
    }
    for finishing in finishing.withLock({ $0 }) {
      let time = max(.zero, finishing.patience - (monotonicTime() - start))
      _ = finishing.sink?.handOver(within: time)
      (finishing.sink as? any ReportingSink)?.reportUnsent()
    }
  }
}

extension RecorderCore {
  /// Closes the timelines and hands everything over, as far as it can be done in that time.
  func handOver(within time: Duration) {
    guard isOurs else { return }
    let end = monotonicTime() + time
    self.end()
    // Some of the time is the sinks', also where not all was written.
    while !hasEnded.load(ordering: .acquiring), monotonicTime() < end - time / 4 { rest() }
    for sink in sinks {
      _ = (sink as? any AskingSink)?.handOver(within: max(.zero, end - monotonicTime()))
    }
  }
}
