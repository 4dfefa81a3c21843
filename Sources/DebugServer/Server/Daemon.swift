internal import HostProcesses
internal import Reruns
internal import TimelineStore
internal import Timelines
internal import WebSockets
internal import Wire

/// Runs the hub: sockets, store, and clock provide the inputs, and this performs the actions.
///
/// It runs on the loop's thread, so that callbacks reach it without waiting, and it never waits for
/// the disk: the store calls back.
actor Daemon {
  private let network: any DaemonNetwork
  private let store: Store
  private let queries: QueryService
  private let branches: Branches
  private let keeper: SessionSaver
  private let hosts: HostManager
  private let log: any Log
  private let audit: AuditFile?
  private let epoch: Duration

  private(set) var hub: Hub
  private var saves = 0
  private var pages: any PageSource
  private var sessions: [PeerID: any DaemonConnection] = [:]
  private var waiting: [PeerID: WaitingFrames] = [:]
  private var runningQueries: [Ticket: Task<Void, Never>] = [:]
  private var queryCount: Int64 = 0

  /// The callers that wait for a recorder's answer.
  var reducing: [Int64: @Sendable (HostAnswer) -> Void] = [:]

  /// Tries invariants at new entries.
  private lazy var invariants = InvariantWatch(
    queries, logFailure: { [log] in log.write(LogEvent(.debug, "invariants", $0)) },
    report: { [weak self] in self?.enqueue(.broken($0.timeline, $0.notice)) })

  private var rooms: [PeerID: [CheckedContinuation<Void, Never>]] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { network.unownedExecutor }

  /// A daemon without listeners.
  init(
    network: any DaemonNetwork, store: Store, queries: QueryService, branches: Branches,
    keeper: SessionSaver,
    hosts: HostManager, log: any Log, audit: AuditFile?, pages: any PageSource,
    settings: Hub.Settings, sessions: SessionTable
  ) {
    self.network = network
    self.store = store
    self.queries = queries
    self.branches = branches
    self.keeper = keeper
    self.hosts = hosts
    self.log = log
    self.audit = audit
    self.pages = pages
    epoch = network.uptime
    hub = Hub(settings, sessions: sessions, now: 0)
  }

  /// Handles an input and performs the resulting actions.
  func handle(_ input: HubInput) {
    for action in hub.handle(input, now: milliseconds) { perform(action) }
  }

  /// Takes what happened, from any thread, in the order of the calls.
  nonisolated func enqueue(_ input: HubInput) {
    network.enqueue { self.assumeIsolated { $0.handle(input) } }
  }

  /// The timelines that a connected recorder writes.
  var live: Set<TimelineID> { hub.live }

  var counts: DaemonCounts {
    var counts = hub.counts
    (counts.queries, counts.runningQueries) = (queryCount, runningQueries.count)
    counts.store = store.counts
    return counts
  }

  /// Sets the page's address.
  func announce(page: String?) { hub.announce(page: page) }

  /// Replaces the source of the page's files.
  func serve(_ pages: any PageSource) { self.pages = pages }

  /// Reads certificates and keys again; returns whether they were renewed.
  func renewIdentities() throws -> Bool {
    try network.renewIdentities()
  }

  private var milliseconds: Int64 {
    let (seconds, attoseconds) = (network.uptime - epoch).components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }

  private func perform(_ action: HubAction) {
    switch action {
    case .send(let peer, let frame): send(frame, to: peer)
    case .close(let peer, let code, let reason):
      waiting[peer] = nil
      // A peer that does not read the queue would not read the rest either.
      sessions[peer]?.close(
        code: SessionCloseCode(rawValue: code.rawValue), reason: reason, discarding: code == .idle)
    case .limitMessages(let peer, let bytes): sessions[peer]?.limitMessages(to: bytes)
    case .read(let peer, let reads):
      // Do not read from a peer that does not read its answers.
      if !reads {
        sessions[peer]?.pauseReading()
      } else if waiting[peer] == nil {
        sessions[peer]?.resumeReading()
      }
    case .store(let ticket, let work): perform(work, ticket)
    case .query(let ticket, let query): run(query, ticket)
    case .branch(let work): Task { [branches] in await branches.perform(work) }
    case .cancel(let ticket): runningQueries.removeValue(forKey: ticket)?.cancel()
    case .wake(let milliseconds, let time):
      network.schedule(after: .milliseconds(milliseconds)) { [weak self] in
        self?.assumeIsolated { daemon in
          let sent = daemon.sessions.mapValues { $0.sentBytes }
          daemon.handle(.tick(sent: sent, requestedFor: time))
        }
      }
    case .save(let table):
      saves += 1
      Task { [keeper, saves] in await keeper.save(table, number: saves) }
    case .reduced(let number, let answer): reduced(number, answer)
    case .log(let event): log.write(event)
    case .audit(let entry): audit?.append(entry)
    }
  }
}

// Callbacks of the sockets.
extension Daemon {
  func opened(
    _ session: any DaemonConnection, _ role: PeerRole, _ entrance: Entrance, host: String
  ) {
    let peer = PeerID(session.id)
    sessions[peer] = session
    handle(.connected(peer, role, entrance, host: host))
  }

  func received(_ message: SocketMessage, from session: any DaemonConnection) {
    switch message {
    case .text(let bytes): handle(.text(PeerID(session.id), bytes))
    case .binary:
      session.close(
        code: .unsupported, reason: "Messages must be text frames.", discarding: true)
    }
  }

  func drained(_ session: any DaemonConnection) {
    let peer = PeerID(session.id)
    if let waited = waiting.removeValue(forKey: peer) {
      for frame in waited.frames { send(frame, to: peer) }
      guard waiting[peer] == nil else { return }
      if hub.recorders[peer] != nil, hub.readsRecorders { session.resumeReading() }
    }
    makeRoom(for: peer)
    if session.queuedMessages == 0 { handle(.drained(peer)) }
  }

  func closed(_ session: any DaemonConnection) {
    let peer = PeerID(session.id)
    sessions[peer] = nil
    waiting[peer] = nil
    handle(.disconnected(peer))
    makeRoom(for: peer)
  }

  func page(_ exchange: Exchange) { exchange.respond(pages.response(to: exchange.request)) }

  private func send(_ frame: Frame, to peer: PeerID) {
    guard let session = sessions[peer] else { return }
    if waiting[peer] != nil { return wait(frame, for: session, peer) }
    let message =
      switch frame {
      case .text(let bytes): SocketMessage.text(bytes)
      case .binary(let bytes): SocketMessage.binary(bytes)
      }
    // Buffer what does not fit. It is bounded: no more queries are run meanwhile, and nothing more
    // is read from a recorder, whose every message may need an answer.
    guard session.send(message) == .full else { return }
    waiting[peer] = WaitingFrames()
    waiting[peer]?.add(frame)
    if hub.recorders[peer] != nil { session.pauseReading() }
  }

  /// Buffers a frame that does not fit. Inspectors go on sending commands to a recorder that does
  /// not read them, so it is closed once too much waits.
  private func wait(_ frame: Frame, for session: any DaemonConnection, _ peer: PeerID) {
    waiting[peer]?.add(frame)
    let limit = hub.settings.limits.unreadBytes
    let bytes = waiting[peer]?.bytes ?? 0
    guard hub.recorders[peer] != nil, bytes > limit else { return }
    waiting[peer] = nil
    log.write(
      LogEvent(
        .warning, "recorder.stuck",
        "A recorder was disconnected, because it left \(bytes) bytes of messages unread.",
        ["peer": peer.number]))
    session.close(
      code: SessionCloseCode(rawValue: CloseCode.idle.rawValue),
      reason: "The recorder left more than \(limit) bytes of messages unread.", discarding: true)
  }
}

/// The frames that do not fit into a session's queue.
private struct WaitingFrames {
  private(set) var frames: [Frame] = []
  private(set) var bytes = 0

  mutating func add(_ frame: Frame) {
    frames.append(frame)
    bytes += frame.bytes.count
  }
}

// Work of the store for recorders.
extension Daemon {
  private func perform(_ work: StoreWork, _ ticket: Ticket) {
    switch work {
    case .durable(let timelines): findDurable(timelines, ticket)
    case .begin(let header):
      store.open(header) { [weak self] result in
        switch result {
        case .success(let opened):
          self?.enqueue(.stored(ticket, .begun(EntrySequence(opened))))
        case .failure(let error): self?.enqueue(.stored(ticket, .failed(StoreProblem(error))))
        }
      }
    case .append(let batch):
      let first = batch.firstSeq
      store.append(batch) { [weak self, invariants] result in
        let answer =
          switch result {
          case .success(let appended): StoreAnswer(appended)
          case .failure(let error): StoreAnswer.failed(StoreProblem(error))
          }
        if case .appended = answer, let first {
          invariants.grew(batch.timeline, from: first)
        }
        self?.enqueue(.stored(ticket, answer))
      }
    case .finish(let timeline, let gap):
      store.end(timeline, gap: gap) { [weak self] result in
        let answer =
          switch result {
          case .success: StoreAnswer.finished
          case .failure(let error): StoreAnswer.failed(StoreProblem(error))
          }
        self?.enqueue(.stored(ticket, answer))
      }
    }
  }

  private func findDurable(_ timelines: [TimelineID], _ ticket: Ticket) {
    Task { [weak self, store] in
      do {
        let seqs = try await ReadLane.$current.withValue(.recorder) {
          try await store.read { reader in
            // An unreadable timeline is not an empty one: the recorder would send all of it again.
            try timelines.map { ($0, try reader.lastSeq(of: $0)) }
          }
        }
        var durable = DurableSeqs()
        durable.seqs = seqs.map { ($0.0, $0.1) }
        self?.enqueue(.stored(ticket, .durable(durable)))
      } catch {
        let problem = StoreProblem.refused(.failed, Refusal(of: error).reply.message)
        self?.enqueue(.stored(ticket, .failed(problem)))
      }
    }
  }
}

// Queries of inspectors.
extension Daemon {
  private func run(_ query: StoreQuery, _ ticket: Ticket) {
    let (lane, id) = (hub.lane(of: ticket), hub.request(of: ticket))
    queryCount &+= 1
    runningQueries[ticket] = Task { [weak self, queries, hosts] in
      let result = await ReadLane.$current.withValue(lane) {
        if case .request(.host(let asked)) = query {
          do throws(Refusal) {
            try await hosts.add(asked)
          } catch {
            return QueryResult.refused(error)
          }
          return QueryResult.message(.done(ToInspector.Done()))
        }
        return await queries.answer(query, live: { [weak self] in await self?.live ?? [] }) {
          [weak self] message in
          await self?.progress(ticket, message)
        }
      }
      await self?.answered(ticket, id.map { result.encoded(re: $0) } ?? result)
    }
  }

  private func answered(_ ticket: Ticket, _ answer: QueryResult) {
    runningQueries[ticket] = nil
    handle(.answered(ticket, answer))
  }

  /// Sends a part of an answer, and waits until there is room for the next.
  private func progress(_ ticket: Ticket, _ message: ToInspector) async {
    guard let peer = hub.peer(of: ticket) else { return }
    handle(.progressed(ticket, message))
    guard let session = sessions[peer],
      waiting[peer] != nil || session.queuedBytes > Self.roomBytes
    else { return }
    await withCheckedContinuation { rooms[peer, default: []].append($0) }
  }

  /// Two parts of a file: one being sent, one ready to follow.
  private static let roomBytes = 1 << 20

  private func makeRoom(for peer: PeerID) {
    for continuation in rooms.removeValue(forKey: peer) ?? [] { continuation.resume() }
  }
}

extension StoreProblem {
  /// The refusal to send to a recorder.
  init(_ error: StoreError) {
    switch error.reason {
    case .gone, .notFound: self = .gone
    case .conflict: self = .refused(.conflict, error.description)
    case .order, .ownAncestor: self = .refused(.wrongValue, error.description)
    case .manyAncestors: self = .refused(.limit, error.description)
    case .held, .leased, .newer, .folder, .openFolder, .database, .server, .refusing, .closed,
      .hasBranches,
      .noEntry,
      .damaged,
      .file, .packing, .packed, .chunk, .path, .longPath:
      self = .refused(.failed, error.description)
    }
  }
}
