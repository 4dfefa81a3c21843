package import Timelines

/// The daemon's side of an inspector's connection: who it is, what it may ask, and what is under way.
///
/// A frame goes in, what it amounts to comes out; the hub does it.
package struct InspectorSession: Sendable {
  /// What a frame amounts to.
  package enum Output: Sendable {
    /// Answers or tells something.
    case send(ToInspector, re: RequestID?)
    /// Ends the connection.
    case close(CloseCode, String)
    /// It wants to be let in; the hub answers with ``admit(_:)`` or ``reject()``.
    case greeted(FromInspector.Hello)
    /// It asks something that it may ask.
    case ask(RequestID, FromInspector)
    /// Work for it is of no use any more.
    case cancel(Ticket)
    /// It does not want the rest of a branch.
    case abandon(TimelineID)
    /// It repeats a command; this is the answer that was given.
    case `repeat`(Frame)
    /// It did not understand something.
    case complaint(ErrorReply)
  }

  /// Who it was let in as.
  package struct Admission: Sendable {
    /// The session's id; `nil` over the Unix socket.
    package var session: String?
    /// What it may do.
    package var capabilities: Set<Capability>
    /// A name to show.
    package var name: String
  }

  /// Something that it asked and that is not answered yet.
  private struct Request: Sendable {
    var ticket: Ticket?
    var slot: String?
    var isCommand: Bool
  }

  private enum Phase: Sendable {
    case new
    /// The daemon proved itself, and waits for the inspector's proof.
    case challenged(ProofText.Inspection, secret: String)
    case ready
    case closed
  }

  /// The door through which it came.
  package let entrance: Entrance

  /// The `Host` of its request, in lower case.
  package let host: String

  private let limits: ServerLimits
  private let deadline: Int64
  private var phase = Phase.new
  private var requests: [RequestID: Request] = [:]
  private var slots: [String: RequestID] = [:]
  private var given: [RequestID: Frame] = [:]
  private var givenOrder: [RequestID] = []

  /// Who it is, once it was let in.
  package private(set) var admission: Admission?

  /// What is to be told to it.
  package var news = InspectorNews()

  /// The bytes that were sent and have not left.
  package var queued = 0

  /// Since when it takes nothing, as far as is known, when something waits for it.
  package var stuckSince: Int64?

  /// How many bytes had left for it when that was last looked at.
  package var sent = 0

  /// Whether its frames are read.
  package var isRead = true

  /// The branches that it made by a request and that are being computed.
  package var computing: [RequestID: TimelineID] = [:]

  /// Files of it whose parts have not all come.
  package var uploads: Set<String> = []

  /// Questions of it that are being worked on.
  package var running: Set<Ticket> = []

  /// Questions that wait until some of those are answered; each is one of the requests under way.
  package var line: [(id: RequestID, request: FromInspector)] = []

  /// A connection that was just made.
  package init(entrance: Entrance, host: String, limits: ServerLimits, now: Int64) {
    self.entrance = entrance
    self.host = host
    self.limits = limits
    deadline = now + Int64(limits.wire.authenticationSeconds) * 1_000
  }

  /// The requests that are under way.
  package var requestsInFlight: Int { requests.count }

  /// Takes a frame.
  package mutating func received(_ frame: [UInt8]) -> [Output] {
    if case .closed = phase { return [] }
    let message: Envelope<FromInspector>
    do {
      message = try Envelope<FromInspector>(
        reading: frame,
        maxMessage: isReady ? limits.wire.inspectorMessage : limits.wire.firstMessage)
    } catch {
      return refused(error)
    }
    guard case .ready = phase else {
      guard case .hello(let hello) = message.body else {
        return [error(Refusal(.unauthorised, "The first message is 'hello'."), re: message.id)]
          + close(.unauthorised, "The first message must be 'hello'.")
      }
      return [.greeted(hello)]
    }
    switch message.body {
    case .hello:
      return [error(Refusal(.conflict, "'hello' was said already."), re: message.id)]
    case .error(let error): return [.complaint(error)]
    default:
      guard let id = message.id else { return [] }
      return asked(message.body, id: id)
    }
  }

  /// Proves the daemon to it, and asks for its proof.
  package mutating func challenge(_ proof: ProofText.Inspection, secret: String) -> [Output] {
    guard case .new = phase else { return [] }
    phase = .challenged(proof, secret: secret)
    let challenge = ToInspector.Challenge {
      $0.nonce = proof.daemonNonce
      $0.proof = ProofText.proof(of: proof.daemon, secret: Array(secret.utf8))
    }
    return [.send(.challenge(challenge), re: nil)]
  }

  /// The challenge that it has not answered yet, and the secret under which it must.
  package var challenge: (proof: ProofText.Inspection, secret: String)? {
    if case .challenged(let proof, let secret) = phase { return (proof, secret) }
    return nil
  }

  /// Lets it in.
  package mutating func admit(_ admission: Admission, boot: String) -> [Output] {
    switch phase {
    case .new, .challenged: break
    case .ready, .closed: return []
    }
    phase = .ready
    self.admission = admission
    let welcome = ToInspector.Welcome {
      $0.daemon = DaemonVersion.product
      $0.session = admission.session
      if admission.session != nil { $0.boot = boot }
      $0.capabilities = Capability.allCases.filter(admission.capabilities.contains)
      $0.maxMessage = Int64(limits.wire.inspectorMessage)
    }
    return [.send(.welcome(welcome), re: nil)]
  }

  /// Sends it away.
  package mutating func reject(_ sentence: String) -> [Output] {
    [error(Refusal(.unauthorised, sentence), re: nil)] + close(.unauthorised, sentence)
  }

  /// Ends the connection; what was under way is given up.
  package mutating func close(_ code: CloseCode, _ reason: String) -> [Output] {
    phase = .closed
    let tickets = requests.values.compactMap(\.ticket)
    requests = [:]
    slots = [:]
    line = []
    return tickets.map(Output.cancel) + [.close(code, reason)]
  }

  /// Whether it was let in.
  package var isReady: Bool {
    if case .ready = phase { return true }
    return false
  }

  /// Until when it has to say who it is; `nil` once it did.
  package var patience: Int64? {
    switch phase {
    case .new, .challenged: deadline
    case .ready, .closed: nil
    }
  }

  /// Ends the connection when it took too long to say who it is.
  package mutating func tick(now: Int64) -> [Output] {
    guard let patience, now >= patience else { return [] }
    return close(
      .unauthorised, "No proof came within \(limits.wire.authenticationSeconds) seconds.")
  }

  private mutating func refused(_ error: MessageError) -> [Output] {
    let reply = Output.send(.error(error.reply), re: error.request)
    if case .newerVersion = error.reason, !isReady {
      return [reply] + close(.version, "This daemon speaks version \(ProtocolVersion.current).")
    }
    guard case .ready = phase else {
      return [reply] + close(.unauthorised, "The first message must be a 'hello' that is right.")
    }
    return [reply]
  }

  private func error(_ refusal: Refusal, re: RequestID?) -> Output {
    .send(.error(refusal.reply), re: re)
  }
}

extension InspectorSession {
  /// Checks whether it may ask that, and notes that it did.
  private mutating func asked(_ body: FromInspector, id: RequestID) -> [Output] {
    // What is told with this id from now on is about this request.
    computing[id] = nil
    if body.isCommand {
      if let frame = given[id] { return [.repeat(frame)] }
      // The answer that is under way is the answer to both.
      if requests[id]?.isCommand == true { return [] }
    }
    guard requests[id] == nil else {
      return [error(Refusal(.conflict, "A request with this id is under way."), re: id)]
    }
    let needed = body.capability
    guard admission?.capabilities.contains(needed) == true else {
      return [
        error(
          Refusal(
            .forbidden,
            "This session \(needed.refusal)"),
          re: id)
      ]
    }
    if case .cancel(let cancel) = body { return cancelled(cancel.request, by: id) }
    guard requests.count < limits.requestsInFlight else {
      return [
        error(
          Refusal(.limit, "At most \(limits.requestsInFlight) requests may be under way."), re: id)
      ]
    }
    var outputs: [Output] = []
    var slot: String?
    if case .state(let state) = body, let name = state.slot {
      slot = name
      if let older = slots[name] {
        outputs = give(up: older, with: Refusal(.superseded, "A later request took its place."))
      }
      slots[name] = id
    }
    requests[id] = Request(ticket: nil, slot: slot, isCommand: body.isCommand)
    return outputs + [.ask(id, body)]
  }

  private mutating func cancelled(_ request: RequestID, by id: RequestID) -> [Output] {
    if let branch = computing.removeValue(forKey: request) {
      return [.abandon(branch), .send(.done(ToInspector.Done()), re: id)]
    }
    guard requests[request]?.isCommand == false else {
      return [
        error(Refusal(.notFound, "No such request is under way.", path: "request"), re: id)
      ]
    }
    return give(up: request, with: Refusal(.cancelled, "It was cancelled."))
      + [.send(.done(ToInspector.Done()), re: id)]
  }

  private mutating func give(up id: RequestID, with refusal: Refusal) -> [Output] {
    guard let request = take(id) else { return [] }
    return (request.ticket.map { [.cancel($0)] } ?? []) + [error(refusal, re: id)]
  }

  private mutating func take(_ id: RequestID) -> Request? {
    guard let request = requests.removeValue(forKey: id) else { return nil }
    // Nobody works on what still waits in line; its id may be used for another question now.
    if request.ticket == nil { line.removeAll { $0.id == id } }
    if let slot = request.slot, slots[slot] == id { slots[slot] = nil }
    return request
  }

  /// Notes who works on a request.
  package mutating func began(_ id: RequestID, _ ticket: Ticket) {
    requests[id]?.ticket = ticket
    running.insert(ticket)
  }

  /// The next question to work on, when it takes its answers and few are worked on.
  package mutating func nextInLine() -> (id: RequestID, request: FromInspector)? {
    guard !line.isEmpty, running.count < limits.questionsAtOnce, queued <= limits.queuedBytes
    else { return nil }
    return line.removeFirst()
  }

  /// Whether a request is still waited for.
  package func awaits(_ id: RequestID) -> Bool { requests[id] != nil }

  /// Ends a request, whose answer is given; `false` when nobody waits for it any more.
  package mutating func finish(_ id: RequestID, with frame: Frame) -> Bool {
    guard let request = take(id) else { return false }
    if request.isCommand {
      if givenOrder.count >= limits.keptAnswers { given[givenOrder.removeFirst()] = nil }
      given[id] = frame
      givenOrder.append(id)
    }
    return true
  }
}

extension FromInspector {
  /// Whether it drives a live app, so that doing it twice is not the same as once.
  package var isCommand: Bool {
    switch self {
    case .hold, .restore, .dispatch, .step, .resume, .capture: true
    default: false
    }
  }

  /// What a session must be able to do to ask it.
  ///
  /// Whatever runs an app's code takes more than looking: it may start processes, and goes on for
  /// long.
  package var capability: Capability {
    switch self {
    case .fork, .rename, .delete, .mark, .`import`, .part, .minimise, .prune, .verify, .compute:
      .change
    case .compare(let asked): asked.with == nil || asked.host != nil ? .change : .look
    case .state(let asked): asked.compute ? .change : .look
    case .hold, .restore, .dispatch, .step, .resume, .capture: .control
    case .host: .host
    case .hello, .timelines, .watch, .entries, .raw, .diff, .changes, .find, .column, .overview,
      .export, .cancel, .status, .check, .sessions, .revoke, .invite, .hosts, .error:
      .look
    }
  }
}
