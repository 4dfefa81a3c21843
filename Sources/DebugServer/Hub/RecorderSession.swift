internal import JSONCore
package import Timelines

/// The daemon's side of a recorder's connection: who it is, and what it may send.
///
/// A frame goes in, what it amounts to comes out; the hub does it.
package struct RecorderSession: Sendable {
  /// What a frame amounts to.
  package enum Output: Sendable {
    /// Answers or tells something.
    case send(ToRecorder)
    /// Ends the connection.
    case close(CloseCode, String)
    /// It proved who it is; the hub looks up its timelines and then calls ``welcome(_:)``.
    case greeted([TimelineID])
    /// It begins or goes on with a timeline.
    case open(Header)
    /// It adds entries; the bytes go back as credit once they are durable.
    case append(FromRecorder.Append, bytes: Int)
    /// It ends a timeline.
    case finish(FromRecorder.Close)
    /// It answers a request.
    case answer(RequestID, FromRecorder)
    /// A machine goes on by itself.
    case released(FromRecorder.Released)
    /// It did not understand something.
    case complaint(ErrorReply)
  }

  private enum Phase: Sendable {
    /// Nothing is known of it.
    case new
    /// It asked the daemon to prove itself, and has to do the same.
    case challenged(recorderNonce: String, daemonNonce: String)
    /// It is known, and its timelines are being looked up; frames that come early wait.
    case greeting
    /// It records.
    case ready
    /// It is being closed.
    case closed
  }

  /// The door through which it came.
  package let entrance: Entrance
  private let limits: ServerLimits
  private let secret: RecorderSecret
  private let deadline: Int64
  private var phase = Phase.new
  private var credit: Int
  private var wasWarned = false

  /// What came before it was welcomed, and the bytes of it.
  private var early: [[UInt8]] = []
  private var earlyBytes = 0

  /// What it can be asked for.
  package private(set) var can = FromRecorder.Abilities()

  /// The run that it belongs to.
  package private(set) var run: String?

  /// The timelines that it has open.
  package var timelines: Set<TimelineID> = []

  /// How the timelines ended that it had open.
  package private(set) var ended: [TimelineID: TimelineEnd] = [:]

  /// How a timeline ended on a connection.
  package enum TimelineEnd: Sendable {
    /// It was deleted; late entries are dropped without an error.
    case deleted
    /// The recorder closed it.
    case closed
    /// One of its entries was refused: nothing more is taken of it on this connection.
    case refused
  }

  /// A connection that was just made.
  package init(entrance: Entrance, limits: ServerLimits, secret: RecorderSecret, now: Int64) {
    self.entrance = entrance
    self.limits = limits
    self.secret = secret
    deadline = now + Int64(limits.wire.authenticationSeconds) * 1_000
    credit = limits.wire.credit
  }

  /// Whether it proved who it is.
  package var isKnown: Bool {
    switch phase {
    case .new, .challenged, .closed: false
    case .greeting, .ready: true
    }
  }

  /// Whether it was welcomed.
  package var isReady: Bool {
    if case .ready = phase { return true }
    return false
  }

  /// Takes a frame.
  ///
  /// - Parameter nonce: random digits for a challenge, should one be due.
  package mutating func received(_ frame: [UInt8], nonce: @autoclosure () -> String) -> [Output] {
    switch phase {
    case .closed: return []
    case .greeting:
      early.append(frame)
      earlyBytes += frame.count
      guard earlyBytes <= limits.wire.credit + limits.wire.recorderMessage else {
        return close(.limit, "More came before 'welcome' than the credit allows.")
      }
      return []
    case .new, .challenged, .ready: break
    }
    let message: Envelope<FromRecorder>
    var isAppend = false
    do throws(MessageError) {
      let limit = isKnown ? limits.wire.recorderMessage : limits.wire.firstMessage
      guard frame.count <= limit else { throw MessageError(.tooLong(limit: limit)) }
      let outline: JSONOutline
      do { outline = try JSONOutline(validating: frame, elementsOf: "entries") } catch {
        throw MessageError(.malformed(error))
      }
      isAppend = outline["type"]?.string == "append"
      message = try Envelope<FromRecorder>(reading: outline)
    } catch {
      return refused(error, bytes: isAppend ? frame.count : 0)
    }
    if case .ready = phase { return ready(message, bytes: frame.count) }
    guard case .hello(let hello) = message.body else {
      return [.send(.error(Self.unauthorised("The first message is 'hello'.")))]
        + close(.unauthorised, "The first message must be 'hello'.")
    }
    return greet(hello, nonce: nonce)
  }

  /// Tells how far its timelines are durable, then takes what came meanwhile.
  package mutating func welcome(_ durable: DurableSeqs) -> [Output] {
    guard case .greeting = phase else { return [] }
    phase = .ready
    let frames = early
    early = []
    let welcome = ToRecorder.Welcome {
      $0.credit = Int64(limits.wire.credit)
      $0.maxMessage = Int64(limits.wire.recorderMessage)
      $0.durable = durable
    }
    return [.send(.welcome(welcome))] + frames.flatMap { received($0, nonce: "") }
  }

  /// Notes that it does not write a timeline any more, and why.
  package mutating func end(_ timeline: TimelineID, _ end: TimelineEnd) {
    timelines.remove(timeline)
    // An app may close many timelines in its life. Without its note one is just not open.
    if ended.count >= Self.endedLimit { ended.removeAll() }
    ended[timeline] = end
  }

  private static let endedLimit = 4_096

  /// Notes that it writes a timeline.
  package mutating func begin(_ timeline: TimelineID) {
    timelines.insert(timeline)
    ended[timeline] = nil
  }

  /// Gives credit back, for entries that no longer wait.
  package mutating func grant(_ bytes: Int) -> [Output] {
    guard bytes > 0, case .ready = phase else { return [] }
    credit += bytes
    return [.send(.credit(ToRecorder.Credit { $0.bytes = Int64(bytes) }))]
  }

  /// Until when it has to say who it is; `nil` once it did.
  package var patience: Int64? {
    switch phase {
    case .new, .challenged: deadline
    case .greeting, .ready, .closed: nil
    }
  }

  /// Ends the connection when it took too long to say who it is.
  package mutating func tick(now: Int64) -> [Output] {
    guard now >= deadline else { return [] }
    switch phase {
    case .new, .challenged:
      return close(
        .unauthorised, "No proof came within \(limits.wire.authenticationSeconds) seconds.")
    case .greeting, .ready, .closed: return []
    }
  }

  /// Ends the connection; nothing that still comes from it counts.
  package mutating func close(_ code: CloseCode, _ reason: String) -> [Output] {
    phase = .closed
    return [.close(code, reason)]
  }

  private mutating func refused(_ error: MessageError, bytes: Int) -> [Output] {
    let reply = Output.send(.error(error.reply))
    if case .newerVersion = error.reason, !isReady {
      return [reply] + close(.version, "This daemon speaks version \(ProtocolVersion.current).")
    }
    guard case .ready = phase else {
      return [reply] + close(.unauthorised, "The first message must be a 'hello' that is right.")
    }
    // What it took from the credit comes back at once, for nothing of it waits.
    guard bytes > 0 else { return [reply] }
    let spent = spend(bytes)
    if case .closed = phase { return [reply] + spent }
    return [reply] + spent + grant(bytes)
  }

  private mutating func spend(_ bytes: Int) -> [Output] {
    var outputs: [Output] = []
    if credit <= 0 {
      guard !wasWarned else {
        return close(.credit, "More was sent than the credit allows, again.")
      }
      wasWarned = true
      outputs = [
        .send(
          .error(
            Refusal(.limit, "More was sent than the credit allows. Wait for 'credit'.").reply))
      ]
    }
    credit -= bytes
    return outputs
  }

  private mutating func ready(_ message: Envelope<FromRecorder>, bytes: Int) -> [Output] {
    switch message.body {
    case .hello:
      return [.send(.error(Refusal(.conflict, "'hello' was said already.").reply))]
    case .open(let open):
      do {
        let header = try Header(receiving: open.header)
        // Every answer names the timeline in lower case; a recorder that compares texts would wait
        // for an answer to the name that it sent.
        guard open.header["timeline"]?.string == header.timeline.text else {
          let wrong = MessageError(
            .wrongValue("write it in lower case, '\(header.timeline.text)'"),
            path: "header.timeline")
          return [.send(.error(wrong.reply))]
        }
        return [.open(header)]
      } catch {
        let path = "header" + (error.key.map { "." + $0 } ?? "")
        let wrong = MessageError(.wrongValue("\(error)"), path: path)
        return [.send(.error(wrong.reply))]
      }
    case .append(let append):
      let spent = spend(bytes)
      if case .closed = phase { return spent }
      return spent + [.append(append, bytes: bytes)]
    case .close(let close): return [.finish(close)]
    case .reduced, .confirmed, .done:
      return message.re.map { [.answer($0, message.body)] } ?? []
    case .error(let error):
      return message.re.map { [.answer($0, message.body)] } ?? [.complaint(error)]
    case .released(let released): return [.released(released)]
    }
  }
}

extension RecorderSession {
  private mutating func greet(_ hello: FromRecorder.Hello, nonce: () -> String) -> [Output] {
    switch (entrance, phase) {
    case (.socket, _): return accept(hello)
    case (.port, .challenged(let recorderNonce, let daemonNonce)):
      let text = ProofText.recorder(recorderNonce: recorderNonce, daemonNonce: daemonNonce)
      let expected = ProofText.proof(of: text, secret: secret.bytes)
      guard let proof = hello.proof, ProofText.isSame(proof, as: expected) else {
        return [
          .send(
            .error(
              Self.unauthorised(
                "The proof is wrong. To fix, give the recorder this daemon's secret.")))
        ] + close(.unauthorised, "The proof is wrong.")
      }
      return accept(hello)
    case (.port, _):
      guard let theirs = hello.nonce, ProofText.isNonce(theirs) else {
        return [
          .send(
            .error(
              Self.unauthorised("Over TCP the first 'hello' carries a 'nonce', 16 to 32 bytes.")))
        ] + close(.unauthorised, "The first 'hello' carries a nonce.")
      }
      let ours = nonce()
      phase = .challenged(recorderNonce: theirs, daemonNonce: ours)
      let text = ProofText.daemon(recorderNonce: theirs, daemonNonce: ours)
      let challenge = ToRecorder.Challenge {
        $0.nonce = ours
        $0.proof = ProofText.proof(of: text, secret: secret.bytes)
      }
      return [.send(.challenge(challenge))]
    }
  }

  private mutating func accept(_ hello: FromRecorder.Hello) -> [Output] {
    let timelines = hello.timelines ?? []
    guard timelines.count <= limits.timelinesOfRecorder else {
      return close(.limit, "A recorder has at most \(limits.timelinesOfRecorder) timelines.")
    }
    can = hello.can ?? FromRecorder.Abilities()
    run = hello.run
    phase = .greeting
    return [.greeted(timelines)]
  }

  private static func unauthorised(_ sentence: String) -> ErrorReply {
    Refusal(.unauthorised, sentence).reply
  }
}
