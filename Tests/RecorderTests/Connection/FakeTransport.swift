import Synchronization
import TestSupport
import Timelines
import Wire

@testable import Recorder

/// Connections to a strict daemon in the same process, which misbehaves as configured.
final class FakeTransport: Transport {
  /// What the daemon does beside its work.
  struct Habits: Sendable {
    /// Attempts to connect that are refused.
    var refuses = 0.0
    /// Frames after which the connection breaks.
    var breaks = 0.0
    /// Frames after which everything that is durable is acknowledged.
    var acknowledges = 1.0
    /// Acknowledgments that are sent twice.
    var repeats = 0.0
    /// Acknowledgements that are a lie.
    var lies = 0.0
    /// The credit that it gives at a time.
    var credit: Int64 = 8 << 20
    /// Whether it also sends messages that no recorder understands.
    var babbles = 0.0
  }

  struct State {
    var daemon = StrictDaemon()
    var habits: Habits
    var generator: SeededGenerator
    var connections = 0
    var complaints: [String] = []
    var lies = 0
    /// Answers of the recorder, and errors.
    var answers: [Envelope<FromRecorder>] = []
    var live: FakeConnection?
    /// The limits of message lengths that were set, each after that many challenges.
    var limits: [(bytes: Int, challenges: Int)] = []
    var challenges = 0

    /// Whether it broke connections and lied.
    var hasMisbehaved: Bool { connections > 5 && lies > 1 }
  }

  let state: Mutex<State>
  let secret: [UInt8]?

  init(_ habits: Habits = Habits(), seed: UInt64 = 1, secret: [UInt8]? = nil) {
    self.secret = secret
    state = Mutex(State(habits: habits, generator: SeededGenerator(seed: seed)))
  }

  func connect(_ onEvent: @escaping @Sendable (TransportEvent) -> Void) -> any TransportConnection {
    let connection = FakeConnection(self, onEvent)
    let isRefused = state.withLock { state in
      state.connections += 1
      if state.generator.chance(state.habits.refuses) { return true }
      state.live = connection
      return false
    }
    onEvent(isRefused ? .closed(code: nil, reason: "no daemon") : .opened(isSameUser: true))
    return connection
  }

  /// Behaves from now on, and acknowledges the rest.
  func behave() {
    state.withLock { $0.habits = Habits() }
    send([UInt8](#"{"type":"notice","level":"info","message":"all is well"}"#.utf8))
  }

  /// Sends a frame of the daemon to the open connection.
  func send(_ frame: [UInt8]) {
    state.withLock(\.live)?.onEvent(.text(frame))
  }
}

/// One connection to the fake daemon.
final class FakeConnection: TransportConnection {
  let transport: FakeTransport
  let onEvent: @Sendable (TransportEvent) -> Void
  private let phase = Mutex((isOpen: true, recorderNonce: "", isWelcomed: false))

  init(_ transport: FakeTransport, _ onEvent: @escaping @Sendable (TransportEvent) -> Void) {
    self.transport = transport
    self.onEvent = onEvent
  }

  var hasSentAll: Bool { true }

  func limitMessages(to bytes: Int) {
    transport.state.withLock { $0.limits.append((bytes, $0.challenges)) }
  }

  func close(code: UInt16, reason: String) { phase.withLock { $0.isOpen = false } }

  func send(_ frame: [UInt8]) {
    guard phase.withLock(\.isOpen) else { return }
    let events = transport.state.withLock { state -> [TransportEvent] in
      do {
        return try answer(frame, &state)
      } catch {
        state.complaints.append("\(error)")
        return [.closed(code: CloseCode.protocolError.rawValue, reason: "\(error)")]
      }
    }
    for event in events {
      if case .closed = event { phase.withLock { $0.isOpen = false } }
      onEvent(event)
    }
  }

  private func text(_ body: ToRecorder, id: RequestID? = nil) -> TransportEvent {
    .text(Envelope(body, id: id).encoded())
  }

  private func answer(
    _ frame: [UInt8], _ state: inout FakeTransport.State
  ) throws -> [TransportEvent] {
    let envelope = try Envelope<FromRecorder>(reading: frame, maxMessage: 16 << 20)
    switch envelope.body {
    case .hello(let hello): return try greet(hello, &state)
    case .reduced, .confirmed, .done, .released, .error:
      state.answers.append(envelope)
      return []
    case .open, .append, .close: try state.daemon.receive(frame)
    }
    let habits = state.habits
    if state.generator.chance(habits.breaks) { return [.closed(code: nil, reason: "killed")] }
    var events: [TransportEvent] = []
    while state.daemon.credit <= habits.credit / 2 {
      state.daemon.credit += habits.credit
      events.append(text(.credit(ToRecorder.Credit { $0.bytes = habits.credit })))
    }
    if state.generator.chance(habits.babbles) {
      events.append(.text([UInt8](#"{"type":"sing","id":7}"#.utf8)))
    }
    guard state.generator.chance(habits.acknowledges) else { return events }
    for id in state.daemon.kept.keys {
      guard let seq = state.daemon.commit(id), state.daemon.kept[id]?.isOpen == true else {
        continue
      }
      var durable = seq
      if state.generator.chance(habits.lies) {
        state.lies += 1
        durable += 1_000
      }
      let ack = text(
        .ack(
          ToRecorder.Ack {
            $0.timeline = id
            $0.durable = durable
          }))
      events.append(ack)
      if state.generator.chance(habits.repeats) { events.append(ack) }
    }
    return events
  }

  private func greet(
    _ hello: FromRecorder.Hello, _ state: inout FakeTransport.State
  ) throws -> [TransportEvent] {
    if let secret = transport.secret {
      let daemonNonce = String(repeating: "d0", count: 16)
      guard let proof = hello.proof else {
        let nonce = hello.nonce ?? ""
        phase.withLock { $0.recorderNonce = nonce }
        state.challenges += 1
        let daemonProof = ProofText.proof(
          of: ProofText.daemon(recorderNonce: nonce, daemonNonce: daemonNonce), secret: secret)
        return [
          text(
            .challenge(
              ToRecorder.Challenge {
                $0.nonce = daemonNonce
                $0.proof = daemonProof
              }))
        ]
      }
      let nonce = phase.withLock(\.recorderNonce)
      let expected = ProofText.proof(
        of: ProofText.recorder(recorderNonce: nonce, daemonNonce: daemonNonce), secret: secret)
      guard ProofText.isSame(proof, as: expected) else {
        return [.closed(code: CloseCode.unauthorised.rawValue, reason: "That proves nothing.")]
      }
    }
    state.daemon.credit = state.habits.credit
    let durable = try state.daemon.welcome(hello.timelines ?? [])
    return [
      text(
        .welcome(
          ToRecorder.Welcome {
            $0.credit = state.habits.credit
            $0.maxMessage = 16 << 20
            $0.durable.seqs = durable
          }))
    ]
  }
}
