internal import Timelines
internal import WebSockets
internal import Wire

/// The client's end of a connection to the daemon, on the loop's thread.
actor DaemonLink {
  /// What the daemon sends for a request.
  enum Reply: Sendable {
    case message(ToInspector)
    case overview(OverviewFrame)
  }

  /// The maximum number of unread replies. Reading pauses beyond it, so that a slow terminal slows
  /// the daemon down instead of filling the memory. ``WaitingNews`` bounds the news.
  private static let maximumWaiting = 64

  private let loop: Loop
  private var session: Session?
  private var greeting: CheckedContinuation<Void, any Error>?
  /// The time that the daemon has for its `welcome` once it has accepted the connection.
  private var greetingLimit = Duration.zero
  /// The proofs of a connection over TCP; `nil` over the Unix socket.
  private var signIn: SignIn?
  private var replies: [Int64: Mailbox<Reply>] = [:]
  /// Requests whose answer is among the unread replies: what follows it is news, even if the answer
  /// has not been read yet.
  private var answered: Set<Int64> = []
  private var news = WaitingNews()
  /// Whether the caller reads news; otherwise they are dropped.
  private var isRead = false
  private var lastID: Int64 = 0
  private var isPaused = false

  /// Why the connection ended, once it did.
  private(set) var end: BackendError?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.unownedExecutor }

  init(loop: Loop) {
    self.loop = loop
  }

  /// Connects and says hello.
  ///
  /// - Parameters:
  ///   - sessionOptions: when it pings, and when it gives up.
  ///   - signIn: the proofs over TCP; `nil` for the Unix socket.
  ///   - limit: the time for the daemon's `welcome`. Any program may listen at an address, and answer
  ///     pings forever.
  func open(
    _ endpoint: Endpoint, client: String, options sessionOptions: SessionOptions = SessionOptions(),
    signIn: SignIn? = nil, welcomedWithin limit: Duration = .seconds(30)
  ) async throws {
    self.signIn = signIn
    greetingLimit = limit
    var options = ConnectOptions()
    options.session = sessionOptions
    options.host = signIn?.host
    options.subprotocols = [PeerRole.inspector.rawValue]
    // Any program may listen at the address, and has proved nothing.
    options.session.maxMessageBytes = ProtocolLimits().firstMessage
    try await withCheckedThrowingContinuation { continuation in
      greeting = continuation
      session = loop.assumeIsolated { [options] loop in
        loop.connect(to: endpoint, options: options, handler: LinkHandler(self, client: client))
      }
    }
  }

  /// The maximum length of an answer: a state with everything that a recorder may send, and some
  /// room.
  private static let longestMessage = 256 << 20

  /// Sends a request; returns the id to read its replies with.
  func send(_ request: FromInspector) throws(BackendError) -> Int64 {
    if let end { throw end }
    lastID += 1
    replies[lastID] = Mailbox()
    let bytes = Envelope(request, id: .number(lastID)).encoded()
    guard session?.send(.text(bytes)) == .accepted else {
      replies[lastID] = nil
      throw .disconnected("it is closed.")
    }
    return lastID
  }

  /// The next reply; `nil` if the connection ended.
  func reply(to id: Int64) async -> Reply? {
    let reply = await withCheckedContinuation { continuation in
      guard replies[id] != nil else { return continuation.resume(returning: Reply?.none) }
      replies[id]?.resume(continuation)
    }
    resumeReading()
    return reply
  }

  /// Drops the replies to a request.
  func forget(_ id: Int64) {
    replies[id]?.close()
    replies[id] = nil
    answered.remove(id)
    resumeReading()
  }

  func cancel(_ id: Int64) {
    guard replies[id] != nil, end == nil else { return }
    lastID += 1
    let cancel = FromInspector.Cancel { $0.request = .number(id) }
    session?.send(.text(Envelope(FromInspector.cancel(cancel), id: .number(lastID)).encoded()))
  }

  /// From now on, progress of answered requests is news.
  func readNews() { isRead = true }

  /// The next unsolicited message; `nil` if the connection ended.
  func nextNews() async -> ToInspector? {
    await withCheckedContinuation { news.resume($0) }
  }

  /// Whether a request waits for its answer.
  var isBusy: Bool { !replies.isEmpty }

  func close() {
    session?.close()
  }

  private var waiting: Int { replies.values.reduce(0) { $0 + $1.count } }

  private func pauseIfFull() {
    guard !isPaused, waiting > Self.maximumWaiting else { return }
    isPaused = true
    session?.pauseReading()
  }

  private func resumeReading() {
    guard isPaused, waiting <= Self.maximumWaiting / 2 else { return }
    isPaused = false
    session?.resumeReading()
  }
}

// Callbacks of the session.
extension DaemonLink {
  func opened(_ session: Session, client: String) {
    if case .unix = session.peer, !session.peer.isSameUser {
      finish(.disconnected("the daemon belongs to another user."))
      return session.abort()
    }
    if signIn == nil { session.limitMessages(to: Self.longestMessage) }
    let hello = signIn?.hello ?? FromInspector.Hello { $0.client = client }
    session.send(.text(Envelope(FromInspector.hello(hello)).encoded()))
    let limit = greetingLimit
    loop.assumeIsolated { loop in
      _ = loop.schedule(after: limit) { [weak self] _ in
        self?.assumeIsolated { $0.failGreeting(session) }
      }
    }
  }

  private func failGreeting(_ session: Session) {
    guard greeting != nil else { return }
    finish(
      .disconnected("the program there accepts connections, but does not answer as a daemon does."))
    session.abort()
  }

  func received(_ message: SocketMessage) {
    switch message {
    case .binary(let bytes):
      guard let frame = try? OverviewFrame(reading: bytes),
        case .number(let id) = frame.head.re
      else { return }
      replies[id]?.add(.overview(frame))
    case .text(let bytes):
      // Ignore what a newer daemon may send.
      guard let envelope = try? Envelope<ToInspector>(reading: bytes, maxMessage: .max) else {
        return
      }
      receive(envelope)
    }
    pauseIfFull()
  }

  private func receive(_ envelope: Envelope<ToInspector>) {
    if case .number(let id) = envelope.re {
      return receiveReply(envelope.body, to: id)
    }
    switch envelope.body {
    case .challenge(let challenge) where greeting != nil && signIn != nil: prove(challenge)
    case .welcome where greeting != nil:
      // Without its proof, it may be another program that took over the daemon's address.
      guard signIn?.isDaemonProven != false else { return fail(SignIn.unproven) }
      greeting?.resume()
      greeting = nil
    case .welcome: return
    case .error(let error) where greeting != nil:
      fail(signIn?.isDaemonProven == false ? SignIn.refused(error) : .refused(error))
    case .error: return
    case .challenge, .timelines, .timeline, .gone, .live, .control, .entries, .state, .raw, .diff,
      .changes, .find, .column, .series, .fork, .done, .progress, .import, .export, .verify,
      .compare, .minimize, .status, .prune, .check, .sessions, .invite, .hosts, .notice, .explore,
      .explain, .growth, .invariants, .source, .filters,
      .manifest,
      .fetch, .offer:
      // Before its welcome, nothing that the program says is news.
      if greeting == nil { news.add(envelope.body) }
    }
  }

  private func prove(_ challenge: ToInspector.Challenge) {
    do throws(BackendError) {
      guard let hello = try signIn?.answer(challenge) else { return }
      session?.limitMessages(to: Self.longestMessage)
      session?.send(.text(Envelope(FromInspector.hello(hello)).encoded()))
    } catch {
      fail(error)
    }
  }

  private func fail(_ error: BackendError) {
    finish(error)
    session?.abort()
  }

  private func receiveReply(_ body: ToInspector, to id: Int64) {
    switch body {
    case .progress where isRead && (replies[id] == nil || answered.contains(id)):
      news.add(body, of: id)
    case .progress: replies[id]?.add(.message(body))
    case .challenge, .welcome, .timelines, .timeline, .gone, .live, .control, .entries, .state,
      .raw,
      .diff, .changes, .find, .column, .series, .fork, .done, .import, .export, .verify, .compare,
      .minimize, .status, .prune, .check, .sessions, .invite, .hosts, .notice, .explore, .explain,
      .growth, .invariants, .source, .filters,
      .manifest,
      .fetch,
      .offer, .error:
      guard replies[id] != nil else { return }
      if case .export(let part) = body, part.more {} else { answered.insert(id) }
      replies[id]?.add(.message(body))
    }
  }

  func finish(_ error: BackendError) {
    guard end == nil else { return }
    end = error
    greeting?.resume(throwing: error)
    greeting = nil
    news.close()
    for id in replies.keys { replies[id]?.close() }
  }
}

/// Forwards the session's callbacks.
private final class LinkHandler: SessionHandler {
  private let link: DaemonLink
  private let client: String

  init(_ link: DaemonLink, client: String) {
    self.link = link
    self.client = client
  }

  func opened(_ session: Session, on loop: isolated Loop) {
    link.assumeIsolated { [client] in $0.opened(session, client: client) }
  }

  func received(_ message: SocketMessage, from session: Session, on loop: isolated Loop) {
    link.assumeIsolated { $0.received(message) }
  }

  func isBusy(_ session: Session, on loop: isolated Loop) -> Bool {
    link.assumeIsolated { $0.isBusy }
  }

  func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop) {
    link.assumeIsolated { $0.finish(BackendError(end)) }
  }
}

extension BackendError {
  /// The end of a connection, as the end of a sentence: messages continue with another one.
  init(_ end: SessionEnd) {
    let reason = end.reason.isEmpty ? "it was closed (\(end.code.rawValue))" : end.reason
    self = .disconnected(reason.hasSuffix(".") ? reason : reason + ".")
  }
}
