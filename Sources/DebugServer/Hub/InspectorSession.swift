package import Timelines
package import Wire

/// The daemon's side of an inspector's connection: authentication, permissions, and running
/// requests.
///
/// A frame goes in; the outputs are for the hub to perform.
package struct InspectorSession: Sendable {
  /// What follows from a frame.
  package enum Output: Sendable {
    case send(ToInspector, re: RequestID?)
    case close(CloseCode, String)
    /// Authenticate it; the hub answers with ``accept(_:boot:)`` or ``reject(_:)``.
    case greeted(FromInspector.Hello)
    /// Perform a permitted request.
    case ask(RequestID, FromInspector)
    /// Cancel work that is no longer needed.
    case cancel(Ticket)
    /// Stop computing a branch.
    case abandon(TimelineID)
    /// Repeat the answer to a command that was sent twice.
    case `repeat`(Frame)
    /// The peer reported an error.
    case complaint(ErrorReply)
  }

  /// The identity and permissions of an authenticated inspector.
  package struct Admission: Sendable {
    /// The session's id; `nil` over the Unix socket.
    package var session: String?
    package var capabilities: Set<Capability>
    /// A name to show.
    package var name: String
  }

  /// A request that is not answered yet.
  private struct Request: Sendable {
    var ticket: Ticket?
    var slot: String?
    var isCommand: Bool
  }

  private enum Phase: Sendable {
    case new
    /// The daemon has proved itself, and waits for the inspector's proof.
    case challenged(ProofText.Inspection, secret: String)
    case ready
    case closed
  }

  /// How it reached the daemon.
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

  /// Its identity, once it is authenticated.
  package private(set) var admission: Admission?

  package var news = InspectorNews()

  /// The bytes that were queued and have not left.
  package var queued = 0

  /// Since when no bytes have left for it while some are queued.
  package var stuckSince: Int64?

  /// The total of bytes that had left when that was last checked.
  package var sent = 0

  package var isRead = true

  /// The branches that it made and that are being computed.
  package var computing: [RequestID: TimelineID] = [:]

  /// Its unfinished uploads, and when bytes of each arrived last.
  package var uploads: [String: Int64] = [:]

  /// The timelines of which it has sent parts of a chunk, but not yet all of them, the oldest first.
  private(set) var partial: [TimelineID] = []

  /// The number of its running queries.
  package var running: Set<Ticket> = []

  /// Queries that wait for a running one to end; each belongs to an open request.
  package var line: [(id: RequestID, request: FromInspector)] = []

  package init(entrance: Entrance, host: String, limits: ServerLimits, now: Int64) {
    self.entrance = entrance
    self.host = host
    self.limits = limits
    deadline = now + Int64(limits.wire.authenticationSeconds) * 1_000
  }

  /// Records whether a chunk is incomplete after a `deposit`. Returns the timeline whose parts must be
  /// dropped, because there are too many others.
  mutating func rememberParts(of deposit: FromInspector.Deposit) -> TimelineID? {
    guard let chunk = deposit.chunks.last else { return nil }
    let (end, overflow) = (chunk.offset ?? 0).addingReportingOverflow(chunk.dataBytes)
    partial.removeAll { $0 == deposit.timeline }
    guard let size = chunk.size, overflow || end < size else { return nil }
    partial.append(deposit.timeline)
    return partial.count > limits.unfinishedChunks ? partial.removeFirst() : nil
  }

  package var requestsInFlight: Int { requests.count }

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
      return [error(Refusal(.conflict, "'hello' was already sent."), re: message.id)]
    case .error(let error): return [.complaint(error)]
    case .timelines, .watch, .entries, .state, .raw, .diff, .changes, .find, .column, .series,
      .overview, .compute, .fork, .rename, .delete, .mark, .import, .part, .export, .verify,
      .compare,
      .minimize, .cancel, .hold, .restore, .dispatch, .step, .resume, .capture, .status, .prune,
      .check, .sessions, .revoke, .invite, .hosts, .host, .explore, .explain, .growth, .invariants,
      .source,
      .filters, .manifest,
      .fetch,
      .offer,
      .deposit,
      .finish:
      guard let id = message.id else { return [] }
      return asked(message.body, id: id)
    }
  }

  /// Proves the daemon's identity, and requests the inspector's proof.
  package mutating func challenge(_ proof: ProofText.Inspection, secret: String) -> [Output] {
    guard case .new = phase else { return [] }
    phase = .challenged(proof, secret: secret)
    let challenge = ToInspector.Challenge {
      $0.nonce = proof.daemonNonce
      $0.proof = ProofText.proof(of: proof.daemon, secret: Array(secret.utf8))
    }
    return [.send(.challenge(challenge), re: nil)]
  }

  /// The open challenge, and the secret that must prove it.
  package var challenge: (proof: ProofText.Inspection, secret: String)? {
    if case .challenged(let proof, let secret) = phase { return (proof, secret) }
    return nil
  }

  package mutating func accept(
    _ admission: Admission, boot: String, isTemporary: Bool = false
  ) -> [Output] {
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
      if isTemporary { $0.temporary = true }
    }
    return [.send(.welcome(welcome), re: nil)]
  }

  package mutating func reject(_ sentence: String) -> [Output] {
    [error(Refusal(.unauthorised, sentence), re: nil)] + close(.unauthorised, sentence)
  }

  /// Closes the connection and gives up its requests.
  package mutating func close(_ code: CloseCode, _ reason: String) -> [Output] {
    phase = .closed
    let tickets = requests.values.compactMap(\.ticket)
    requests = [:]
    slots = [:]
    line = []
    return tickets.map(Output.cancel) + [.close(code, reason)]
  }

  /// Whether it is authenticated.
  package var isReady: Bool {
    if case .ready = phase { return true }
    return false
  }

  /// The deadline for authentication; `nil` afterward.
  package var patience: Int64? {
    switch phase {
    case .new, .challenged: deadline
    case .ready, .closed: nil
    }
  }

  /// Closes the connection if authentication took too long.
  package mutating func tick(now: Int64) -> [Output] {
    guard let patience, now >= patience else { return [] }
    return close(
      .unauthorised,
      "The inspector did not authenticate within \(limits.wire.authenticationSeconds) seconds.")
  }

  private mutating func refused(_ error: MessageError) -> [Output] {
    let reply = Output.send(.error(error.reply), re: error.request)
    if case .newerVersion = error.reason, !isReady {
      return [reply] + close(.version, "This daemon speaks version \(ProtocolVersion.current).")
    }
    guard case .ready = phase else {
      return [reply] + close(.unauthorised, "The first message must be a valid 'hello'.")
    }
    return [reply]
  }

  private func error(_ refusal: Refusal, re: RequestID?) -> Output {
    .send(.error(refusal.reply), re: re)
  }
}

extension InspectorSession {
  /// Checks whether the request is permitted, and registers it.
  private mutating func asked(_ body: FromInspector, id: RequestID) -> [Output] {
    // From now on, messages with this id belong to this request.
    computing[id] = nil
    if body.isCommand {
      if let frame = given[id] { return [.repeat(frame)] }
      // The running request answers both.
      if requests[id]?.isCommand == true { return [] }
    }
    guard requests[id] == nil else {
      return [error(Refusal(.conflict, "A request with this id is in progress."), re: id)]
    }
    let needed = body.capability
    let capabilities = admission?.capabilities ?? []
    guard capabilities.permit(needed) else {
      return [error(Refusal(.forbidden, needed.refusal(for: capabilities)), re: id)]
    }
    if case .cancel(let cancel) = body { return self.cancel(cancel.request, by: id) }
    guard requests.count < limits.requestsInFlight else {
      return [
        error(
          Refusal(.limit, "At most \(limits.requestsInFlight) requests can be in progress."), re: id
        )
      ]
    }
    var outputs: [Output] = []
    var slot: String?
    if case .state(let state) = body, let name = state.slot {
      slot = name
      if let older = slots[name] {
        outputs = refuse(older, with: Refusal(.superseded, "A later request replaced this one."))
      }
      slots[name] = id
    }
    requests[id] = Request(ticket: nil, slot: slot, isCommand: body.isCommand)
    return outputs + [.ask(id, body)]
  }

  private mutating func cancel(_ request: RequestID, by id: RequestID) -> [Output] {
    if let branch = computing.removeValue(forKey: request) {
      return [.abandon(branch), .send(.done(ToInspector.Done()), re: id)]
    }
    guard requests[request]?.isCommand == false else {
      return [
        error(
          Refusal(.notFound, "No request with this id is in progress.", path: "request"), re: id)
      ]
    }
    return refuse(request, with: Refusal(.canceled, "The request was canceled."))
      + [.send(.done(ToInspector.Done()), re: id)]
  }

  private mutating func refuse(_ id: RequestID, with refusal: Refusal) -> [Output] {
    guard let request = remove(id) else { return [] }
    return (request.ticket.map { [.cancel($0)] } ?? []) + [error(refusal, re: id)]
  }

  private mutating func remove(_ id: RequestID) -> Request? {
    guard let request = requests.removeValue(forKey: id) else { return nil }
    // Drop a query that has not started; its id may be used again.
    if request.ticket == nil { line.removeAll { $0.id == id } }
    if let slot = request.slot, slots[slot] == id { slots[slot] = nil }
    return request
  }

  /// Records the ticket of a request's work.
  package mutating func began(_ id: RequestID, _ ticket: Ticket) {
    requests[id]?.ticket = ticket
    running.insert(ticket)
  }

  /// The next query to run, if the inspector reads its answers and few queries are running.
  package mutating func nextInLine() -> (id: RequestID, request: FromInspector)? {
    guard !line.isEmpty, running.count < limits.maximumRunningQueries, queued <= limits.queuedBytes
    else { return nil }
    return line.removeFirst()
  }

  /// Whether a request is still open.
  package func awaits(_ id: RequestID) -> Bool { requests[id] != nil }

  /// Ends a request with its answer; returns false if it was no longer open.
  package mutating func finish(_ id: RequestID, with frame: Frame) -> Bool {
    guard let request = remove(id) else { return false }
    if request.isCommand {
      if givenOrder.count >= limits.keptAnswers { given[givenOrder.removeFirst()] = nil }
      given[id] = frame
      givenOrder.append(id)
    }
    return true
  }
}
