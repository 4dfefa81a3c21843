import JSONCore
package import Timelines

/// How a recorder's connection comes about, goes on and ends: a value without socket and clock.
///
/// Whoever owns it brings what happened with the time at which it did, and does what the answer
/// asks for, in order. What the peer sends is hostile: it leads to an error reply or to the end of
/// the connection, with a sentence.
package struct ConnectionMachine: Sendable {
  /// Who the daemon is, and how both ends know each other.
  package enum Trust: Hashable, Sendable {
    /// The Unix socket's owner was checked: one `hello` is enough.
    case socket
    /// A secret that both know and that never travels.
    case secret([UInt8])
  }

  /// Where it stands; each state holds what it needs.
  package enum State: Hashable, Sendable {
    /// Nobody asked for a connection, or it was ended for good.
    case idle
    /// The transport is connecting, until a time.
    case connecting(until: Duration)
    /// The daemon is to prove that it knows the secret.
    case proving(nonce: String, until: Duration)
    /// The daemon is to accept.
    case greeting(until: Duration)
    /// The daemon accepted, at a time.
    case welcomed(since: Duration)
    /// The connection was lost, or did not come about.
    case waiting(until: Duration)
    /// The daemon will refuse again; it is asked rarely.
    case refused(String, until: Duration)
  }

  /// What happened.
  package enum Input: Sendable {
    /// Connect, and stay connected.
    case start
    /// End for good.
    case stop
    /// The transport is connected.
    case opened
    /// A text frame came.
    case text([UInt8])
    /// A binary frame came.
    case binary
    /// The transport is closed, or could not connect.
    case closed(code: UInt16?, reason: String)
    /// The other end said something that cannot be believed.
    case distrusted(String)
    /// The other end asks for another try.
    case again(String)
    /// The other end is not who it should be.
    case foreign(String)
    /// Nothing; time has passed.
    case tick
  }

  /// What to do.
  package enum Action: Sendable {
    /// Connect the transport.
    case connect
    /// Send a frame.
    case send([UInt8])
    /// Close the transport; what it tells afterwards is of no interest.
    case disconnect(code: CloseCode, reason: String)
    /// The daemon accepted.
    case welcomed(ToRecorder.Welcome)
    /// A message for whoever is above.
    case received(Envelope<ToRecorder>)
    /// The accepted connection is over.
    case lost(String)
    /// Something that is worth a line in the log.
    case note(String)
  }

  /// What `hello` says of the recorder.
  package struct Greeting: Sendable {
    /// The run of the app.
    package var run: String?
    /// The timelines that are not over.
    package var timelines: [TimelineID]
    /// What the daemon may ask for.
    package var can: FromRecorder.Abilities

    /// A greeting.
    package init(run: String?, timelines: [TimelineID], can: FromRecorder.Abilities) {
      self.run = run
      self.timelines = timelines
      self.can = can
    }
  }

  /// Frames that are not understood before the connection ends: a peer that sends more of them is
  /// none of ours.
  static let mostBadFrames = 100

  /// Where it stands.
  package private(set) var state = State.idle
  /// How many frames were not understood, over all connections.
  package private(set) var badFrames = 0
  /// Why it is not connected, in words.
  package private(set) var problem: String?

  let trust: Trust
  let retry: RetryPolicy
  /// The bytes that one message of the daemon may have.
  let maxMessage: Int
  private var attempt = 0
  private var badFramesHere = 0

  /// A connection that is not wanted yet.
  package init(trust: Trust, retry: RetryPolicy = RetryPolicy(), maxMessage: Int = 16 << 20) {
    self.trust = trust
    self.retry = retry
    self.maxMessage = maxMessage
  }

  /// Whether the daemon accepted.
  package var isWelcomed: Bool {
    if case .welcomed = state { true } else { false }
  }

  /// When something happens by itself.
  package var deadline: Duration? {
    switch state {
    case .idle, .welcomed: nil
    case .connecting(let until), .proving(_, let until), .greeting(let until),
      .waiting(let until), .refused(_, let until):
      until
    }
  }

  /// Takes what happened at a time; the answer is what to do, in order.
  ///
  /// `greeting` is asked when `hello` is due.
  package mutating func handle(
    _ input: Input, now: Duration, using generator: inout some RandomNumberGenerator,
    greeting: () -> Greeting
  ) -> [Action] {
    switch (input, state) {
    case (.start, .idle): return connect(now)
    case (.start, _): return []
    case (.stop, .idle): return []
    case (.stop, _):
      defer { state = .idle }
      return end("the recorder ends", code: .goingAway)
    case (.opened, .connecting): return open(now, using: &generator, greeting)
    case (.text(let bytes), .proving(let nonce, _)):
      return takeChallenge(bytes, nonce, now, using: &generator, greeting)
    case (.text(let bytes), .greeting): return takeWelcome(bytes, now, using: &generator)
    case (.text(let bytes), .welcomed): return take(bytes, now, using: &generator)
    case (.binary, .proving), (.binary, .greeting), (.binary, .welcomed):
      return leave(
        .notText, "A recorder is sent no binary frames.", now, using: &generator)
    case (.closed(let code, let reason), .connecting), (.closed(let code, let reason), .proving),
      (.closed(let code, let reason), .greeting), (.closed(let code, let reason), .welcomed):
      return takeClose(code, reason, now, using: &generator)
    case (.distrusted(let why), .welcomed):
      return leave(.protocolError, why, now, using: &generator)
    case (.again(let why), .welcomed): return leave(.normal, why, now, using: &generator)
    case (.foreign(let why), .connecting): return refuse(why, code: .normal, now)
    case (.tick, _): return tick(now, using: &generator)
    default: return []
    }
  }

  private mutating func connect(_ now: Duration) -> [Action] {
    attempt += 1
    badFramesHere = 0
    state = .connecting(until: now + retry.answer)
    return [.connect]
  }

  private mutating func open(
    _ now: Duration, using generator: inout some RandomNumberGenerator, _ greeting: () -> Greeting
  ) -> [Action] {
    switch trust {
    case .socket:
      state = .greeting(until: now + retry.answer)
      return [.send(hello(greeting(), proof: nil))]
    case .secret:
      let nonce = ProofText.nonce(using: &generator)
      state = .proving(nonce: nonce, until: now + retry.answer)
      return [
        .send(Envelope(FromRecorder.hello(FromRecorder.Hello { $0.nonce = nonce })).encoded())
      ]
    }
  }

  private func hello(_ greeting: Greeting, proof: String?) -> [UInt8] {
    let hello = FromRecorder.Hello {
      $0.proof = proof
      $0.run = greeting.run
      $0.timelines = greeting.timelines
      $0.can = greeting.can
    }
    return Envelope(FromRecorder.hello(hello)).encoded()
  }

  private mutating func tick(
    _ now: Duration, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    switch state {
    case .waiting, .refused: return connect(now)
    case .connecting: return leave(.goingAway, "Connecting took too long.", now, using: &generator)
    case .proving, .greeting:
      return leave(.goingAway, "The daemon did not answer in time.", now, using: &generator)
    case .idle, .welcomed: return []
    }
  }
}

// What the peer says.
extension ConnectionMachine {
  private mutating func takeChallenge(
    _ bytes: [UInt8], _ nonce: String, _ now: Duration,
    using generator: inout some RandomNumberGenerator, _ greeting: () -> Greeting
  ) -> [Action] {
    guard case .secret(let secret) = trust else { return [] }
    let envelope: Envelope<ToRecorder>
    switch read(bytes) {
    case .success(let read): envelope = read
    case .failure(let error): return refuseFrame(error, now, using: &generator)
    }
    switch envelope.body {
    case .challenge(let challenge):
      guard ProofText.isNonce(challenge.nonce), challenge.nonce != nonce else {
        return leave(
          .protocolError, "The challenge has no nonce of its own.", now, using: &generator)
      }
      let expected = ProofText.proof(
        of: ProofText.daemon(recorderNonce: nonce, daemonNonce: challenge.nonce), secret: secret)
      guard ProofText.isSame(challenge.proof, as: expected) else {
        return refuse(
          """
          Who answers there does not know the secret. To fix, give the recorder the daemon's \
          secret, or find out who listens on that port.
          """, code: .unauthorised, now)
      }
      let proof = ProofText.proof(
        of: ProofText.recorder(recorderNonce: nonce, daemonNonce: challenge.nonce), secret: secret)
      state = .greeting(until: now + retry.answer)
      return [.send(hello(greeting(), proof: proof))]
    default: return takeEarly(envelope, now, using: &generator)
    }
  }

  private mutating func takeWelcome(
    _ bytes: [UInt8], _ now: Duration, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    switch read(bytes) {
    case .success(let envelope):
      guard case .welcome(let welcome) = envelope.body else {
        return takeEarly(envelope, now, using: &generator)
      }
      state = .welcomed(since: now)
      problem = nil
      return [.welcomed(welcome)]
    case .failure(let error): return refuseFrame(error, now, using: &generator)
    }
  }

  /// What else may come before `welcome`: words.
  private mutating func takeEarly(
    _ envelope: Envelope<ToRecorder>, _ now: Duration,
    using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    switch envelope.body {
    case .notice(let notice): return [.note(notice.message)]
    case .error(let error):
      switch error.code {
      case .version, .unauthorised, .forbidden: return refuse(error.message, code: .normal, now)
      default: return leave(.normal, error.message, now, using: &generator)
      }
    default:
      return leave(
        .protocolError, "'\(envelope.body.typeName)' came before 'welcome'.", now,
        using: &generator)
    }
  }

  private mutating func take(
    _ bytes: [UInt8], _ now: Duration, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    switch read(bytes) {
    case .success(let envelope):
      switch envelope.body {
      case .welcome, .challenge:
        return leave(
          .protocolError, "'\(envelope.body.typeName)' came a second time.", now,
          using: &generator)
      default: return [.received(envelope)]
      }
    case .failure(let error): return refuseFrame(error, now, using: &generator)
    }
  }

  private func read(_ bytes: [UInt8]) -> Result<Envelope<ToRecorder>, MessageError> {
    Result { () throws(MessageError) in
      try Envelope<ToRecorder>(reading: bytes, maxMessage: maxMessage)
    }
  }

  private mutating func refuseFrame(
    _ error: MessageError, _ now: Duration, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    badFrames += 1
    badFramesHere += 1
    switch error.reason {
    case .newerVersion:
      return refuse("\(error)", code: .version, now)
    case .tooLong:
      return leave(.tooLong, "\(error)", now, using: &generator)
    default: break
    }
    guard isWelcomed else { return leave(.protocolError, "\(error)", now, using: &generator) }
    guard badFramesHere < Self.mostBadFrames else {
      return leave(
        .protocolError, "Too many frames were not understood, the last because: \(error)", now,
        using: &generator)
    }
    return [.send(Envelope(FromRecorder.error(error.reply), re: error.request).encoded())]
  }

  private mutating func takeClose(
    _ code: UInt16?, _ reason: String, _ now: Duration,
    using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    let words = reason.isEmpty ? "The connection was closed." : reason
    switch code.flatMap(CloseCode.init) {
    case .unauthorised, .version: return refuse(words, code: nil, now)
    default: return leave(nil, words, now, using: &generator)
    }
  }

  /// Ends the connection; it is tried again soon.
  private mutating func leave(
    _ code: CloseCode?, _ why: String, _ now: Duration,
    using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    let actions = end(why, code: code)
    if case .welcomed(let since) = state, now - since >= retry.stable { attempt = 0 }
    let chance = Double.random(in: 0...1, using: &generator)
    state = .waiting(until: now + retry.wait(before: attempt, chance: chance))
    return actions
  }

  /// Ends the connection; it is tried again rarely.
  private mutating func refuse(_ why: String, code: CloseCode?, _ now: Duration) -> [Action] {
    let actions = end(why, code: code)
    state = .refused(why, until: now + retry.afterRefusal)
    return actions + [.note(why)]
  }

  private mutating func end(_ why: String, code: CloseCode?) -> [Action] {
    problem = why
    var actions: [Action] = []
    switch state {
    case .connecting, .proving, .greeting, .welcomed:
      if let code { actions.append(.disconnect(code: code, reason: why)) }
    case .idle, .waiting, .refused: break
    }
    if isWelcomed { actions.append(.lost(why)) }
    return actions
  }
}

extension ToRecorder {
  /// The word after `type`.
  var typeName: String { Swift.type(of: message).type }
}
