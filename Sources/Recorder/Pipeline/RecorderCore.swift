import HostProcesses
import JSONCore
package import Replaying
import StatesCore
import Synchronization
package import Timelines

/// The state that a recorder and its thread share.
///
/// Steps go through inboxes without this lock, which is only for rare events: new machines,
/// flushing, the end.
@usableFromInline
package final class RecorderCore: Sendable {
  struct Shared: Sendable {
    /// Makes the pipelines of machines that the thread has not seen yet.
    var arriving: [PipelineMaker] = []
    /// The recorded machines, by identity.
    var machines: [UInt: RecordedMachine] = [:]
    /// How to rerun machines, by what makes them, including machines that are gone.
    var replays: [String: Replay] = [:]
    /// The number of machines with each name.
    var names: [String: Int] = [:]
    /// Actions to run on the thread once everything that waits is written.
    var requests: [@Sendable () -> Void] = []
    var isEnding = false
    /// The thread that crashed, whose current event must be written.
    var crashedThread: UInt?
    var filter: EventFilter
  }

  /// Makes a pipeline, on the recorder's thread.
  typealias PipelineMaker = @Sendable (SinkFanout) -> any MachinePipeline

  package let app: Header.App
  package let options: RecorderOptions
  @usableFromInline let clock: RecorderClock
  @usableFromInline let wakeSignal = WakeSignal()
  let sinks: [any TimelineSink & Sendable]
  let counters: RecorderCounters
  package let handler: RecorderCommandHandler
  let shared: ForkSafeMutex<Shared>
  let hasEnded = Atomic<Bool>(false)
  /// Whether unwritten entries were abandoned, because the process ends.
  let isAbandoned = ForkSafeMutex(false)
  /// How many of the counted losses were mentioned in a log line.
  let reportedLosses = Atomic<Int>(0)
  /// Which redaction rules matched in which machine.
  let ruleLedger = ForkSafeMutex(RuleLedger())
  /// Warns about machines that outlive the recorder.
  let orphanWarning: OrphanedMachineWarning
  /// Detects call sites that register a machine for each event.
  let callSiteWatch: CallSiteWatch
  /// The recordings of reducers that several stores share.
  let storeRegistry = StoreRecordingRegistry()
  /// Its id in the crash watch.
  let crashWatchID = Atomic(0)
  /// Whether a thread crashed whose last event is not written yet; other work can wait. Changed
  /// under the lock.
  let isCrashing = Atomic<Bool>(false)
  /// The process that created the core. In a forked child it does nothing.
  let generation = ForkWatch.generation
  /// The last entries of the parent process's machines, if this process was forked.
  let ancestors: [UInt: EntryReference]

  /// Makes a core and starts its thread; nil when nothing is recorded.
  static func make(
    app: String, options: RecorderOptions, environment: RecorderEnvironment,
    ancestors: [UInt: EntryReference] = [:]
  ) -> RecorderCore? {
    ForkWatch.install()
    let options = options.withPlainLog
    guard Recording.isCompiledIn,
      let destinations = environment.destinations(options.destinations, log: options.log)
    else { return nil }
    let reference = CoreReference()
    let handler = RecorderCommandHandler(options, reference)
    let facts = HeaderFacts.app(
      named: app, version: options.appVersion, commit: options.appCommit ?? environment.commit)
    let context = SinkContext(
      app: facts, options: options, environment: environment, counters: RecorderCounters(),
      handler: handler)
    let sinks = destinations.compactMap { SinkFactory.makeSink($0, context) }
    guard !sinks.isEmpty else { return nil }
    let core = RecorderCore(context, sinks, handler, ancestors)
    reference.set(core)
    guard WorkerThread.start({ RecorderThread(core).run() }) else {
      options.log("Nothing is recorded: no thread could be started. To fix, raise ulimit -u.")
      return nil
    }
    LiveRecorders.add(core)
    core.crashWatchID.store(core.watchForCrash() ?? 0, ordering: .relaxed)
    return core
  }

  private init(
    _ context: SinkContext, _ sinks: [any TimelineSink & Sendable],
    _ handler: RecorderCommandHandler, _ ancestors: [UInt: EntryReference]
  ) {
    self.handler = handler
    self.ancestors = ancestors
    app = context.app
    orphanWarning = OrphanedMachineWarning(app: context.app.name, log: context.options.log)
    options = context.options
    callSiteWatch = CallSiteWatch(log: context.options.log)
    clock = context.options.clock
    counters = context.counters
    self.sinks = sinks
    shared = ForkSafeMutex(Shared(filter: context.options.events))
  }

  /// How to rerun the machines that were recorded so far.
  package var replays: [Replay] { shared.withLock { Array($0.replays.values) } }

  package var machines: [RecordedMachine] { shared.withLock { Array($0.machines.values) } }

  package func machine(of timeline: TimelineID) -> RecordedMachine? {
    machines.first { $0.timeline == timeline }
  }

  /// The recorded machine with an identity.
  package func machine(identity: UInt) -> RecordedMachine? {
    shared.withLock { $0.machines[identity] }
  }

  /// The recorded machine with an identity, unless the recording ends.
  func recorded(_ identity: UInt) -> RecordedMachine? {
    shared.withLock { $0.isEnding ? nil : $0.machines[identity] }
  }

  /// Sets the event filter for machines without their own.
  package func setFilter(_ filter: EventFilter) {
    shared.withLock { $0.filter = filter }
  }

  /// The event filter for machines without their own.
  var filter: EventFilter { shared.withLock { $0.filter } }

  /// The statistics of the thread and the sinks.
  ///
  /// Empty in a forked child, where a missing thread may hold the locks.
  var statistics: RecorderStatistics {
    guard isOurs else { return RecorderStatistics() }
    // Read these first: entries that move in between are then counted twice, rather than not at
    // all.
    let (unwritten, losses) = (unwritten, uncountedLosses)
    var statistics = counters.statistics
    for sink in sinks { (sink as? any CountingSink)?.add(to: &statistics) }
    statistics.unwritten = unwritten
    statistics.lost += losses
    return statistics
  }

  /// Adds a machine; the thread makes its pipeline. Returns false if the recorder has ended.
  func add(_ machine: RecordedMachine, _ make: @escaping PipelineMaker) -> Bool {
    guard isOurs else { return false }
    let replay = machine.replay
    let isTaken = shared.withLock { shared in
      guard !shared.isEnding else { return false }
      shared.machines[machine.identity] = machine
      if let replay { shared.replays[replay.make] = replay }
      shared.arriving.append(make)
      return true
    }
    guard isTaken else { return false }
    counters.update { $0.machines += 1 }
    wakeSignal.wake()
    return true
  }

  /// Removes a machine that is gone.
  func remove(_ machine: RecordedMachine) {
    machine.detach()
    handler.forget(machine.timeline)
    _ = shared.withLock { $0.machines.removeValue(forKey: machine.identity) }
  }

  /// Returns a unique name for a machine, with a number if the name is taken.
  func uniqueName(_ name: String) -> String {
    guard isOurs else { return name }
    return shared.withLock { shared in
      var unique = name
      while shared.names[unique] != nil {
        // A machine may have been given a name that ends in a number.
        let next = (shared.names[name] ?? 1) + 1
        shared.names[name] = next
        unique = "\(name) \(next)"
      }
      shared.names[unique] = 1
      return unique
    }
  }

  func flush(within time: Duration) -> Bool {
    let end = monotonicTime() + time
    guard write(until: end) else { return false }
    var isFlushed = true
    for sink in sinks {
      guard let sink = sink as? any BufferingSink else { continue }
      isFlushed = sink.flush(within: max(.zero, end - monotonicTime())) && isFlushed
    }
    return isFlushed
  }

  /// Waits until the thread has written everything that waits now.
  private func write(until end: Duration) -> Bool {
    guard isOurs else { return false }
    guard let isWritten = requestWrite() else { return true }
    return wait(for: isWritten, until: end)
  }

  /// Makes the thread write everything that waits now, and the event in which a thread crashed. The
  /// flag is set once it has.
  ///
  /// Returns `nil` if the recording is over, or belongs to another process.
  func requestWrite(crashedThread: UInt? = nil) -> AtomicFlag? {
    guard isOurs, !hasEnded.load(ordering: .acquiring) else { return nil }
    let isWritten = AtomicFlag()
    shared.withLock { shared in
      // Set both under one lock: the event in which a thread crashed comes after what waits.
      if let crashedThread {
        shared.crashedThread = crashedThread
        isCrashing.store(true, ordering: .relaxed)
      }
      shared.requests.append { isWritten.set() }
    }
    wakeSignal.wake()
    return isWritten
  }

  /// Waits until a flag is set; false if the time is up first.
  func wait(for isWritten: AtomicFlag, until end: Duration) -> Bool {
    while !isWritten.isSet, !hasEnded.load(ordering: .acquiring) {
      guard monotonicTime() < end else { return false }
      sleepOneMillisecond()
    }
    return true
  }

  /// Enables the warning about machines that outlive the recorder.
  func armOrphanWarning() {
    guard isOurs, !shared.withLock({ $0.isEnding }) else { return }
    orphanWarning.arm()
  }

  /// Ends the recording once everything is written. Does not wait.
  func end() {
    guard isOurs else { return }
    handler.stop()
    shared.withLock { $0.isEnding = true }
    wakeSignal.wake()
  }

  func close(within time: Duration) -> Bool {
    guard isOurs else { return false }
    orphanWarning.disarm()
    let end = monotonicTime() + time
    self.end()
    while !hasEnded.load(ordering: .acquiring) {
      guard monotonicTime() < end else { return false }
      sleepOneMillisecond()
    }
    var isFlushed = true
    for sink in sinks {
      guard let sink = sink as? any BufferingSink else { continue }
      isFlushed = sink.flush(within: max(.zero, end - monotonicTime())) && isFlushed
    }
    return isFlushed
  }
}
