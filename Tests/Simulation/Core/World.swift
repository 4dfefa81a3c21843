import DebugServer
import FaultyDisk
import JSONCore
import TimelineStore
import Timelines
import WebSockets
import Wire

/// Everything in one run: processes, connections, and their observed behavior.
///
/// Safe: the simulation has one thread.
final class World: @unchecked Sendable {
  static let secret = Array("0123456789abcdef0123456789abcdef".utf8)
  /// The wall clock when a simulation begins, in microseconds since 1970.
  static let wallClock: Int64 = 1_800_000_000_000_000

  let seed: UInt64
  let plan: Plan
  let name: String
  let scheduler = Scheduler()
  let journal: Journal
  let book = Book()
  private(set) var violation: Violation?
  private(set) lazy var daemon = DaemonProcess(self)
  private(set) lazy var recorders = plan.recorders.map { RecorderProcess(self, $0) }
  private(set) lazy var inspectors = plan.inspectors.map { InspectorProcess(self, $0) }
  private(set) var links: [Link] = []
  private var network: Chance
  private let ids: Chances
  /// Whether the daemon's process is frozen.
  private var isDaemonFrozen = false
  /// Whether the activity is over, so that nothing but pings may be sent.
  var isIdle = false
  /// The messages that were sent meanwhile.
  private(set) var idleMessages: [String] = []
  private var requests: [String: Int] = [:]
  private var secondWriters: [SecondWriter] = []
  var branches: [TimelineID] = []

  init(seed: UInt64, plan: Plan, name: String, prints: Bool) {
    self.seed = seed
    self.plan = plan
    self.name = name
    journal = Journal(scheduler, prints: prints)
    network = Chance(seed: seed, "network")
    ids = Chances(Chance(seed: seed, "timelines"))
  }

  func newTimeline() -> TimelineID { ids.with { TimelineID.random(using: &$0) } }

  /// Notes that a rule was broken; the first one counts.
  func fail(_ rule: String, _ sentence: String) {
    guard violation == nil else { return }
    journal.record("check", "BROKEN \(rule): \(sentence)")
    violation = Violation(rule: rule, sentence: sentence)
  }

  /// A host was asked to run something.
  func countRequest(_ host: String, _ reduce: ToRecorder.Reduce) {
    let key = "\(host) \(reduce.seq) \(reduce.steps.count) \(reduce.steps.first?.was ?? -1)"
    requests[key, default: 0] += 1
    if requests[key, default: 0] > Self.maximumRepeats {
      fail("request-repeats", "\(host) was asked \(Self.maximumRepeats) times for the same: \(key)")
    }
  }

  /// Three attempts for each fork of the same entries, and the same again after each restart.
  private static let maximumRepeats = 40

  func recordIdleMessage(_ text: @autoclosure () -> String) {
    if isIdle, idleMessages.count < 10 { idleMessages.append(text()) }
  }

  /// Whether an app that runs could make a branch of a timeline: files are those of other apps, and
  /// one that has closed its machine leaves.
  func hasHost(of timeline: String) -> Bool {
    guard let book = TimelineID(timeline).flatMap({ book[$0] }) else { return false }
    guard recorders.contains(where: { $0.name == book.owner }) else { return false }
    return recorders.contains(where: \.isHost)
  }

  func connectionEnded(_ name: String, _ end: SessionEnd) {
    journal.record("daemon", "\(name) is closed: \(end.code.rawValue) \(end.reason)")
    // Retention spares only what is being written when it decides.
    if daemon.run?.isPruning == true {
      for timeline in book.all where timeline.owner == name { timeline.mayBeGone = true }
    }
    let hasLeft = recorders.contains { $0.name == name && $0.run?.machine.isClosed == true }
    guard plan.isQuiet, !isEnding, !hasLeft else { return }
    fail(
      "connection-ends",
      "Nothing went wrong, and the connection of \(name) ended: \(end.code.rawValue) \(end.reason)")
  }

  private var killsAtAck: (count: Int, down: Int64)?
  /// After how many acknowledgments to kill the daemon.
  var isKillDue: Bool { killsAtAck != nil }

  /// Whether the run comes to its end, so that connections may close.
  var isEnding = false

  // MARK: Network

  /// Connects to the daemon; `opened` is called once the connection is established.
  func connect(
    _ name: String, _ role: PeerRole, _ entrance: Entrance, _ options: SessionOptions,
    isHonest: Bool = true, opened: @escaping () -> Void
  ) -> SocketEnd {
    let tap = Wiretap(self, name, role, isRemote: entrance == .port, isHonest: isHonest)
    let client = SocketEnd(name, options, scheduler, countsBytes: entrance == .port) { [self] in
      journal.record(name, "→ \($0.description)")
      tap.fromClient($0)
    }
    let serverOptions = SessionOptions(of: role, plan.limits)
    let server = SocketEnd(name, serverOptions, scheduler, countsBytes: entrance == .port) {
      [self] in
      journal.record("daemon", "→ \(name) \($0.description)")
      tap.fromDaemon($0)
    }
    let up = Wire(
      scheduler, Chance(seed: network.next(), "up"),
      deliver: { [weak server] in server?.receive($0) },
      hasRoom: { [weak client] in client?.hasRoom() })
    let down = Wire(
      scheduler, Chance(seed: network.next(), "down"),
      deliver: { [weak client] in
        tap.delivered($0)
        client?.receive($0)
      }, hasRoom: { [weak server] in server?.hasRoom() })
    (client.out, client.incoming) = (up, down)
    (server.out, server.incoming) = (down, up)
    links.removeAll { $0.client.isOver && $0.server.isOver }
    links.append(
      Link(
        name: name, isRemote: entrance == .port, client: client, server: server, up: up, down: down,
        tap: tap))
    scheduler.after(Int64(network.pick(100...2_000))) { [self] in
      guard !client.isOver else { return }
      guard let run = daemon.run, run.isReady else {
        return client.receive(.end)
      }
      client.begin()
      run.accept(server, role, entrance)
      if isDaemonFrozen { server.freeze() }
      opened()
    }
    return client
  }

  // MARK: Faults

  /// The daemon acknowledges something.
  func didAcknowledge() {
    guard let (count, down) = killsAtAck else { return }
    guard count <= 1 else { return killsAtAck = (count - 1, down) }
    killsAtAck = nil
    scheduler.soon { [self] in
      daemon.kill()
      scheduler.after(down) { [self] in daemon.start() }
    }
  }

  /// No fault begins from now on, not even one that waits for an acknowledgement.
  func endFaults() {
    journal.record("world", "nothing goes wrong any more")
    killsAtAck = nil
  }

  func crash(_ recorder: String) {
    guard let process = recorders.first(where: { $0.name == recorder }) else { return }
    process.crash()
    scheduler.after(1_000_000) { process.start() }
  }

  func carryOut(_ fault: Plan.Fault) {
    switch fault.kind {
    case .killDaemon(let down):
      daemon.kill()
      scheduler.after(down) { [self] in daemon.start() }
    case .killDaemonAtAck(let count, let down): killsAtAck = (count, down)
    case .stopDaemon(let down):
      daemon.stop()
      scheduler.after(down) { [self] in daemon.start() }
    case .freezeDaemon(let time): freezeDaemon(time)
    case .diskHangs(let time):
      journal.record("disk", "hangs for \(time) µs")
      daemon.hangsUntil = scheduler.now + time
    case .diskFails(let kind, let operations, let time):
      journal.record("disk", "is \(kind.rawValue) after \(operations) operations, for \(time) µs")
      daemon.breakDisk(kind, after: operations)
      scheduler.after(time) { [self] in
        journal.record("disk", "is repaired")
        daemon.repairDisk()
      }
    case .losePower(let down):
      daemon.losePower()
      let local = recorders.filter { !$0.plan.isRemote }
      for recorder in local { recorder.crash() }
      scheduler.after(down) { [self] in
        daemon.start()
        for recorder in local { recorder.start() }
      }
    case .cutWhileWritesHang(let index, let time):
      journal.record("disk", "writes nothing for \(time) µs")
      daemon.writesHangUntil = scheduler.now + time
      let name = recorders[index % recorders.count].name
      scheduler.after(time / 2) { [self] in
        links.first { $0.name == name && !$0.client.isOver }?.cut(journal)
      }
    case .crashRecorder(let index, let down):
      recorders[index % recorders.count].crash()
      scheduler.after(down) { [self] in recorders[index % recorders.count].start() }
    case .freezeRecorder(let index, let time):
      recorders[index % recorders.count].freeze()
      scheduler.after(time) { [self] in recorders[index % recorders.count].thaw() }
    case .cut(let index): with(index) { $0.cut(journal) }
    case .stall(let index, let time):
      with(index) { link in
        journal.record("network", "\(link.name) is stalled for \(time) µs")
        link.down.stall()
        if time % 2 == 0 { link.up.stall() }
        scheduler.after(time) {
          link.down.resume()
          link.up.resume()
        }
      }
    case .loseConnection(let index): with(index) { if $0.isRemote { $0.lose(journal) } }
    case .prune: prune()
    case .secondWriter(let index):
      if let machine = recorders[index % recorders.count].connectedMachine {
        secondWriters.append(SecondWriter(self, of: machine))
      }
    }
  }

  private func prune() {
    journal.record("daemon", "keeps within limits")
    // A few bytes less than are used: there is little to delete, so that a beginning has to be cut.
    let excess = network.once(in: 2) ? nil : Int64(network.pick(1...600))
    guard let live = daemon.run?.prune(excess) else { return }
    for timeline in book.all {
      timeline.mayBeShortened = true
      if !live.contains(timeline.id) { timeline.mayBeGone = true }
    }
  }

  private func with(_ index: Int, _ body: (Link) -> Void) {
    let open = links.filter { !$0.client.isOver }
    if !open.isEmpty { body(open[index % open.count]) }
  }

  private func freezeDaemon(_ time: Int64) {
    journal.record("daemon", "stands still for \(time) µs")
    isDaemonFrozen = true
    daemon.hangsUntil = scheduler.now + time
    daemon.run?.isFrozen(true)
    scheduler.after(time) { [self] in
      isDaemonFrozen = false
      daemon.run?.isFrozen(false)
    }
  }
}

/// A connection as the network knows it.
struct Link {
  let name: String
  /// Whether it is TCP: the ends of a Unix socket always learn that the other one is gone.
  let isRemote: Bool
  let client: SocketEnd
  let server: SocketEnd
  let up: Wire
  let down: Wire
  let tap: Wiretap

  /// Both ends learn that it is closed.
  func cut(_ journal: Journal) {
    journal.record("network", "\(name) is cut")
    up.lose()
    down.lose()
    client.receive(.end)
    server.receive(.end)
  }

  /// Neither end learns that nothing gets through.
  func lose(_ journal: Journal) {
    journal.record("network", "\(name) is half open")
    up.lose()
    down.lose()
  }
}
