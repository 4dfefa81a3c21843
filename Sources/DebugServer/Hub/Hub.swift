internal import Reruns
internal import TimelineStore
package import Timelines
package import Wire

/// The daemon without sockets, disk, and clock: its peers, the timelines they write, and what they
/// follow.
///
/// It is a value. Each input returns the actions to perform:
///
/// ```swift
/// for action in hub.handle(.text(peer, frame), now: clock.milliseconds) { perform(action) }
/// ```
/// Its parts are in one file each: recorders, storing, inspectors, news, control.
package struct Hub: Sendable {
  /// What it needs to know from outside.
  package struct Settings: Sendable {
    package var limits = ServerLimits()
    /// The secret of recorders over TCP.
    package var secret: RecorderSecret
    /// Makes names that cannot be guessed.
    package var token: @Sendable () -> String = { Token.random() }
    /// The wall clock, for the list of sessions.
    package var time: @Sendable () -> Timestamp = { .now }
    /// What inspectors are notified of when the first branch is made; `nil` for nothing.
    package var branchNotice: String?
    /// Whether the daemon ends with the command that shows files.
    package var isTemporary = false
    package init(secret: RecorderSecret) {
      self.secret = secret
    }
  }

  var settings: Settings
  let started: Int64
  /// Identifies this run of the daemon: keys that browsers store are valid for one run only.
  let boot: String
  var now: Int64
  var actions: [HubAction] = []
  var lastTicket: UInt64 = 0
  var lastCommand: Int64 = 0
  var wakeAt: Int64?

  var recorders: [PeerID: RecorderSession] = [:]
  var inspectors: [PeerID: InspectorSession] = [:]
  var intakes: [TimelineID: Intake] = [:]
  /// The timelines that connected recorders parked, and those recorders.
  var parked: [TimelineID: PeerID] = [:]
  var works: [Ticket: Work] = [:]
  var controls: [TimelineID: Control] = [:]
  /// How many events of an app wait for a held machine, as last reported.
  var queuedEvents: [TimelineID: Int64] = [:]
  var relays: [Int64: Relay] = [:]
  var followers: [TimelineID: BranchFollower] = [:]
  var reduces: [Int64: ReduceRelay] = [:]

  /// The page's address, for `invite`; `nil` if no port is open.
  var page: String?
  var sessions: SessionTable
  var codes = OneTimeCodes()
  var hosts = HostPool()
  var dropped: Int64 = 0
  var storedEntries: Int64 = 0
  var storedBytes: Int64 = 0
  var problem: String?
  var allowances = LogAllowances()
  var waitingBytes = 0
  var refused = RefusedConnections()
  /// The bytes of frames that wait for inspectors.
  var queuedOfInspectors = 0
  var readsRecorders = true
  /// The running queries of `follow`.
  var follows = SharedFollows()

  /// The timelines whose machines run in a connected recorder.
  package var live: Set<TimelineID> {
    Set(intakes.lazy.filter { $0.value.writer != nil }.map(\.key)).union(parked.keys)
  }

  /// The connection that writes a timeline, or parked it.
  func writer(of timeline: TimelineID) -> PeerID? { intakes[timeline]?.writer ?? parked[timeline] }

  /// Sets the page's address, once it is known.
  package mutating func announce(page: String?) { self.page = page }

  /// The connection that waits for an answer.
  package func peer(of ticket: Ticket) -> PeerID? {
    switch works[ticket] {
    case .request(let peer, _, _), .summaries(let peer), .restore(let peer, _, _),
      .greeting(let peer):
      peer
    case .follow: follows.peer(of: ticket)
    case .begin, .append, .finish, nil: nil
    }
  }

  package init(_ settings: Settings, sessions: SessionTable = SessionTable(), now: Int64) {
    self.settings = settings
    self.sessions = sessions
    self.now = now
    started = now
    boot = settings.token()
  }

  /// The purpose of a ticket.
  enum Work: Sendable {
    /// Finding how far the timelines of a recorder's `hello` are durable.
    case greeting(PeerID)
    /// Beginning a timeline, with the bytes of its header.
    case begin(TimelineID, bytes: Int)
    case append(TimelineID)
    case finish(TimelineID)
    /// A query for an inspector's request.
    case request(PeerID, RequestID, FromInspector)
    /// A query for the newest entries, for all inspectors that need the same.
    case follow
    /// A query for summaries, for an inspector.
    case summaries(PeerID)
    /// A query for the state of a `restore`.
    case restore(PeerID, RequestID, FromInspector.Restore)
  }

  /// Handles an input, and returns the actions to perform.
  ///
  /// - Parameter now: milliseconds of a monotonic clock.
  package mutating func handle(_ input: HubInput, now: Int64) -> [HubAction] {
    self.now = now
    switch input {
    case .connected(let peer, let role, let entrance, let host):
      connect(peer, role, entrance, host: host)
    case .text(let peer, let frame): receive(frame, from: peer)
    case .drained(let peer): drained(peer)
    case .disconnected(let peer): disconnect(peer)
    case .stored(let ticket, let answer): stored(ticket, answer)
    case .progressed(let ticket, let message): progressed(ticket, message)
    case .answered(let ticket, let answer): answered(ticket, answer)
    case .branch(let news): branch(news)
    case .limited(let pruned):
      for timeline in pruned.deleted { deleted(timeline) }
      for timeline in pruned.shortened { changed(timeline) }
    case .broken(let timeline, let notice):
      changed(timeline)
      notifyInspectors(notice)
    case .storeProblem(let problem): storeState(problem)
    case .reduce(let number, let peer, let request): reduce(number, request, on: peer)
    case .cancelReduce(let number): cancelReduce(number)
    case .hosts(let summaries):
      hosts.executables = summaries
      hostsChanged()
    case .secret(let secret): settings.secret = secret
    case .tick(let sent, let time):
      // If each tick that was replaced requested another one, their number would only grow.
      if time == nil || time == wakeAt { tick(sent) }
    }
    defer { actions = [] }
    return actions
  }

  private mutating func connect(
    _ peer: PeerID, _ role: PeerRole, _ entrance: Entrance, host: String
  ) {
    let limits = settings.limits
    guard makeRoom(for: entrance) else { return refuseConnection(peer) }
    switch role {
    case .recorder:
      recorders[peer] = RecorderSession(
        entrance: entrance, limits: limits, secret: settings.secret, now: now)
      if !readsRecorders { actions.append(.read(peer, false)) }
    case .inspector:
      inspectors[peer] = InspectorSession(
        entrance: entrance, host: host, limits: limits, now: now)
    }
    wake(in: Int64(limits.wire.authenticationSeconds) * 1_000)
  }

  private mutating func receive(_ frame: [UInt8], from peer: PeerID) {
    if let outputs = recorders[peer]?.received(frame, nonce: settings.token()) {
      perform(outputs, of: peer)
    } else if let outputs = inspectors[peer]?.received(frame) {
      perform(outputs, of: peer)
    }
  }

  private mutating func disconnect(_ peer: PeerID) {
    if recorders[peer] != nil {
      recorderLeft(peer)
    } else if inspectors[peer] != nil {
      inspectorLeft(peer)
    }
  }

  private mutating func tick(_ sent: [PeerID: Int]) {
    wakeAt = nil
    for peer in recorders.keys.sorted() {
      if let patience = recorders[peer]?.patience, patience > now { wake(in: patience - now) }
      if let outputs = recorders[peer]?.tick(now: now) { perform(outputs, of: peer) }
    }
    for peer in inspectors.keys.sorted() {
      if let patience = inspectors[peer]?.patience, patience > now { wake(in: patience - now) }
      if let outputs = inspectors[peer]?.tick(now: now) { perform(outputs, of: peer) }
      closeIfStuck(peer, sent: sent[peer] ?? 0)
      abandonIdleUploads(of: peer)
      sendNews(to: peer)
    }
    expireRelays()
    expireReduces()
  }
}

extension Hub {
  /// A ticket for work that the hub requests.
  mutating func ticket(for work: Work) -> Ticket {
    lastTicket += 1
    let ticket = Ticket(number: lastTicket)
    works[ticket] = work
    return ticket
  }

  /// Requests a tick in some milliseconds, unless one comes earlier. One that is overdue still comes.
  mutating func wake(in milliseconds: Int64) {
    let time = now + max(milliseconds, 1)
    if let wakeAt, wakeAt <= time { return }
    wakeAt = time
    actions.append(.wake(time - now, at: time))
  }

  /// Ends a connection: its session ignores frames that still arrive.
  mutating func close(_ peer: PeerID, _ code: CloseCode, _ reason: String) {
    if let outputs = recorders[peer]?.close(code, reason) {
      perform(outputs, of: peer)
    } else if let outputs = inspectors[peer]?.close(code, reason) {
      perform(outputs, of: peer)
    } else {
      end(peer, code, reason)
    }
  }

  /// Has the connection closed, and counts it.
  mutating func end(_ peer: PeerID, _ code: CloseCode, _ reason: String) {
    refused.count(code)
    actions.append(.close(peer, code, reason))
  }

  mutating func log(
    _ level: LogLevel, _ name: String, _ message: String,
    _ fields: KeyValuePairs<String, any CustomStringConvertible & Sendable> = [:]
  ) {
    actions.append(.log(LogEvent(level, name, message, fields)))
  }

  /// Sends a notice to every recorder, and to every inspector that may look.
  mutating func notify(_ notice: NoticeMessage) {
    for peer in recorders.keys.sorted() where recorders[peer]?.isReady == true {
      send(.notice(notice), toRecorder: peer)
    }
    notifyInspectors(notice)
  }

  /// Sends a notice to every inspector that may look.
  private mutating func notifyInspectors(_ notice: NoticeMessage) {
    for peer in inspectors.keys.sorted()
    where inspectors[peer]?.admission?.capabilities.contains(.look) == true {
      inspectors[peer]?.news.add(notice)
      sendNews(to: peer)
    }
  }
}
