import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The recorders of this process, to deliver their remaining entries at exit.
package enum LiveRecorders {
  private struct Known: Sendable {
    weak var core: RecorderCore?
  }

  /// A sink of a recorder that has ended but may still have entries to deliver.
  private struct Finishing: Sendable {
    weak var sink: (any BufferingSink)?
    var patience: Duration
  }

  private static let known = ForkResetMutex<[Known]>([])
  private static let finishing = ForkResetMutex<[Finishing]>([])

  /// Registers the exit handler once, before the first recorder is added.
  private static let registration: Void = {
    _ = atexit { LiveRecorders.flushAtExit() }
  }()

  /// The process that last added a recorder. A forked child has no recorders until it adds one.
  private static let generation = Atomic(0)

  static func add(_ core: RecorderCore) {
    _ = registration
    generation.store(ForkWatch.generation, ordering: .relaxed)
    known.withLock { known in
      known.removeAll { $0.core == nil }
      known.append(Known(core: core))
    }
  }

  /// Keeps weak references to sinks that end by themselves.
  static func finish(_ sinks: [any BufferingSink], patience: Duration) {
    finishing.withLock { finishing in
      finishing.removeAll { $0.sink == nil }
      finishing += sinks.map { Finishing(sink: $0, patience: patience) }
    }
  }

  package static var all: [RecorderCore] { known.withLock { $0.compactMap(\.core) } }

  /// The recorder of this process that records a machine, and the recorded machine.
  static func recorder(of identity: UInt) -> (RecorderCore, RecordedMachine)? {
    for core in all where core.isOurs {
      if let machine = core.recorded(identity) { return (core, machine) }
    }
    return nil
  }

  /// Delivers everything, within a time limit.
  private static func flushAtExit() {
    guard generation.load(ordering: .relaxed) == ForkWatch.generation else { return }
    // The recorders share the time: many of them take no longer than one.
    let start = monotonicTime()
    let cores = all
    for core in cores { core.end() }
    for core in cores {
      core.handOver(within: max(.zero, core.options.exitTimeout - (monotonicTime() - start)))
      core.abandonUnwritten()
    }
    for finishing in finishing.withLock({ $0 }) {
      let time = max(.zero, finishing.patience - (monotonicTime() - start))
      _ = finishing.sink?.handOver(within: time)
      (finishing.sink as? any ReportingSink)?.reportUnsent(
        "the program ended first", isOver: true)
    }
  }
}

extension RecorderCore {
  /// Closes the timelines, and delivers as much as possible within a time.
  func handOver(within time: Duration) {
    guard isOurs else { return }
    let end = monotonicTime() + time
    self.end()
    // A quarter of the time is for the sinks, even if not everything was written.
    while !hasEnded.load(ordering: .acquiring), monotonicTime() < end - time / 4 {
      sleepOneMillisecond()
    }
    for sink in sinks {
      _ = (sink as? any BufferingSink)?.handOver(within: max(.zero, end - monotonicTime()))
    }
  }
}
