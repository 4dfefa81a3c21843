import Timelines
import Wire

/// The outbox and the connection of a daemon sink, guarded by its lock.
///
/// It calls nothing. It returns the work to do outside the lock.
struct DaemonSinkCore: Sendable {
  /// Work to do outside the lock, on the sink's thread.
  enum Work: Sendable {
    case connect(generation: Int, daemon: Int)
    case send(any TransportConnection, [UInt8])
    case limitMessages(any TransportConnection, Int)
    case close(any TransportConnection, code: UInt16, reason: String)
    case fetch(SpillFetch)
    case command(RecorderCommand, RequestID?, generation: Int, maxMessage: Int)
    case disconnected
    case log(String)
  }

  enum Turn: Sendable {
    /// Do this work in order, and then call `turn` again.
    case work([Work])
    /// Wait for an event, or until a time.
    case wait(until: Duration?)
    case end
  }

  var outbox: Outbox
  var machine: ConnectionMachine
  let options: DaemonSinkOptions
  private var generator: OptionsGenerator

  /// Counts the connections, to ignore events of older ones.
  private(set) var generation = 0
  private(set) var connection: (any TransportConnection)?
  private var incoming: [ConnectionMachine.Input] = []
  private var incomingBytes = 0
  private var answers: [[UInt8]] = []
  private var answerBytes = 0
  private var maxMessage = 0
  /// Whether the transport is full.
  private var isFull = false
  private var isEnding = false
  /// When to end even if not everything is acknowledged.
  private var finishBy: Duration?
  var hasReportedLoss = false
  var hasReportedAbandoned = false
  /// The entries of abandoned timelines that were already reported.
  var reportedAbandoned = 0
  /// Whether a daemon ever accepted the connection, and whether its absence was reported.
  var wasWelcomed = false
  var hasReportedUnusable = false
  /// The daemon that accepted the latest connection.
  var acceptedBy: Int?
  /// Whether the unacknowledged entries are already counted as lost.
  var hasCountedUnsent = false
  /// The capabilities to announce on the next connection.
  private var abilities = FromRecorder.Abilities()

  init(_ options: DaemonSinkOptions) {
    self.options = options
    generator = OptionsGenerator(options.random)
    outbox = Outbox(options.outbox)
    machine = ConnectionMachine(trusts: options.trusts, retry: options.retry)
  }

  /// Whether entries may reach the daemon soon. Otherwise flushing would only waste time.
  ///
  /// After a connection was lost, the next attempt is a moment away, and often succeeds. Where several
  /// daemons are configured, each is tried once.
  var canDeliverSoon: Bool {
    switch machine.state {
    case .connecting, .proving, .greeting, .welcomed: true
    // The sink's thread has not started to connect yet.
    case .idle: !isEnding
    case .waiting: !machine.rotation.hasFailedEverywhere
    case .refused: false
    }
  }

  /// Whether the daemon has acknowledged everything.
  var isFullyAcknowledged: Bool { outbox.isFullyAcknowledged && answers.isEmpty }

  /// Whether everything was passed to the transport.
  var hasHandedOver: Bool { machine.isWelcomed && answers.isEmpty && !outbox.hasUnsent }

  /// Connects at the next turn.
  mutating func start() { incoming.append(.start) }

  /// Ends the sink at the next turn.
  mutating func end() {
    isEnding = true
    incoming.append(.stop)
  }

  /// Ends the sink once everything is acknowledged, or at that time.
  mutating func finish(by time: Duration) { finishBy = time }

  /// Lets the sink run until that time at least, because a caller waits for it.
  mutating func postponeFinish(until time: Duration) {
    finishBy = finishBy.map { max($0, time) }
  }

  /// Enqueues an event of a connection.
  mutating func enqueue(_ event: TransportEvent, generation: Int) {
    guard generation == self.generation else { return }
    switch event {
    case .opened(let isSameUser):
      guard isSameUser != false || machine.trust != .socket else {
        incoming.append(
          .wrongPeer(
            """
            The process on that socket belongs to another user. To fix, record to the socket of \
            your own daemon.
            """))
        return
      }
      incoming.append(.opened)
    case .text(let bytes):
      guard incomingBytes + bytes.count <= options.waitingBytes else {
        // Report this once, and drop everything until the connection has ended.
        if incomingBytes <= options.waitingBytes {
          incomingBytes = options.waitingBytes + 1
          incoming.append(.protocolViolation("The daemon sent more than the recorder can buffer."))
        }
        return
      }
      incomingBytes += bytes.count
      incoming.append(.text(bytes))
    case .binary: incoming.append(.binary)
    case .full: isFull = true
    case .drained: isFull = false
    case .closed(let code, let reason): incoming.append(.closed(code: code, reason: reason))
    }
  }

  /// Adopts the connection that `connect` made. Returns false if the attempt was superseded.
  mutating func adopt(_ connection: any TransportConnection, generation: Int) -> Bool {
    guard generation == self.generation else { return false }
    switch machine.state {
    case .connecting, .proving, .greeting, .welcomed: break
    case .idle, .waiting, .refused: return false
    }
    self.connection = connection
    return true
  }

  /// Enqueues the answer to a command.
  mutating func answer(_ envelope: Envelope<FromRecorder>, generation: Int) {
    guard generation == self.generation, machine.isWelcomed else { return }
    var frame = envelope.encoded()
    if frame.count > maxMessage {
      let error = ErrorReply {
        $0.code = .limit
        $0.message = "The answer has \(frame.count) bytes; the limit is \(maxMessage)."
      }
      frame = Envelope(FromRecorder.error(error), re: envelope.re).encoded()
    }
    guard answerBytes + frame.count <= options.waitingBytes else {
      incoming.append(.protocolViolation("The daemon does not read the answers to its commands."))
      return
    }
    answerBytes += frame.count
    answers.append(frame)
  }

  /// Returns the work to do at this time.
  mutating func turn(now: Duration) -> Turn {
    if !incoming.isEmpty {
      let inputs = incoming
      (incoming, incomingBytes) = ([], 0)
      return .work(inputs.flatMap { handle($0, now: now) })
    }
    if isEnding, machine.state == .idle { return .end }
    if let finishBy, !isEnding, isFullyAcknowledged || now >= finishBy {
      let note = unsentMessage("the daemon did not store them in time")
      countUnsentAsLost()
      end()
      return note.map { .work([.log($0)]) } ?? turn(now: now)
    }
    let late = handle(.tick, now: now)
    if !late.isEmpty { return .work(late) }
    if let note = lossMessage() { return .work([.log(note)]) }
    if let note = unusableMessage() { return .work([.log(note)]) }
    let sending = nextSending(now: now)
    if !sending.isEmpty { return .work(sending) }
    let deadlines = [
      machine.deadline, canSend ? outbox.deadline(now: now) : nil, isEnding ? nil : finishBy,
    ]
    return .wait(until: deadlines.compactMap { $0 }.min())
  }

  private var canSend: Bool { machine.isWelcomed && !isFull }

  private mutating func nextSending(now: Duration) -> [Work] {
    guard let connection, canSend else { return [] }
    var work: [Work] = answers.map { .send(connection, $0) }
    (answers, answerBytes) = ([], 0)
    // Whether the transport is full is only known after it received something.
    var left = options.window
    while left > 0, let step = outbox.next(now: now) {
      switch step {
      case .frame(let frame):
        left -= frame.count
        work.append(.send(connection, frame))
      case .fetch(let fetch): return work + [.fetch(fetch)]
      }
    }
    return work
  }

  /// Returns the work to send what was read from the spill file.
  mutating func fetched(_ fetch: SpillFetch, _ bytes: [UInt8]?) -> [Work] {
    guard let frame = outbox.fetched(fetch, bytes), let connection else { return [] }
    return [.send(connection, frame)]
  }

  /// Sets the capabilities to announce on the next connection.
  mutating func setAbilities(_ abilities: FromRecorder.Abilities) { self.abilities = abilities }
}

// Actions of the connection machine.
extension DaemonSinkCore {
  mutating func handle(_ input: ConnectionMachine.Input, now: Duration) -> [Work] {
    let greeting = ConnectionMachine.Greeting(
      run: options.run, timelines: machine.mayGreet ? outbox.openTimelines : [], can: abilities)
    let actions = machine.handle(input, now: now, using: &generator) { greeting }
    return actions.flatMap { perform($0, now: now) }
  }

  private mutating func perform(
    _ action: ConnectionMachine.Action, now: Duration
  ) -> [Work] {
    switch action {
    case .connect:
      generation += 1
      connection = nil
      isFull = false
      (answers, answerBytes) = ([], 0)
      return [.connect(generation: generation, daemon: machine.daemon)]
    case .limitMessages(let bytes):
      guard let connection else { return [] }
      return [.limitMessages(connection, bytes)]
    case .send(let frame):
      guard let connection else { return [] }
      return [.send(connection, frame)]
    case .disconnect(let code, let reason):
      // Ignore its later events.
      generation += 1
      guard let connection else { return [] }
      self.connection = nil
      return [.close(connection, code: code.rawValue, reason: reason)]
    case .welcomed(let welcome):
      maxMessage = Int(clamping: welcome.maxMessage)
      wasWelcomed = true
      let note = moveMessage()
      do throws(OutboxRefusal) {
        try outbox.connect(
          credit: welcome.credit, maxMessage: welcome.maxMessage,
          maxTimelines: welcome.maxTimelines, durable: welcome.durable.seqs)
        return note.map { [.log($0)] } ?? []
      } catch {
        return handle(.protocolViolation("\(error)"), now: now)
      }
    case .lost(let why):
      outbox.disconnect()
      isFull = false
      (answers, answerBytes) = ([], 0)
      // An intended end is not reported as a loss.
      guard !isEnding else { return [.disconnected] }
      return [.disconnected, .log("The connection to the daemon was lost: \(why)")]
    case .received(let envelope): return receive(envelope, now: now)
    case .log(let words): return [.log(words)]
    }
  }

  private mutating func receive(_ envelope: Envelope<ToRecorder>, now: Duration) -> [Work] {
    do throws(OutboxRefusal) {
      switch envelope.body {
      case .ack(let ack):
        try outbox.acknowledge(ack.timeline, through: ack.durable ?? -1, isClosed: ack.closed)
      case .credit(let credit): try outbox.credit(credit.bytes)
      case .gone(let gone): try outbox.gone(gone.timeline)
      case .notice(let notice): return [.log("The daemon says: \(notice.message)")]
      case .error(let error): return handleRefusal(error, now: now)
      case .capture(let capture):
        if let timeline = capture.timeline { hold(timeline, now: now) }
        return command(.capture(capture), envelope)
      case .reduce(let reduce): return command(.reduce(reduce), envelope)
      case .cancel(let cancel): return command(.cancel(cancel.request), envelope)
      case .hold(let message):
        hold(message.timeline, for: message.milliseconds, now: now)
        return command(.hold(message), envelope)
      case .restore(let restore):
        hold(restore.timeline, now: now)
        return command(.restore(restore), envelope)
      case .dispatch(let dispatch):
        hold(dispatch.timeline, now: now)
        return command(.dispatch(dispatch), envelope)
      case .step(let step):
        hold(step.timeline, now: now)
        return command(.step(step), envelope)
      case .resume(let resume): return command(.resume(resume), envelope)
      // Recorders do not announce `confirm`; if requested anyway, it times out.
      case .challenge, .welcome, .confirm: break
      }
      return []
    } catch {
      return handle(.protocolViolation("\(error)"), now: now)
    }
  }

  /// Keeps the timeline of a controlled machine open, so that the answers to commands can be stored.
  private mutating func hold(_ timeline: TimelineID, for milliseconds: Int64? = nil, now: Duration)
  {
    let lease = Duration.seconds(ProtocolLimits().leaseSeconds)
    // No longer than a lease: a daemon renews it.
    let time = milliseconds.map { min(.milliseconds(max(0, $0)), lease) } ?? lease
    outbox.hold(timeline, for: time, now: now)
  }

  private func command(
    _ command: RecorderCommand, _ envelope: Envelope<ToRecorder>
  ) -> [Work] {
    [.command(command, envelope.id, generation: generation, maxMessage: maxMessage)]
  }
}

/// Generates the random numbers of the options.
private struct OptionsGenerator: RandomNumberGenerator, Sendable {
  private let number: @Sendable () -> UInt64

  init(_ number: @escaping @Sendable () -> UInt64) {
    self.number = number
  }

  func next() -> UInt64 { number() }
}
