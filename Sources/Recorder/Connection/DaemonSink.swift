import HostProcesses
import Replaying
import Synchronization
package import Timelines
import Wire

/// Sends a recorder's entries to a daemon, and passes the daemon's commands to the recorder.
///
/// The pipeline calls it on the recorder's thread, and it never blocks there: entries go into the
/// bounded outbox. The sink's own thread connects, sends, and receives; the transport's callbacks
/// only enqueue events. The transport, the spill file, the command handler, and the log are all
/// called without holding the lock.
///
/// Without a daemon it tries to connect from time to time, and buffers the latest entries for a
/// daemon that is started later.
package final class DaemonSink: BufferingSink, Sendable {
  let core: ForkSafeMutex<DaemonSinkCore>
  /// One for each daemon.
  private let transports: [any Transport]
  private let handler: (any CommandHandler)?
  let options: DaemonSinkOptions
  private let spill: SpillFile?
  private let waking: Waking
  private let clock: @Sendable () -> Duration
  /// The process that created the sink. In a forked child its thread is missing, and its lock may
  /// be held forever.
  private let generation = ForkWatch.generation

  /// How to make the sink take its next turn.
  private enum Waking: Sendable {
    /// Wake the sink's own thread.
    case thread(Waker)
    /// Notify the caller, which then calls ``turn()``.
    case caller(@Sendable () -> Void)
    /// Not possible: the process has no file descriptors left.
    case none
  }

  /// Creates a sink that connects immediately, and runs until ``end(within:)``.
  ///
  /// - Parameter clock: The time, which must not go backwards.
  package convenience init(
    _ transports: [any Transport], options: DaemonSinkOptions, handler: (any CommandHandler)? = nil,
    clock: @escaping @Sendable () -> Duration = monotonicTime
  ) {
    let waker = Waker()
    self.init(
      transports, options: options, handler: handler, clock: clock,
      waking: waker.map(Waking.thread) ?? .none)
    guard let waker else {
      options.log(
        "Nothing is sent to a daemon: no file descriptors are left. To fix, raise ulimit -n.")
      return
    }
    let isStarted = WorkerThread.start { [self] in run(waker) }
    if !isStarted {
      options.log(
        "Nothing is sent to a daemon: no thread could be started. To fix, raise ulimit -u.")
    }
  }

  /// Creates a sink without a thread. The caller calls ``turn()`` soon after `wake`, and when a
  /// turn requests it.
  package convenience init(
    _ transports: [any Transport], options: DaemonSinkOptions, handler: (any CommandHandler)?,
    clock: @escaping @Sendable () -> Duration, wake: @escaping @Sendable () -> Void
  ) {
    self.init(
      transports, options: options, handler: handler, clock: clock, waking: .caller(wake))
    start()
  }

  private init(
    _ transports: [any Transport], options: DaemonSinkOptions, handler: (any CommandHandler)?,
    clock: @escaping @Sendable () -> Duration, waking: Waking
  ) {
    self.waking = waking
    self.transports = transports
    self.handler = handler
    self.options = options
    self.clock = clock
    spill = options.spillPath.map(SpillFile.init)
    var allowed = options
    // Without a file there is no room in it.
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

  package func drainRequests() -> [SinkRequest] {
    guard isOurs else { return [] }
    return core.withLock { $0.outbox.drainRequests() }
  }

  /// Waits until the daemon has stored everything. Returns early if there is no daemon to wait for:
  /// none was reached, or after a connection was lost, the next attempt to connect failed.
  package func flush(within time: Duration) -> Bool {
    waitUntil(within: time) { $0.isFullyAcknowledged }
  }

  /// Waits until the daemon has stored everything, even if it is not reachable right now.
  package func flushAcrossReconnects(within time: Duration) -> Bool {
    waitUntil(within: time, waitsForReconnect: true) { $0.isFullyAcknowledged }
  }

  /// Waits until the operating system has everything that was appended and then, if there is time,
  /// until the daemon has stored it.
  ///
  /// A process that exits with unread answers, or while the daemon writes one, may take down data
  /// that the daemon has not read.
  ///
  /// - Returns: Whether the operating system has everything.
  package func handOver(within time: Duration) -> Bool {
    let end = clock() + time
    guard waitUntil(within: time, { $0.hasHandedOver }) else { return false }
    let connection = core.withLock { $0.connection }
    while connection?.hasSentAll == false {
      guard clock() < end else { return false }
      sleepOneMillisecond()
    }
    _ = waitUntil(within: max(.zero, end - clock())) { $0.isFullyAcknowledged }
    return true
  }

  /// Ends the sink once everything is stored, or when the time is up.
  package func end(within time: Duration = .zero) {
    if time > .zero { _ = flush(within: time) }
    core.withLock { $0.end() }
    wake()
  }

  /// Lets the sink end by itself once the daemon has stored everything, or after a time. Does not
  /// wait.
  package func finish(within time: Duration) {
    let end = clock() + time
    core.withLock { core in
      core.outbox.flushSoon()
      core.finish(by: end)
    }
    wake()
  }

  /// The sink's counts and the state of its connection.
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
    within time: Duration, waitsForReconnect: Bool = false, _ isDone: (DaemonSinkCore) -> Bool
  ) -> Bool {
    guard isOurs else { return false }
    let end = clock() + time
    core.withLock { $0.postponeFinish(until: end) }
    while true {
      let (done, canDeliverSoon) = core.withLock { core in
        core.outbox.flushSoon()
        return (isDone(core), core.canDeliverSoon)
      }
      if done { return true }
      guard canDeliverSoon || waitsForReconnect, clock() < end else { return false }
      wake()
      sleepOneMillisecond()
    }
  }
}

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

  package enum NextTurn: Hashable, Sendable {
    /// Immediately.
    case again
    /// When woken, or at a time.
    case wait(until: Duration?)
    /// Never.
    case end
  }

  /// Does all pending work. Only one thread may call it at a time.
  package func turn() -> NextTurn {
    // Called outside the lock, because the handler is foreign code.
    let abilities = handler?.abilities ?? FromRecorder.Abilities()
    let now = clock()
    let turn = core.withLock { core in
      core.setAbilities(abilities)
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
    case .connect(let generation, let daemon):
      guard transports.indices.contains(daemon) else { return }
      let connection = transports[daemon].connect { [weak self] event in
        self?.enqueue(event, generation: generation)
      }
      let isWanted = core.withLock { $0.adopt(connection, generation: generation) }
      if !isWanted { connection.close(code: CloseCode.goingAway.rawValue, reason: "") }
    case .send(let connection, let frame): connection.send(frame)
    case .limitMessages(let connection, let bytes): connection.limitMessages(to: bytes)
    case .close(let connection, let code, let reason): connection.close(code: code, reason: reason)
    case .fetch(let fetch):
      let bytes = spill?.read(fetch.place)
      for work in core.withLock({ $0.fetched(fetch, bytes) }) { perform(work) }
    case .command(let command, let id, let generation, let maxMessage):
      carryOut(command, id, generation: generation, maxMessage: maxMessage)
    case .disconnected: handler?.disconnected()
    case .log(let words): options.log(Self.printable(words))
    }
  }

  private func enqueue(_ event: TransportEvent, generation: Int) {
    core.withLock { $0.enqueue(event, generation: generation) }
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
      answer.error(.forbidden, "This recorder does not accept commands.")
      return
    }
    handler.handle(command, answer: answer)
  }

  /// The beginning of a peer's text, which a terminal may show.
  static func printable(_ words: String) -> String {
    PlainText.escaping(String(String.UnicodeScalarView(words.unicodeScalars.prefix(1_000))))
  }
}
