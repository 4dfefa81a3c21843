internal import HostProcesses
internal import TimelineStore
internal import Timelines
internal import WebSockets

/// Runs the hub: what sockets, store and clock tell goes in, what comes out is done.
///
/// It lives on the loop's thread, so that callbacks reach it without waiting, and it never waits for
/// the disk: the store answers by itself.
actor Daemon {
  private let network: any DaemonNetwork
  private let store: Store
  private let lookUps: LookUps
  private let branches: Branches
  private let keeper: SessionKeeper
  private let hosts: HostKeeper
  private let log: any Log
  private let epoch: Duration

  private(set) var hub: Hub
  private var saves = 0
  private var pages: any PageSource
  private var sessions: [PeerID: any DaemonConnection] = [:]
  private var waiting: [PeerID: [Frame]] = [:]
  private var looks: [Ticket: Task<Void, Never>] = [:]

  /// Who waits for what recorders run.
  var reducing: [Int64: @Sendable (HostAnswer) -> Void] = [:]

  private var rooms: [PeerID: [CheckedContinuation<Void, Never>]] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { network.unownedExecutor }

  /// A daemon that nobody reaches yet.
  init(
    network: any DaemonNetwork, store: Store, lookUps: LookUps, branches: Branches,
    keeper: SessionKeeper,
    hosts: HostKeeper, log: any Log, pages: any PageSource, settings: Hub.Settings,
    sessions: SessionTable
  ) {
    self.network = network
    self.store = store
    self.lookUps = lookUps
    self.branches = branches
    self.keeper = keeper
    self.hosts = hosts
    self.log = log
    self.pages = pages
    epoch = network.uptime
    hub = Hub(settings, sessions: sessions, now: 0)
  }

  /// Takes what happened, and does what follows.
  func take(_ input: HubInput) {
    for action in hub.handle(input, now: milliseconds) { perform(action) }
  }

  /// Takes what happened, from any thread, in the order of the calls.
  nonisolated func enqueue(_ input: HubInput) {
    network.enqueue { self.assumeIsolated { $0.take(input) } }
  }

  /// The timelines that a connected recorder writes.
  var live: Set<TimelineID> { hub.live }

  /// Tells where the page is.
  func announce(page: String?) { hub.announce(page: page) }

  /// Takes the page's files from elsewhere.
  func serve(_ pages: any PageSource) { self.pages = pages }

  /// Reads certificates and keys again; answers whether they were renewed.
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
      // Who takes nothing would not take the rest either.
      sessions[peer]?.close(
        code: SessionCloseCode(rawValue: code.rawValue), reason: reason, discarding: code == .idle)
    case .take(let peer, let bytes): sessions[peer]?.takeMessages(upTo: bytes)
    case .read(let peer, let reads):
      // Who does not read what waits for it is not read either.
      if !reads {
        sessions[peer]?.pauseReading()
      } else if waiting[peer] == nil {
        sessions[peer]?.resumeReading()
      }
    case .store(let ticket, let work): perform(work, ticket)
    case .look(let ticket, let question): look(ticket, question)
    case .branch(let work): Task { [branches] in await branches.perform(work) }
    case .cancel(let ticket): looks.removeValue(forKey: ticket)?.cancel()
    case .wake(let milliseconds):
      network.schedule(after: .milliseconds(milliseconds)) { [weak self] in
        self?.assumeIsolated { daemon in
          daemon.take(.tick(sent: daemon.sessions.mapValues { $0.sentBytes }))
        }
      }
    case .save(let table):
      saves += 1
      Task { [keeper, saves] in await keeper.save(table, number: saves) }
    case .reduced(let number, let answer): reduced(number, answer)
    case .log(let event): log.write(event)
    }
  }
}

// What sockets tell.
extension Daemon {
  func opened(
    _ session: any DaemonConnection, _ role: PeerRole, _ entrance: Entrance, host: String
  ) {
    let peer = PeerID(session.id)
    sessions[peer] = session
    take(.connected(peer, role, entrance, host: host))
  }

  func received(_ message: WebSockets.Message, from session: any DaemonConnection) {
    switch message {
    case .text(let bytes): take(.text(PeerID(session.id), bytes))
    case .binary:
      session.close(
        code: .unsupported, reason: "Messages are text frames.", discarding: true)
    }
  }

  func drained(_ session: any DaemonConnection) {
    let peer = PeerID(session.id)
    if let frames = waiting.removeValue(forKey: peer) {
      for frame in frames { send(frame, to: peer) }
      guard waiting[peer] == nil else { return }
      if hub.recorders[peer] != nil, hub.readsRecorders { session.resumeReading() }
    }
    makeRoom(for: peer)
    if session.queuedMessages == 0 { take(.drained(peer)) }
  }

  func closed(_ session: any DaemonConnection) {
    let peer = PeerID(session.id)
    sessions[peer] = nil
    waiting[peer] = nil
    take(.disconnected(peer))
    makeRoom(for: peer)
  }

  /// Answers a request for the page.
  func page(_ exchange: Exchange) { exchange.respond(pages.response(to: exchange.request)) }

  private func send(_ frame: Frame, to peer: PeerID) {
    guard let session = sessions[peer] else { return }
    if waiting[peer] != nil {
      waiting[peer]?.append(frame)
      return
    }
    let message =
      switch frame {
      case .text(let bytes): WebSockets.Message.text(bytes)
      case .binary(let bytes): WebSockets.Message.binary(bytes)
      }
    // What does not fit waits here. It is bounded: no more questions are worked on then, and of a
    // recorder, whose every message may be answered, nothing more is read.
    guard session.send(message) == .full else { return }
    waiting[peer] = [frame]
    if hub.recorders[peer] != nil { session.pauseReading() }
  }
}

// What the store is asked.
extension Daemon {
  private func perform(_ work: StoreWork, _ ticket: Ticket) {
    switch work {
    case .durable(let timelines): findDurable(timelines, ticket)
    case .begin(let header):
      store.open(header) { [weak self] result in
        switch result {
        case .success(let opened): self?.findEnd(of: header.timeline, opened.durable, ticket)
        case .failure(let error): self?.enqueue(.stored(ticket, .failed(StoreProblem(error))))
        }
      }
    case .append(let batch):
      store.append(batch) { [weak self] result in
        let answer =
          switch result {
          case .success(let appended): StoreAnswer(appended)
          case .failure(let error): StoreAnswer.failed(StoreProblem(error))
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
            // What cannot be read is not "nothing": a recorder would send all of it again.
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

  /// Where a timeline stands whose last durable seq is known. Nobody else writes it meanwhile.
  private nonisolated func findEnd(of timeline: TimelineID, _ durable: Int64?, _ ticket: Ticket) {
    guard let durable else { return enqueue(.stored(ticket, .begun(EntrySequence()))) }
    Task { [weak self, store] in
      do {
        let entry = try await ReadLane.$current.withValue(.recorder) {
          try await store.read { reader in
            try reader.entry(of: reader.lineage(of: timeline), at: durable)
          }
        }
        guard let entry else {
          throw Refusal(.failed, "The last entry of \(timeline) cannot be read.")
        }
        self?.enqueue(.stored(ticket, .begun(EntrySequence(after: entry))))
      } catch {
        let problem = StoreProblem.refused(.failed, Refusal(of: error).reply.message)
        self?.enqueue(.stored(ticket, .failed(problem)))
      }
    }
  }
}

// What is asked for inspectors.
extension Daemon {
  private func look(_ ticket: Ticket, _ question: Question) {
    let lane = hub.lane(of: ticket)
    looks[ticket] = Task { [weak self, lookUps, hosts, live = hub.live] in
      let answer = await ReadLane.$current.withValue(lane) {
        if case .request(.host(let asked)) = question { return await hosts.answer(asked) }
        return await lookUps.answer(question, live: live) { [weak self] message in
          await self?.progress(ticket, message)
        }
      }
      await self?.answered(ticket, answer)
    }
  }

  private func answered(_ ticket: Ticket, _ answer: LookAnswer) {
    looks[ticket] = nil
    take(.answered(ticket, answer))
  }

  /// Hands a part of an answer on, and waits until there is room for the next.
  private func progress(_ ticket: Ticket, _ message: ToInspector) async {
    guard let peer = hub.peer(of: ticket) else { return }
    take(.progressed(ticket, message))
    guard let session = sessions[peer],
      waiting[peer] != nil || session.queuedBytes > Self.roomBytes
    else { return }
    await withCheckedContinuation { rooms[peer, default: []].append($0) }
  }

  /// Two parts of a file: one on its way, one ready to follow.
  private static let roomBytes = 1 << 20

  private func makeRoom(for peer: PeerID) {
    for continuation in rooms.removeValue(forKey: peer) ?? [] { continuation.resume() }
  }
}

extension StoreProblem {
  /// What it is to a recorder.
  init(_ error: StoreError) {
    switch error.reason {
    case .gone, .notFound: self = .gone
    case .conflict: self = .refused(.conflict, error.description)
    case .order: self = .refused(.wrongValue, error.description)
    case .held, .newer, .folder, .openFolder, .database, .refusing, .closed, .hasBranches, .noEntry,
      .damaged,
      .file, .packing, .packed, .path, .longPath:
      self = .refused(.failed, error.description)
    }
  }
}
