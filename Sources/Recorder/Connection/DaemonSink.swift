import HostProcesses
import Replaying
import Synchronization
package import Timelines

/// Takes a recorder's entries to a daemon, and the daemon's commands to the recorder.
///
/// The pipeline calls it on the recorder's thread and never waits: entries go into the outbox, which
/// is bounded. A thread of the sink's own connects, sends and listens; the transport's callbacks
/// only leave what they bring. Whoever is called (transport, spill file, command handler, log) is
/// called without a lock.
///
/// Without a daemon it costs a look for one from time to time, and keeps the latest entries for one
/// that is started later.
package final class DaemonSink: AskingSink, Sendable {
  let core: ForkSafeMutex<DaemonSinkCore>
  private let transport: any Transport
  private let handler: (any CommandHandler)?
  let options: DaemonSinkOptions
  private let spill: SpillFile?
  private let waking: Waking
  private let clock: @Sendable () -> Duration
  /// The process that it was made in: in a forked child its thread is missing, and its lock may be
  /// held for good.
  private let generation = ForkWatch.generation

  /// What has the sink look at what is new.
  private enum Waking: Sendable {
    /// Its own thread.
    case thread(Waker)
    /// The caller, who calls ``turn()`` then.
    case caller(@Sendable () -> Void)
    /// There is nothing: the process has no descriptors left.
    case none
  }

  /// A sink that begins to connect at once, and goes on until ``end(within:)``.
  ///
  /// The clock must not go backwards.
  package convenience init(
    _ transport: any Transport, options: DaemonSinkOptions, handler: (any CommandHandler)? = nil,
    clock: @escaping @Sendable () -> Duration = monotonicTime
  ) {
    let waker = Waker()
    self.init(
      transport, options: options, handler: handler, clock: clock,
      waking: waker.map(Waking.thread) ?? .none)
    guard let waker else {
      options.log("There are no file descriptors left to connect to a daemon with.")
      return
    }
    let isStarted = WorkerThread.start { [self] in run(waker) }
    if !isStarted { options.log("There is no thread left to connect to a daemon on.") }
  }

  /// A sink without a thread: the caller calls ``turn()`` soon after `wake`, and when a turn says so.
  package convenience init(
    _ transport: any Transport, options: DaemonSinkOptions, handler: (any CommandHandler)?,
    clock: @escaping @Sendable () -> Duration, wake: @escaping @Sendable () -> Void
  ) {
    self.init(
      transport, options: options, handler: handler, clock: clock, waking: .caller(wake))
    start()
  }

  private init(
    _ transport: any Transport, options: DaemonSinkOptions, handler: (any CommandHandler)?,
    clock: @escaping @Sendable () -> Duration, waking: Waking
  ) {
    self.waking = waking
    self.transport = transport
    self.handler = handler
    self.options = options
    self.clock = clock
    spill = options.spillPath.map(SpillFile.init)
    var allowed = options
    // A file without a bound, and a bound without a file, are none.
    if spill == nil { allowed.outbox.spillBytes = 0 }
    core = ForkSafeMutex(DaemonSinkCore(allowed))
  }

  package func open(_ header: Header) {
    guard isOurs else { return }
    core.withLock { $0.outbox.open(header) }
    wake()
  }

  package func append(_ entries: ArraySlice<WrittenEntry>, to timeline: TimelineID) {
    guard isOurs else { return }
    let now = clock()
    let (orders, isConnected) = core.withLock { core in
      (core.outbox.append(entries, to: timeline, now: now), core.outbox.isConnected)
    }
    for order in orders {
      let problem = spill?.write(order.bytes, at: order.place)
      core.withLock { $0.outbox.spilled(order, problem: problem) }
    }
    if isConnected { wake() }
  }

  package func close(_ timeline: TimelineID, gap: Gap?) {
    guard isOurs else { return }
    core.withLock { $0.outbox.close(timeline, gap: gap) }
    wake()
  }

  package func takeRequests() -> [SinkRequest] {
    guard isOurs else { return [] }
    return core.withLock { $0.outbox.takeRequests() }
  }

  /// Waits until the daemon has everything for good, or until the time is up, or at once when there
  /// is no daemon to wait for.
  package func flush(within time: Duration) -> Bool {
    waitUntil(within: time) { $0.isSettled }
  }

  /// Waits until the daemon has everything for good, also for one that is not there just now.
  package func settle(within time: Duration) -> Bool {
    waitUntil(within: time, isPatient: true) { $0.isSettled }
  }

  /// Waits until the operating system has everything that was appended, and then, as long as there is
  /// time, until the daemon has it.
  ///
  /// A process that goes away with answers that it has not read, or while the daemon writes one, may
  /// take with it what the daemon has not read.
  ///
  /// - Returns: Whether the operating system has everything.
  package func handOver(within time: Duration) -> Bool {
    let end = clock() + time
    guard waitUntil(within: time, { $0.hasHandedOver }) else { return false }
    let connection = core.withLock { $0.connection }
    while connection?.hasSentAll == false {
      guard clock() < end else { return false }
      rest()
    }
    _ = waitUntil(within: max(.zero, end - clock())) { $0.isSettled }
    return true
  }

  /// Ends the sink after everything was taken over, or when the time is up.
  package func end(within time: Duration = .zero) {
    if time > .zero { _ = flush(within: time) }
    core.withLock { $0.end() }
    wake()
  }

  /// Ends the sink by itself once the daemon has everything, or after a time; nobody waits for it.
  package func finish(within time: Duration) {
    let end = clock() + time
    core.withLock { core in
      core.outbox.hurry()
      core.finish(by: end)
    }
    wake()
  }

  /// What it did so far, and how it stands.
  package var status: DaemonSinkStatus {
    core.withLock { core in
      DaemonSinkStatus(
        counts: core.outbox.counts, kept: core.outbox.count, bytes: core.outbox.bytes,
        isConnected: core.machine.isWelcomed, problem: core.machine.problem,
        badFrames: core.machine.badFrames)
    }
  }

  var isOurs: Bool { generation == ForkWatch.generation }

  private func waitUntil(
    within time: Duration, isPatient: Bool = false, _ isDone: (DaemonSinkCore) -> Bool
  ) -> Bool {
    guard isOurs else { return false }
    let end = clock() + time
    while true {
      let (done, isHopeful) = core.withLock { core in
        core.outbox.hurry()
        return (isDone(core), core.isHopeful)
      }
      if done { return true }
      guard isHopeful || isPatient, clock() < end else { return false }
      wake()
      rest()
    }
  }
}

// The sink's own thread.
extension DaemonSink {
  private func run(_ waker: Waker) {
    start()
    while true {
      switch turn() {
      case .again: continue
      case .wait(let until): waker.wait(until.map { max(.zero, $0 - clock()) })
      case .end: return
      }
    }
  }

  private func start() { core.withLock { $0.start() } }

  private func wake() {
    switch waking {
    case .thread(let waker): waker.wake()
    case .caller(let wake): wake()
    case .none: break
    }
  }

  /// When the next turn is due.
  package enum NextTurn: Hashable, Sendable {
    /// At once.
    case again
    /// When something comes, or at a time.
    case wait(until: Duration?)
    /// Never.
    case end
  }

  /// Does what there is to do now. For one thread at a time.
  package func turn() -> NextTurn {
    // Asked outside the lock, for the handler is not ours.
    let abilities = handler?.abilities ?? FromRecorder.Abilities()
    let now = clock()
    let turn = core.withLock { core in
      core.offer(abilities)
      return core.turn(now: now)
    }
    switch turn {
    case .work(let work):
      for item in work { perform(item) }
      return .again
    case .wait(let until): return .wait(until: until)
    case .end: return .end
    }
  }

  private func perform(_ work: DaemonSinkCore.Work) {
    switch work {
    case .connect(let generation):
      let connection = transport.connect { [weak self] event in
        self?.tell(event, generation: generation)
      }
      let isWanted = core.withLock { $0.took(connection, generation: generation) }
      if !isWanted { connection.close(code: CloseCode.goingAway.rawValue, reason: "") }
    case .send(let connection, let frame): connection.send(frame)
    case .close(let connection, let code, let reason): connection.close(code: code, reason: reason)
    case .fetch(let fetch):
      let bytes = spill?.read(fetch.place)
      for work in core.withLock({ $0.fetched(fetch, bytes) }) { perform(work) }
    case .command(let command, let id, let generation, let maxMessage):
      carryOut(command, id, generation: generation, maxMessage: maxMessage)
    case .disconnected: handler?.disconnected()
    case .note(let words): options.log(Self.printable(words))
    }
  }

  private func tell(_ event: TransportEvent, generation: Int) {
    core.withLock { $0.tell(event, generation: generation) }
    wake()
  }

  private func carryOut(
    _ command: RecorderCommand, _ id: RequestID?, generation: Int, maxMessage: Int
  ) {
    let answer = CommandAnswer(id: id, maxMessage: maxMessage) { [weak self] envelope in
      guard let self else { return }
      core.withLock { $0.answer(envelope, generation: generation) }
      wake()
    }
    guard let handler else {
      answer.error(.forbidden, "This recorder takes no commands.")
      return
    }
    handler.handle(command, answer: answer)
  }

  /// The words with control and bidirectional characters as escapes: a peer wrote them, and a
  /// terminal may show them.
  static func printable(_ words: String) -> String {
    words.unicodeScalars.prefix(1_000).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
        scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }.joined()
  }
}
