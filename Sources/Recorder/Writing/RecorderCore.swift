import HostProcesses
import JSONCore
package import Replaying
import StatesCore
import Synchronization
package import Timelines

/// What a recorder and its thread share.
///
/// Machines leave their steps in inboxes; the thread takes them. The lock here is for what happens
/// seldom: machines that come, flushing, the end.
@usableFromInline
package final class RecorderCore: Sendable {
  struct Shared: Sendable {
    /// The scribes of machines that the thread has not seen yet.
    var arriving: [ScribeMaker] = []
    /// The machines that are recorded now, by their identity.
    var machines: [UInt: RecordedMachine] = [:]
    /// How machines are run again, by what makes them: also those of machines that are gone.
    var replays: [String: Replay] = [:]
    /// How many machines have each name so far.
    var names: [String: Int] = [:]
    /// What to do on the thread when everything that waits is written.
    var requests: [@Sendable () -> Void] = []
    var isEnding = false
    /// The thread that died; what it was handling is to be written.
    var victim: UInt?
    var filter: EventFilter
  }

  /// Makes a scribe, on the recorder's thread.
  typealias ScribeMaker = @Sendable (Desk) -> any Scribe

  package let app: Header.App
  package let options: RecorderOptions
  @usableFromInline let clock: RecorderClock
  @usableFromInline let alarm = Alarm()
  let sinks: [any TimelineSink & Sendable]
  let counters: RecorderCounters
  package let handler: RecorderCommandHandler
  let shared: ForkSafeMutex<Shared>
  let hasEnded = Atomic<Bool>(false)
  /// Whether what is not written yet is given up, because the process ends.
  let isGivenUp = ForkSafeMutex(false)
  /// What is said when machines go on without it.
  let farewell: Farewell
  /// Finds call sites that register a machine for each event.
  let callSiteWatch: CallSiteWatch
  /// The recordings of reducers that several stores share.
  let storeBook = StoreBook()
  /// What it is known by to the watch for the program's death.
  let deathWatch = Atomic(0)
  /// Whether somebody died whose last event the thread has not yet come to: what else it writes can
  /// wait. Changed under the lock.
  let isDying = Atomic<Bool>(false)
  /// The process that it was made in; in a forked child it does nothing.
  let generation = ForkWatch.generation
  /// Where the machines of the process stood that this one was forked from, by their identity.
  let ancestors: [UInt: EntryReference]

  /// A core with a thread; nil when nothing is to be recorded.
  static func make(
    app: String, options: RecorderOptions, environment: RecorderEnvironment,
    ancestors: [UInt: EntryReference] = [:]
  ) -> RecorderCore? {
    ForkWatch.install()
    let options = options.withPlainLog
    guard Recording.isCompiledIn,
      let destinations = environment.destinations(options.destinations, log: options.log)
    else { return nil }
    let found = FoundCore()
    let handler = RecorderCommandHandler(options, found)
    let context = SinkContext(
      app: HeaderFacts.app(named: app, version: options.appVersion), options: options,
      environment: environment, counters: RecorderCounters(),
      handler: handler)
    let sinks = destinations.compactMap { SinkFactory.makeSink($0, context) }
    guard !sinks.isEmpty else { return nil }
    let core = RecorderCore(context, sinks, handler, ancestors)
    found.set(core)
    guard WorkerThread.start({ RecorderThread(core).run() }) else {
      options.log("There is no thread left to record on. Nothing is recorded.")
      return nil
    }
    LiveRecorders.add(core)
    core.deathWatch.store(core.watchForDeath() ?? 0, ordering: .relaxed)
    return core
  }

  private init(
    _ context: SinkContext, _ sinks: [any TimelineSink & Sendable],
    _ handler: RecorderCommandHandler, _ ancestors: [UInt: EntryReference]
  ) {
    self.handler = handler
    self.ancestors = ancestors
    app = context.app
    farewell = Farewell(app: context.app.name, log: context.options.log)
    options = context.options
    callSiteWatch = CallSiteWatch(log: context.options.log)
    clock = context.options.clock
    counters = context.counters
    self.sinks = sinks
    shared = ForkSafeMutex(Shared(filter: context.options.events))
  }

  /// How the machines are run again that were recorded so far.
  package var replays: [Replay] { shared.withLock { Array($0.replays.values) } }

  /// The machines that are recorded now.
  package var machines: [RecordedMachine] { shared.withLock { Array($0.machines.values) } }

  /// The machine whose steps go to a timeline.
  package func machine(of timeline: TimelineID) -> RecordedMachine? {
    machines.first { $0.timeline == timeline }
  }

  /// The machine of that identity, when it is recorded.
  package func machine(identity: UInt) -> RecordedMachine? {
    shared.withLock { $0.machines[identity] }
  }

  /// The machine of that identity, unless the recording ends.
  func recorded(_ identity: UInt) -> RecordedMachine? {
    shared.withLock { $0.isEnding ? nil : $0.machines[identity] }
  }

  /// Says which events are recorded from now on, of machines that have no filter of their own.
  package func setFilter(_ filter: EventFilter) {
    shared.withLock { $0.filter = filter }
  }

  /// Which events are recorded, of machines that have no filter of their own.
  var filter: EventFilter { shared.withLock { $0.filter } }

  /// What was done so far, by the thread and by the sinks.
  ///
  /// In a forked child none: a thread that is not here any more may hold the locks.
  var statistics: RecorderStatistics {
    guard isOurs else { return RecorderStatistics() }
    var statistics = counters.statistics
    for sink in sinks { (sink as? any CountingSink)?.add(to: &statistics) }
    statistics.unwritten = unwritten
    return statistics
  }

  /// Takes a machine in; the thread makes its scribe. False when the recorder has ended.
  func add(_ machine: RecordedMachine, _ make: @escaping ScribeMaker) -> Bool {
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
    alarm.wake()
    return true
  }

  /// Forgets a machine that is gone.
  func remove(_ machine: RecordedMachine) {
    machine.leave()
    handler.forget(machine.timeline)
    _ = shared.withLock { $0.machines.removeValue(forKey: machine.identity) }
  }

  /// The name for a machine: with a number when others had it before.
  func uniqueName(_ name: String) -> String {
    guard isOurs else { return name }
    return shared.withLock { shared in
      var unique = name
      while shared.names[unique] != nil {
        // Somebody may have chosen a name that ends in a number.
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
      guard let sink = sink as? any AskingSink else { continue }
      isFlushed = sink.flush(within: max(.zero, end - monotonicTime())) && isFlushed
    }
    return isFlushed
  }

  /// Waits until the thread has written what waits now.
  private func write(until end: Duration) -> Bool {
    guard isOurs else { return false }
    guard let isWritten = askToWrite() else { return true }
    return wait(for: isWritten, until: end)
  }

  /// Has the thread write what waits now, and what a thread died of; the flag is raised when it has.
  ///
  /// `nil` when the recording is over, or that of another process.
  func askToWrite(victim: UInt? = nil) -> Flag? {
    guard isOurs, !hasEnded.load(ordering: .acquiring) else { return nil }
    let isWritten = Flag()
    shared.withLock { shared in
      // At once: the event that a thread died of comes behind what waits.
      if let victim {
        shared.victim = victim
        isDying.store(true, ordering: .relaxed)
      }
      shared.requests.append { isWritten.raise() }
    }
    alarm.wake()
    return isWritten
  }

  /// Waits for what was asked for; false when it is not done in time.
  func wait(for isWritten: Flag, until end: Duration) -> Bool {
    while !isWritten.isRaised, !hasEnded.load(ordering: .acquiring) {
      guard monotonicTime() < end else { return false }
      rest()
    }
    return true
  }

  /// The recorder goes away; machines may go on.
  func leaveMachines() {
    guard isOurs, !shared.withLock({ $0.isEnding }) else { return }
    farewell.say()
  }

  /// Ends the recording as soon as everything is written, without waiting for it.
  func end() {
    guard isOurs else { return }
    handler.stop()
    shared.withLock { $0.isEnding = true }
    alarm.wake()
  }

  func close(within time: Duration) -> Bool {
    guard isOurs else { return false }
    farewell.cancel()
    let end = monotonicTime() + time
    self.end()
    while !hasEnded.load(ordering: .acquiring) {
      guard monotonicTime() < end else { return false }
      rest()
    }
    var isFlushed = true
    for sink in sinks {
      guard let sink = sink as? any AskingSink else { continue }
      isFlushed = sink.flush(within: max(.zero, end - monotonicTime())) && isFlushed
    }
    return isFlushed
  }
}
