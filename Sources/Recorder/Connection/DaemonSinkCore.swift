import Timelines

/// Outbox and connection of a daemon sink: what its lock protects.
///
/// It calls nobody: what is to be done outside the lock is its answer.
struct DaemonSinkCore: Sendable {
  /// What is to be done outside the lock, on the sink's thread.
  enum Work: Sendable {
    case connect(generation: Int)
    case send(any TransportConnection, [UInt8])
    case close(any TransportConnection, code: UInt16, reason: String)
    case fetch(SpillFetch)
    case command(RecorderCommand, RequestID?, generation: Int, maxMessage: Int)
    case disconnected
    case note(String)
  }

  /// What to do next.
  enum Turn: Sendable {
    /// These, in order, and then ask again.
    case work([Work])
    /// Nothing until something comes, or until a time.
    case wait(until: Duration?)
    /// Nothing ever again.
    case end
  }

  var outbox: Outbox
  var machine: ConnectionMachine
  let options: DaemonSinkOptions
  private var generator: OptionsGenerator

  /// Counts the connections: what an older one tells is of no interest.
  private(set) var generation = 0
  private(set) var connection: (any TransportConnection)?
  private var incoming: [ConnectionMachine.Input] = []
  private var incomingBytes = 0
  private var answers: [[UInt8]] = []
  private var answerBytes = 0
  private var maxMessage = 0
  /// Whether the transport wants no more for now.
  private var isFull = false
  private var isEnding = false
  /// When it ends although not everything is settled.
  private var finishBy: Duration?
  var hasReportedLoss = false
  var hasReportedAbandoned = false
  /// The entries of abandoned timelines that a report of their own named.
  var reportedAbandoned = 0
  /// Whether a daemon ever accepted, and what was reported of one that did not.
  var wasWelcomed = false
  var hasReportedUnusable = false
  var hasReportedUnsent = false
  /// What the recorder can be asked for, as it was before the connection began.
  private var abilities = FromRecorder.Abilities()

  init(_ options: DaemonSinkOptions) {
    self.options = options
    generator = OptionsGenerator(options.random)
    outbox = Outbox(options.outbox)
    machine = ConnectionMachine(trust: options.trust, retry: options.retry)
  }

  /// Whether something can still be sent soon: flushing without hope would only take time.
  var isHopeful: Bool {
    switch machine.state {
    case .connecting, .proving, .greeting, .welcomed: true
    // Its thread has not come to it yet.
    case .idle: !isEnding
    case .waiting, .refused: false
    }
  }

  /// Whether everything was acknowledged.
  var isSettled: Bool { outbox.isSettled && answers.isEmpty }

  /// Whether the transport has all that it was to be given.
  var hasHandedOver: Bool { machine.isWelcomed && answers.isEmpty && !outbox.hasUnsent }

  /// Begins to connect at the next turn.
  mutating func start() { incoming.append(.start) }

  /// Ends everything at the next turn.
  mutating func end() {
    isEnding = true
    incoming.append(.stop)
  }

  /// Ends everything once it is settled, or at that time.
  mutating func finish(by time: Duration) { finishBy = time }

  /// Takes what a connection tells.
  mutating func tell(_ event: TransportEvent, generation: Int) {
    guard generation == self.generation else { return }
    switch event {
    case .opened(let isSameUser):
      guard isSameUser != false || options.trust != .socket else {
        incoming.append(.foreign("Who answers on the socket is another user."))
        return
      }
      incoming.append(.opened)
    case .text(let bytes):
      guard incomingBytes + bytes.count <= options.waitingBytes else {
        // Said once; what comes until the connection has ended is not kept.
        if incomingBytes <= options.waitingBytes {
          incomingBytes = options.waitingBytes + 1
          incoming.append(.distrusted("More came than can be handled."))
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

  /// Takes the connection that `connect` led to; nil when it is over already.
  mutating func took(_ connection: any TransportConnection, generation: Int) -> Bool {
    guard generation == self.generation, isHopeful else { return false }
    self.connection = connection
    return true
  }

  /// Takes an answer of a command.
  mutating func answer(_ envelope: Envelope<FromRecorder>, generation: Int) {
    guard generation == self.generation, machine.isWelcomed else { return }
    var frame = envelope.encoded()
    if frame.count > maxMessage {
      let error = ErrorReply {
        $0.code = .limit
        $0.message = "The answer has \(frame.count) bytes, and a message may have \(maxMessage)."
      }
      frame = Envelope(FromRecorder.error(error), re: envelope.re).encoded()
    }
    guard answerBytes + frame.count <= options.waitingBytes else {
      incoming.append(.distrusted("It asks for more than it takes in."))
      return
    }
    answerBytes += frame.count
    answers.append(frame)
  }

  /// What to do at that time.
  mutating func turn(now: Duration) -> Turn {
    if !incoming.isEmpty {
      let inputs = incoming
      (incoming, incomingBytes) = ([], 0)
      return .work(inputs.flatMap { handle($0, now: now) })
    }
    if isEnding, machine.state == .idle { return .end }
    if let finishBy, !isEnding, isSettled || now >= finishBy {
      let note = isSettled ? nil : unsentNote("the daemon did not take them in time")
      end()
      return note.map { .work([.note($0)]) } ?? turn(now: now)
    }
    let late = handle(.tick, now: now)
    if !late.isEmpty { return .work(late) }
    if let note = lossNote() { return .work([.note(note)]) }
    if let note = unusableNote() { return .work([.note(note)]) }
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
    // Whether the transport has enough is only known after it was given something.
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

  /// Sends what was read from the spill file.
  mutating func fetched(_ fetch: SpillFetch, _ bytes: [UInt8]?) -> [Work] {
    guard let frame = outbox.fetched(fetch, bytes), let connection else { return [] }
    return [.send(connection, frame)]
  }

  /// Notes what the recorder can be asked for on the next connection.
  mutating func offer(_ abilities: FromRecorder.Abilities) { self.abilities = abilities }
}

// What the connection's machine asks for.
extension DaemonSinkCore {
  mutating func handle(_ input: ConnectionMachine.Input, now: Duration) -> [Work] {
    let greeting = ConnectionMachine.Greeting(
      run: options.run, timelines: machine.isWelcomed ? [] : outbox.openTimelines, can: abilities)
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
      return [.connect(generation: generation)]
    case .send(let frame):
      guard let connection else { return [] }
      return [.send(connection, frame)]
    case .disconnect(let code, let reason):
      // What it still tells is of no interest.
      generation += 1
      guard let connection else { return [] }
      self.connection = nil
      return [.close(connection, code: code.rawValue, reason: reason)]
    case .welcomed(let welcome):
      maxMessage = Int(clamping: welcome.maxMessage)
      wasWelcomed = true
      do throws(OutboxRefusal) {
        try outbox.connect(
          credit: welcome.credit, maxMessage: welcome.maxMessage, durable: welcome.durable.seqs)
        return []
      } catch {
        return handle(.distrusted("\(error)"), now: now)
      }
    case .lost(let why):
      outbox.disconnect()
      isFull = false
      (answers, answerBytes) = ([], 0)
      // Leaving is no loss.
      guard !isEnding else { return [.disconnected] }
      return [.disconnected, .note("The connection to the daemon is lost: \(why)")]
    case .received(let envelope): return receive(envelope, now: now)
    case .note(let words): return [.note(words)]
    }
  }

  private mutating func receive(_ envelope: Envelope<ToRecorder>, now: Duration) -> [Work] {
    do throws(OutboxRefusal) {
      switch envelope.body {
      case .ack(let ack): try outbox.acknowledge(ack.timeline, through: ack.durable)
      case .credit(let credit): try outbox.credit(credit.bytes)
      case .gone(let gone): try outbox.gone(gone.timeline)
      case .notice(let notice): return [.note("The daemon says: \(notice.message)")]
      case .error(let error): return take(error, now: now)
      case .capture(let capture): return command(.capture(capture), envelope)
      case .reduce(let reduce): return command(.reduce(reduce), envelope)
      case .cancel(let cancel): return command(.cancel(cancel.request), envelope)
      case .hold(let hold): return command(.hold(hold), envelope)
      case .restore(let restore): return command(.restore(restore), envelope)
      case .dispatch(let dispatch): return command(.dispatch(dispatch), envelope)
      case .step(let step): return command(.step(step), envelope)
      case .resume(let resume): return command(.resume(resume), envelope)
      // No offer of a recorder says that it confirms; what is asked nevertheless expires.
      case .challenge, .welcome, .confirm: break
      }
      return []
    } catch {
      return handle(.distrusted("\(error)"), now: now)
    }
  }

  private func command(
    _ command: RecorderCommand, _ envelope: Envelope<ToRecorder>
  ) -> [Work] {
    [.command(command, envelope.id, generation: generation, maxMessage: maxMessage)]
  }
}

/// The options' random numbers.
private struct OptionsGenerator: RandomNumberGenerator, Sendable {
  private let number: @Sendable () -> UInt64

  init(_ number: @escaping @Sendable () -> UInt64) {
    self.number = number
  }

  func next() -> UInt64 { number() }
}
