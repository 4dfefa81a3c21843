import DebugServer
import HostProcesses
import JSONCore
import Reruns
import Synchronization
import Testing
import TimelineStore
import Timelines
import Wire

/// A hub with a clock that is moved by hand, a store that is an array, and everything that is sent
/// kept by connection.
struct HubWorld {
  var hub: Hub
  var now: Int64 = 1_000
  var frames: [PeerID: [Frame]] = [:]
  var closes: [PeerID: (code: CloseCode, reason: String)] = [:]
  var isRead: [PeerID: Bool] = [:]
  /// How many bytes have left for each connection, as a socket counts them.
  var sent: [PeerID: Int] = [:]
  /// The changed limits of message lengths.
  var messageLimits: [PeerID: Int] = [:]
  var queries: [(ticket: Ticket, query: StoreQuery)] = []
  var canceled: [Ticket] = []
  var logged: [LogEvent] = []
  var audited: [AuditEntry] = []
  var saved: SessionTable?
  var wakes: [Int64] = []
  /// When the requested ticks come.
  var timers: [Int64] = []
  var branchWork: [BranchWork] = []
  /// The answers of recorders to requests to run a reducer.
  var reduced: [(number: Int64, answer: HostAnswer)] = []

  /// What the store holds.
  var stored: [TimelineID: [Entry]] = [:]
  var finished: [TimelineID: Gap?] = [:]
  var deleted: Set<TimelineID> = []
  /// Queued work of a slow store.
  var work: [(ticket: Ticket, work: StoreWork)] = []
  /// Whether the store answers at once.
  var isStoreQuick = true
  /// The seq from which on the store refuses entries.
  var refusesFrom: Int64?
  /// What is wrong with that entry's patch.
  var refusal = PatchError(.nothingThere, operation: 0, path: Pointer(tokens: ["n"]))
  /// Whether the disk is full: the store's work waits.
  var isDiskFull = false {
    didSet {
      guard isDiskFull != oldValue else { return }
      handle(.storeProblem(isDiskFull ? "The disk is full." : nil))
      if !isDiskFull, isStoreQuick { runStore() }
    }
  }

  private var nextPeer: UInt64 = 0
  private var nextToken = 0

  static let host = "127.0.0.1:7357"

  static let secret = RecorderSecret(bytes: Array(repeating: 7, count: 32))

  init(
    sessions: SessionTable = SessionTable(), wall: WallClock = WallClock(),
    isTemporary: Bool = false, _ change: (inout ServerLimits) -> Void = { _ in }
  ) {
    var settings = Hub.Settings(secret: Self.secret)
    settings.time = { wall.now }
    settings.isTemporary = isTemporary
    change(&settings.limits)
    hub = Hub(settings, sessions: sessions, now: now)
    hub.announce(page: "http://127.0.0.1:7357/")
  }

  mutating func connect(
    _ role: PeerRole, _ entrance: Entrance = .socket, host: String = Self.host
  ) -> PeerID {
    nextPeer += 1
    let peer = PeerID(nextPeer)
    handle(.connected(peer, role, entrance, host: host))
    return peer
  }

  /// An authenticated recorder.
  mutating func recorder(_ hello: String = #"{"type":"hello","version":"1.0"}"#) -> PeerID {
    let peer = connect(.recorder)
    send(hello, as: peer)
    return peer
  }

  /// An inspector over the Unix socket.
  mutating func inspector(_ client: String = "test") -> PeerID {
    let peer = connect(.inspector)
    send(#"{"type":"hello","version":"1.0","client":"\#(client)"}"#, as: peer)
    return peer
  }

  mutating func send(_ text: String, as peer: PeerID) {
    handle(.text(peer, Array(text.utf8)))
  }

  mutating func handle(_ input: HubInput) {
    for action in hub.handle(input, now: now) { perform(action) }
  }

  /// Lets time pass.
  mutating func wait(_ milliseconds: Int64) {
    now += milliseconds
    handle(.tick(sent: sent))
  }

  /// Reports that everything sent to a connection has left.
  mutating func drain(_ peer: PeerID) { handle(.drained(peer)) }

  /// Removes and returns what was sent to a connection, as JSON.
  mutating func receive(as peer: PeerID) -> [JSON] {
    defer { frames[peer] = [] }
    return (frames[peer] ?? []).compactMap { frame in
      guard case .text(let bytes) = frame else { return nil }
      return try? JSON(parsing: String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Removes what was sent to a connection, and returns the types.
  mutating func types(_ peer: PeerID) -> [String] {
    receive(as: peer).map { $0["type"]?.string ?? "?" }
  }

  private mutating func perform(_ action: HubAction) {
    switch action {
    case .send(let peer, let frame): frames[peer, default: []].append(frame)
    case .close(let peer, let code, let reason):
      closes[peer] = closes[peer] ?? (code, reason)
    case .limitMessages(let peer, let bytes): messageLimits[peer] = bytes
    case .read(let peer, let reads): isRead[peer] = reads
    case .store(let ticket, let work):
      self.work.append((ticket, work))
      if isStoreQuick { runStore() }
    case .query(let ticket, let query): queries.append((ticket, query))
    case .cancel(let ticket):
      canceled.append(ticket)
      queries.removeAll { $0.ticket == ticket }
    case .branch(let work): branchWork.append(work)
    case .wake(let milliseconds, let time):
      wakes.append(milliseconds)
      timers.append(time)
    case .save(let table): saved = table
    case .reduced(let number, let answer): reduced.append((number, answer))
    case .log(let event): logged.append(event)
    case .audit(let entry): audited.append(entry)
    }
  }

  /// Has the store do the oldest work that waits; `false` when there is none.
  @discardableResult
  mutating func storeStep() -> Bool {
    let next = work.firstIndex { if case .durable = $0.work { true } else { !isDiskFull } }
    guard let next else { return false }
    let (ticket, work) = work.remove(at: next)
    handle(.stored(ticket, answer(work)))
    return true
  }

  mutating func runStore() {
    while storeStep() {}
  }

  /// Makes the store report the ends of timelines, while all other work waits.
  mutating func greet() {
    let greetings = work.filter { if case .durable = $0.work { true } else { false } }
    work.removeAll { if case .durable = $0.work { true } else { false } }
    for (ticket, work) in greetings { handle(.stored(ticket, answer(work))) }
  }

  private mutating func answer(_ work: StoreWork) -> StoreAnswer {
    if case .durable(let timelines) = work {
      var durable = DurableSeqs()
      durable.seqs = timelines.map { ($0, stored[$0]?.last?.seq) }
      return .durable(durable)
    }
    switch work {
    case .durable: return .finished
    case .begin(let header):
      if deleted.contains(header.timeline) { return .failed(.gone) }
      let entries = stored[header.timeline, default: []]
      stored[header.timeline] = entries
      return .begun(entries.last.map { EntrySequence(after: $0) } ?? EntrySequence())
    case .append(let batch):
      let timeline = batch.timeline
      if deleted.contains(timeline) { return .failed(.gone) }
      let entries = batch.entries.filter { $0.seq < refusesFrom ?? .max }
      stored[timeline, default: []] += entries
      let durable = stored[timeline]?.last?.seq ?? -1
      guard entries.count < batch.entries.count else { return .appended(durable) }
      return .cut(durable, TimelineError(.patch(refusal), at: durable + 1))
    case .finish(let timeline, let gap):
      finished[timeline] = gap
      return .finished
    }
  }

  /// Answers the oldest query, and returns it.
  @discardableResult
  mutating func answerQuery(_ answer: QueryResult) -> StoreQuery? {
    guard !queries.isEmpty else { return nil }
    let (ticket, query) = queries.removeFirst()
    handle(.answered(ticket, answer))
    return query
  }
}

/// Text of messages about one timeline.
enum Say {
  static let timeline = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a"
  static let id = TimelineID(timeline) ?? .random()

  static func open(_ timeline: String = timeline) -> String {
    #"{"type":"open","header":{"timeline":"\#(timeline)","app":{"name":"Commute"},"#
      + #""machine":{"type":"A.B","name":"b"},"started":"2026-05-01T08:00:00Z","format":1}}"#
  }

  static func append(_ entries: [String], to timeline: String = timeline) -> String {
    #"{"type":"append","timeline":"\#(timeline)","entries":[\#(entries.joined(separator: ","))]}"#
  }

  /// Entry 0 is a keyframe, the others are patches.
  static func entry(_ seq: Int64) -> String {
    seq == 0
      ? #"{"seq":0,"t":0,"state":{"n":0}}"#
      : #"{"seq":\#(seq),"t":\#(seq),"event":{"add":{}},"#
        + #""patch":[{"op":"replace","path":"/n","value":\#(seq)}]}"#
  }

  static func entries(_ seqs: ClosedRange<Int64>) -> [String] { seqs.map(entry) }
}

/// A wall clock that a test moves by hand.
final class WallClock: Sendable {
  private let microseconds = Mutex<Int64>(0)

  var now: Timestamp { microseconds.withLock { Timestamp(microseconds: $0) } }

  func advance(seconds: Int64) { microseconds.withLock { $0 += seconds * 1_000_000 } }
}
