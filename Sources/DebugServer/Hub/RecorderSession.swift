internal import HostProcesses
internal import JSONCore
package import Timelines
package import Wire

/// The daemon's side of a recorder's connection: authentication, credit, and open timelines.
///
/// A frame goes in; the outputs are for the hub to perform.
package struct RecorderSession: Sendable {
  /// What follows from a frame.
  package enum Output: Sendable {
    case send(ToRecorder)
    case close(CloseCode, String)
    /// The recorder is authenticated; the hub looks up its timelines and then calls
    /// ``welcome(_:)``.
    case greeted([TimelineID])
    /// Begin or continue a timeline.
    case open(Header)
    /// Store entries; the bytes return as credit once they are durable.
    case append(FromRecorder.Append, bytes: Int)
    /// Refuse entries that cannot be read, which ends their timeline for the connection.
    case refuse(MessageError, TimelineID)
    case finish(FromRecorder.Close)
    case answer(RequestID, FromRecorder)
    /// Something that is meant as an answer and is not valid; without an id if that is not readable.
    case wrongAnswer(RequestID?, MessageError)
    case released(FromRecorder.Released)
    /// The peer reported an error.
    case complaint(ErrorReply)
  }

  private enum Phase: Sendable {
    /// Not authenticated.
    case new
    /// The daemon has proved itself, and waits for the recorder's proof.
    case challenged(recorderNonce: String, daemonNonce: String)
    /// Authenticated; its timelines are being looked up, and early frames wait.
    case greeting
    /// Recording.
    case ready
    /// Closing.
    case closed
  }

  /// How it reached the daemon.
  package let entrance: Entrance
  private let limits: ServerLimits
  private let secret: RecorderSecret
  private let deadline: Int64
  private var phase = Phase.new
  private var credit: Int
  private var wasWarned = false

  /// The frames that came before `welcome`, and their bytes.
  private var early: [[UInt8]] = []
  private var earlyBytes = 0

  /// Its capabilities.
  package private(set) var can = FromRecorder.Abilities()

  /// The run that it belongs to.
  package private(set) var run: String?

  /// Whether it may park timelines, and expects an answer to each `open` and `close`.
  package private(set) var parks = false

  /// The timelines that it parked: their machines run, and they have no place in the memory.
  package var parked: Set<TimelineID> = []

  /// Its open timelines.
  package var timelines: Set<TimelineID> = []

  /// How its closed timelines ended.
  package private(set) var ended: [TimelineID: TimelineEnd] = [:]

  /// How a timeline ended on a connection.
  package enum TimelineEnd: Sendable {
    /// It was deleted; late entries are dropped without an error.
    case deleted
    /// The recorder closed it.
    case closed
    /// One of its entries was refused: this connection cannot add more.
    case refused
  }

  package init(entrance: Entrance, limits: ServerLimits, secret: RecorderSecret, now: Int64) {
    self.entrance = entrance
    self.limits = limits
    self.secret = secret
    deadline = now + Int64(limits.wire.authenticationSeconds) * 1_000
    credit = limits.wire.credit
  }

  /// Whether it is authenticated.
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

  /// Handles a frame.
  ///
  /// - Parameter nonce: random digits for a challenge, if one is needed.
  package mutating func received(_ frame: [UInt8], nonce: @autoclosure () -> String) -> [Output] {
    switch phase {
    case .closed: return []
    case .greeting:
      early.append(frame)
      earlyBytes += frame.count
      guard earlyBytes <= limits.wire.credit + limits.wire.recorderMessage else {
        return close(.limit, "The recorder sent more before 'welcome' than the credit allows.")
      }
      return []
    case .new, .challenged, .ready: break
    }
    let message: Envelope<FromRecorder>
    var isAppend = false
    var timeline: TimelineID?
    var request: RequestID?
    do throws(MessageError) {
      let limit = isKnown ? limits.wire.recorderMessage : limits.wire.firstMessage
      guard frame.count <= limit else { throw MessageError(.tooLong(limit: limit)) }
      let outline: JSONOutline
      do { outline = try JSONOutline(validating: frame, elementsOf: "entries") } catch {
        throw MessageError(.malformed(error))
      }
      isAppend = outline["type"]?.string == "append"
      timeline = outline["timeline"]?.string.flatMap { TimelineID($0) }
      request = outline["re"].flatMap { try? RequestID(reading: $0) }
      message = try Envelope<FromRecorder>(reading: outline)
    } catch {
      let outputs = refused(error, of: timeline, bytes: isAppend ? frame.count : 0)
      guard !isAppend, isReady, HostMistake.sentence(for: frame, error) != nil else {
        return outputs
      }
      return outputs + [.wrongAnswer(request, error)]
    }
    if case .ready = phase { return ready(message, bytes: frame.count) }
    guard case .hello(let hello) = message.body else {
      return [.send(.error(Self.unauthorised("The first message is 'hello'.")))]
        + close(.unauthorised, "The first message must be 'hello'.")
    }
    return greet(hello, nonce: nonce)
  }

  /// Reports how far its timelines are durable, then handles the frames that waited.
  package mutating func welcome(_ durable: DurableSeqs) -> [Output] {
    guard case .greeting = phase else { return [] }
    phase = .ready
    let frames = early
    early = []
    let welcome = ToRecorder.Welcome {
      $0.credit = Int64(limits.wire.credit)
      $0.maxMessage = Int64(limits.wire.recorderMessage)
      $0.durable = durable
      $0.maxTimelines = parks ? Int64(limits.timelinesOfRecorder) : nil
    }
    return [.send(.welcome(welcome))] + frames.flatMap { received($0, nonce: "") }
  }

  /// Records that a timeline ended, and why.
  package mutating func end(_ timeline: TimelineID, _ end: TimelineEnd) {
    timelines.remove(timeline)
    // An app may close many timelines. If the reason is dropped, a timeline is simply not open.
    if ended.count >= Self.endedLimit { ended.removeAll() }
    ended[timeline] = end
  }

  private static let endedLimit = 4_096

  /// Records that it writes a timeline.
  package mutating func begin(_ timeline: TimelineID) {
    timelines.insert(timeline)
    ended[timeline] = nil
  }

  /// Returns credit for entries that no longer wait.
  package mutating func grant(_ bytes: Int) -> [Output] {
    guard bytes > 0, case .ready = phase else { return [] }
    credit += bytes
    return [.send(.credit(ToRecorder.Credit { $0.bytes = Int64(bytes) }))]
  }

  /// The deadline for authentication; `nil` afterward.
  package var patience: Int64? {
    switch phase {
    case .new, .challenged: deadline
    case .greeting, .ready, .closed: nil
    }
  }

  /// Closes the connection if authentication took too long.
  package mutating func tick(now: Int64) -> [Output] {
    guard now >= deadline else { return [] }
    switch phase {
    case .new, .challenged:
      return close(
        .unauthorised,
        "The recorder did not authenticate within \(limits.wire.authenticationSeconds) seconds.")
    case .greeting, .ready, .closed: return []
    }
  }

  /// Closes the connection; frames that still arrive are ignored.
  package mutating func close(_ code: CloseCode, _ reason: String) -> [Output] {
    phase = .closed
    return [.close(code, reason)]
  }

  /// Refuses a message that cannot be read.
  ///
  /// - Parameter bytes: The length of the message if it is an `append`, otherwise 0.
  private mutating func refused(
    _ error: MessageError, of timeline: TimelineID?, bytes: Int
  ) -> [Output] {
    var reply = Self.reply(error, of: timeline)
    if case .newerVersion = error.reason, !isReady {
      return [reply] + close(.version, "This daemon speaks version \(ProtocolVersion.current).")
    }
    guard case .ready = phase else {
      return [reply] + close(.unauthorised, "The first message must be a valid 'hello'.")
    }
    // Its credit returns at once, because nothing of it waits.
    guard bytes > 0 else { return [reply] }
    if let timeline { reply = .refuse(error, timeline) }
    let spent = spend(bytes)
    if case .closed = phase { return [reply] + spent }
    return [reply] + spent + grant(bytes)
  }

  private static func reply(_ error: MessageError, of timeline: TimelineID?) -> Output {
    var reply = error.reply
    reply.timeline = timeline
    return .send(.error(reply))
  }

  private mutating func spend(_ bytes: Int) -> [Output] {
    var outputs: [Output] = []
    if credit <= 0 {
      guard !wasWarned else {
        return close(.credit, "The recorder exceeded its credit again.")
      }
      wasWarned = true
      outputs = [
        .send(
          .error(
            Refusal(.limit, "The recorder exceeded its credit. Wait for 'credit'.").reply))
      ]
    }
    credit -= bytes
    return outputs
  }

  private mutating func ready(_ message: Envelope<FromRecorder>, bytes: Int) -> [Output] {
    switch message.body {
    case .hello:
      return [.send(.error(Refusal(.conflict, "'hello' was already sent.").reply))]
    case .open(let open):
      let timeline = open.header["timeline"]?.string.flatMap { TimelineID($0) }
      do {
        let header = try Header(receiving: open.header)
        // Every answer has the timeline in lower case; a recorder that compares texts would wait
        // for an answer with the name that it sent.
        guard open.header["timeline"]?.string == header.timeline.text else {
          let wrong = MessageError(
            .wrongValue("write it in lower case, '\(header.timeline.text)'"),
            path: "header.timeline")
          return [Self.reply(wrong, of: timeline)]
        }
        return [.open(header)]
      } catch {
        return [Self.reply(error.inMessage, of: timeline)]
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
              Self.unauthorised(
                "'hello' needs a nonce: 16 to 32 bytes in lower-case hexadecimal digits.")))
        ] + close(.unauthorised, "'hello' needs a nonce.")
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
    parks = hello.parks
    phase = .greeting
    return [.greeted(timelines)]
  }

  private static func unauthorised(_ sentence: String) -> ErrorReply {
    Refusal(.unauthorised, sentence).reply
  }
}
