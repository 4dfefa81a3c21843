import JSONCore
import Wire

/// The state machine of a recorder's connection: a value without a socket or a clock.
///
/// Its owner passes in what happened and when, and performs the returned actions in order. Input
/// from the peer is untrusted: it leads to an error reply, or ends the connection with a reason.
package struct ConnectionMachine: Sendable {
  /// How both ends authenticate.
  package enum Trust: Hashable, Sendable {
    /// By the owner of the Unix socket: one `hello` is enough.
    case socket
    /// By a shared secret, which is never sent.
    case secret([UInt8])
  }

  /// The maximum length of the messages of a peer that has proved nothing, in bytes. A challenge has
  /// about 200.
  package static let firstMessage = ProtocolLimits().firstMessage

  /// The number of unreadable frames that end a connection. A peer that sends more is not a daemon.
  static let maximumBadFrames = 100

  package private(set) var state = State.idle
  /// The number of unreadable frames, over all connections.
  package private(set) var badFrames = 0
  /// Why there is no connection, as a sentence.
  package private(set) var problem: String?

  /// How to authenticate with each daemon.
  let trusts: [Trust]
  let retry: RetryPolicy
  /// The maximum length of the daemon's messages in bytes, once it is known to be the daemon.
  let maxMessage: Int
  private(set) var rotation: DaemonRotation
  private var badFramesHere = 0

  /// Creates a machine for one daemon, or for several that serve the same store.
  package init(
    trusts: [Trust], retry: RetryPolicy = RetryPolicy(), maxMessage: Int = 16 << 20
  ) {
    self.trusts = trusts
    self.retry = retry
    self.maxMessage = maxMessage
    rotation = DaemonRotation(count: trusts.count, retry: retry)
  }

  /// The index of the daemon of the current or next connection.
  package var daemon: Int { rotation.current }

  var trust: Trust { trusts.indices.contains(daemon) ? trusts[daemon] : .socket }

  /// Whether the daemon accepted the connection.
  package var isWelcomed: Bool {
    if case .welcomed = state { true } else { false }
  }

  /// Whether the peer has yet to prove that it is the daemon.
  private var isProving: Bool {
    if case .proving = state { true } else { false }
  }

  /// Whether the next input may lead to a `hello` with the greeting.
  package var mayGreet: Bool {
    switch state {
    case .connecting, .proving: true
    case .idle, .greeting, .welcomed, .waiting, .refused: false
    }
  }

  /// When to pass in the next tick.
  package var deadline: Duration? {
    switch state {
    case .idle, .welcomed: nil
    case .connecting(let until), .proving(_, let until), .greeting(let until),
      .waiting(let until), .refused(_, let until):
      until
    }
  }

  /// Handles an input, and returns the actions to perform, in order.
  ///
  /// `greeting` is called when `hello` is due.
  package mutating func handle(
    _ input: Input, now: Duration, using generator: inout some RandomNumberGenerator,
    greeting: () -> Greeting
  ) -> [Action] {
    switch (input, state) {
    case (.start, .idle): return connect(now)
    case (.start, _): return []
    case (.stop, .idle): return []
    case (.stop, _):
      // What kept it from the daemon until now remains the reason.
      let reason = problem
      defer { (state, problem) = (.idle, reason) }
      return end("the recorder ends", code: .goingAway)
    case (.opened, .connecting): return open(now, using: &generator, greeting)
    case (.text(let bytes), .proving(let nonce, _)):
      return handleChallenge(bytes, nonce, now, using: &generator, greeting)
    case (.text(let bytes), .greeting): return handleWelcome(bytes, now, using: &generator)
    case (.text(let bytes), .welcomed): return handleMessage(bytes, now, using: &generator)
    case (.binary, .proving), (.binary, .greeting), (.binary, .welcomed):
      return disconnect(
        .notText, "Recorders do not accept binary frames.", now, using: &generator)
    case (.closed(let code, let reason), .connecting), (.closed(let code, let reason), .proving),
      (.closed(let code, let reason), .greeting), (.closed(let code, let reason), .welcomed):
      return handleClose(code, reason, now, using: &generator)
    case (.protocolViolation(let why), .welcomed):
      return disconnect(.protocolError, why, now, using: &generator)
    case (.reconnect(let why), .welcomed): return reconnect(why, now, using: &generator)
    case (.wrongPeer(let why), .connecting):
      return refuse(why, code: .normal, now, using: &generator)
    case (.tick, _): return tick(now, using: &generator)
    // Late events of a former connection.
    case (.opened, _), (.text, _), (.binary, _), (.closed, _), (.protocolViolation, _),
      (.reconnect, _), (.wrongPeer, _):
      return []
    }
  }

  private mutating func connect(_ now: Duration) -> [Action] {
    rotation.beginAttempt()
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
      return [.limitMessages(maxMessage), .send(hello(greeting(), proof: nil))]
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
      $0.parks = true
    }
    return Envelope(FromRecorder.hello(hello)).encoded()
  }

  private mutating func tick(
    _ now: Duration, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    switch state {
    case .waiting, .refused: return connect(now)
    case .connecting:
      return disconnect(.goingAway, "Connecting took too long.", now, using: &generator)
    case .proving, .greeting:
      return disconnect(.goingAway, "The daemon did not answer in time.", now, using: &generator)
    case .idle, .welcomed: return []
    }
  }
}

// Messages of the peer.
extension ConnectionMachine {
  private mutating func handleChallenge(
    _ bytes: [UInt8], _ nonce: String, _ now: Duration,
    using generator: inout some RandomNumberGenerator, _ greeting: () -> Greeting
  ) -> [Action] {
    guard case .secret(let secret) = trust else { return [] }
    let envelope: Envelope<ToRecorder>
    switch read(bytes) {
    case .success(let read): envelope = read
    case .failure(let error): return handleBadFrame(error, now, using: &generator)
    }
    switch envelope.body {
    case .challenge(let challenge):
      guard ProofText.isNonce(challenge.nonce), challenge.nonce != nonce else {
        return disconnect(
          .protocolError, "The daemon's challenge has an invalid nonce.", now, using: &generator)
      }
      let expected = ProofText.proof(
        of: ProofText.daemon(recorderNonce: nonce, daemonNonce: challenge.nonce), secret: secret)
      guard ProofText.isSame(challenge.proof, as: expected) else {
        return refuse(
          """
          The process on that port does not know the secret. To fix, give the recorder the daemon's \
          secret, or stop the other process.
          """, code: .unauthorised, now, using: &generator)
      }
      let proof = ProofText.proof(
        of: ProofText.recorder(recorderNonce: nonce, daemonNonce: challenge.nonce), secret: secret)
      state = .greeting(until: now + retry.answer)
      return [.limitMessages(maxMessage), .send(hello(greeting(), proof: proof))]
    case .welcome, .ack, .credit, .gone, .capture, .reduce, .confirm, .cancel, .hold, .restore,
      .dispatch, .step, .resume, .notice, .error:
      return handleEarlyMessage(envelope, now, using: &generator)
    }
  }

  private mutating func handleWelcome(
    _ bytes: [UInt8], _ now: Duration, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    switch read(bytes) {
    case .success(let envelope):
      guard case .welcome(let welcome) = envelope.body else {
        return handleEarlyMessage(envelope, now, using: &generator)
      }
      state = .welcomed(since: now)
      rotation.accept()
      problem = nil
      return [.welcomed(welcome)]
    case .failure(let error): return handleBadFrame(error, now, using: &generator)
    }
  }

  /// Handles the other messages that may arrive before `welcome`.
  private mutating func handleEarlyMessage(
    _ envelope: Envelope<ToRecorder>, _ now: Duration,
    using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    switch envelope.body {
    // Any program may listen at the address: it must not fill the app's log.
    case .notice where isProving: return []
    case .notice(let notice): return [.log(notice.message)]
    case .error(let error):
      switch error.code {
      case .version, .unauthorised, .forbidden:
        return refuse(error.message, code: .normal, now, using: &generator)
      case .malformed, .unknownType, .missing, .wrongType, .wrongValue, .notFound, .conflict,
        .limit,
        .thinned, .noHost, .superseded, .canceled, .failed:
        return disconnect(.normal, error.message, now, using: &generator)
      }
    case .challenge, .welcome, .ack, .credit, .gone, .capture, .reduce, .confirm, .cancel, .hold,
      .restore, .dispatch, .step, .resume:
      return disconnect(
        .protocolError, "The daemon sent '\(envelope.body.typeName)' before 'welcome'.", now,
        using: &generator)
    }
  }

  private mutating func handleMessage(
    _ bytes: [UInt8], _ now: Duration, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    switch read(bytes) {
    case .success(let envelope):
      switch envelope.body {
      case .welcome, .challenge:
        return disconnect(
          .protocolError, "The daemon sent '\(envelope.body.typeName)' twice.", now,
          using: &generator)
      case .ack, .credit, .gone, .capture, .reduce, .confirm, .cancel, .hold, .restore, .dispatch,
        .step, .resume, .notice, .error:
        return [.received(envelope)]
      }
    case .failure(let error): return handleBadFrame(error, now, using: &generator)
    }
  }

  private func read(_ bytes: [UInt8]) -> Result<Envelope<ToRecorder>, MessageError> {
    Result { () throws(MessageError) in
      try Envelope<ToRecorder>(
        reading: bytes, maxMessage: isProving ? min(Self.firstMessage, maxMessage) : maxMessage)
    }
  }

  private mutating func handleBadFrame(
    _ error: MessageError, _ now: Duration, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    badFrames += 1
    badFramesHere += 1
    switch error.reason {
    case .newerVersion:
      return refuse("\(error)", code: .version, now, using: &generator)
    case .tooLong:
      return disconnect(.tooLong, "\(error)", now, using: &generator)
    case .malformed, .unknownType, .missing, .wrongType, .wrongValue, .wrongPredicate: break
    }
    guard isWelcomed else { return disconnect(.protocolError, "\(error)", now, using: &generator) }
    guard badFramesHere < Self.maximumBadFrames else {
      return disconnect(
        .protocolError, "Too many frames were invalid, most recently: \(error)", now,
        using: &generator)
    }
    return [.send(Envelope(FromRecorder.error(error.reply), re: error.request).encoded())]
  }

  private mutating func handleClose(
    _ code: UInt16?, _ reason: String, _ now: Duration,
    using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    let sentence = reason.isEmpty ? "The connection was closed." : reason
    switch code.flatMap(CloseCode.init) {
    case .unauthorised, .version:
      return refuse(sentence, code: nil, now, using: &generator)
    case .normal, .goingAway, .protocolError, .notText, .notUTF8, .tooLong, .fault, .credit, .idle,
      .revoked, .limit, nil:
      return disconnect(nil, sentence, now, using: &generator)
    }
  }

  /// Ends the connection, and tries the next daemon soon.
  private mutating func disconnect(
    _ code: CloseCode?, _ why: String, _ now: Duration,
    using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    let actions = end(why, code: code)
    calmAfterLastingConnection(now)
    let chance = Double.random(in: 0...1, using: &generator)
    state = .waiting(
      until: rotation.fail(why, wasAccepted: isWelcomed, at: now, chance: chance))
    return actions
  }

  /// Ends the connection, and connects to the same daemon again soon.
  private mutating func reconnect(
    _ why: String, _ now: Duration, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    let actions = end(why, code: .normal)
    calmAfterLastingConnection(now)
    let chance = Double.random(in: 0...1, using: &generator)
    state = .waiting(until: rotation.retrying(at: now, chance: chance))
    return actions
  }

  private mutating func calmAfterLastingConnection(_ now: Duration) {
    if case .welcomed(let since) = state, now - since >= retry.stable { rotation.calm() }
  }

  /// Ends the connection, and tries the daemon rarely. If there is another one, it is tried soon.
  private mutating func refuse(
    _ why: String, code: CloseCode?, _ now: Duration,
    using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    let actions = end(why, code: code)
    // A single daemon needs none, so that its later delays do not depend on refusals.
    let chance = trusts.count > 1 ? Double.random(in: 0...1, using: &generator) : 0
    let (until, isEverywhere) = rotation.refuse(why, at: now, chance: chance)
    state = isEverywhere ? .refused(why, until: until) : .waiting(until: until)
    return actions + [.log(why)]
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
  /// The value of `type`.
  var typeName: String { Swift.type(of: message).type }
}
