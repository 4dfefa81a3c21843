import Replaying
import Synchronization
import TestSupport
import Testing
import Timelines
import Wire

@testable import Recorder

@Suite("Failover between daemons")
struct FailoverTests {
  /// One of several ways to a daemon; a closed one is that of a process that has ended.
  private final class Entrance: Transport {
    let daemon: FakeTransport
    private let state: Mutex<(isOpen: Bool, attempts: Int)>

    init(_ daemon: FakeTransport, isOpen: Bool) {
      self.daemon = daemon
      state = Mutex((isOpen, 0))
    }

    var attempts: Int { state.withLock { $0.attempts } }

    func connect(
      _ onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportConnection {
      let isOpen = state.withLock { state in
        state.attempts += 1
        return state.isOpen
      }
      if isOpen { return daemon.connect(onEvent) }
      onEvent(.closed(code: nil, reason: "nothing listens"))
      return FakeConnection(daemon) { _ in }
    }

    func open() { state.withLock { $0.isOpen = true } }

    /// Ends it like a killed process.
    func kill() {
      state.withLock { $0.isOpen = false }
      daemon.state.withLock(\.live)?.onEvent(.closed(code: nil, reason: "killed"))
    }
  }

  private static func addresses(_ texts: String...) -> [DaemonAddress] {
    texts.compactMap(DaemonAddress.init)
  }

  @Test("continues a timeline on the other daemon of the same store, with nothing twice")
  func sharedStore() throws {
    let store = FakeTransport()
    let entrances = [Entrance(store, isOpen: true), Entrance(store, isOpen: false)]
    let log = Mutex<[String]>([])
    let sink = DaemonSink(
      entrances,
      options: DaemonSinkTests.options {
        $0.trusts = [.socket, .socket]
        $0.requestedAddresses = Self.addresses("unix:/one", "unix:/two")
        $0.log = { line in log.withLock { $0.append(line) } }
      })
    var producer = try LineProducer()
    let id = producer.header.timeline
    sink.open(producer.header)
    for round in 0..<6 {
      sink.append(producer.next(20)[...], to: id)
      #expect(sink.flushAcrossReconnects(within: .seconds(120)))
      let (from, to) = (entrances[round % 2], entrances[(round + 1) % 2])
      to.open()
      from.kill()
      sink.append(producer.next(20)[...], to: id)
      producer.obey(sink.drainRequests())
    }
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    sink.end()
    try DaemonSinkTests.check(store, producer, "six failovers")
    let kept = store.state.withLock { ($0.daemon.kept[id]?.timeline, $0.daemon.duplicates) }
    #expect(kept.0?.entries.map(\.seq) == Array(0...producer.last) && kept.1 == 0)
    let moves = log.withLock { $0.filter { $0.hasPrefix("The recording continues") } }
    let (one, two) = (
      "The recording continues with the daemon at unix:/one.",
      "The recording continues with the daemon at unix:/two."
    )
    #expect(moves == [two, one, two, one, two, one])
  }

  @Test("reports what an asynchronous standby lost as a gap with its reason")
  func lostAcknowledged() throws {
    let daemons = [FakeTransport(), FakeTransport()]
    let entrances = [Entrance(daemons[0], isOpen: true), Entrance(daemons[1], isOpen: true)]
    let sink = DaemonSink(
      entrances, options: DaemonSinkTests.options { $0.trusts = [.socket, .socket] })
    var producer = try LineProducer()
    let id = producer.header.timeline
    sink.open(producer.header)
    sink.append(producer.next(20)[...], to: id)
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    // The promoted standby has the first twelve of them.
    let kept = try #require(daemons[0].state.withLock { $0.daemon.kept[id] })
    var shorter = Timeline(kept.timeline.header)
    for entry in kept.timeline.entries.prefix(12) { try shorter.append(entry) }
    daemons[1].state.withLock {
      $0.daemon.kept[id] = StrictDaemon.Kept(timeline: shorter, durable: 11)
    }
    entrances[0].kill()
    #expect(eventually { sink.status.isConnected && entrances[1].attempts > 0 })
    #expect(
      eventually { sink.core.withLock { $0.outbox.timelines.contains(where: \.needsKeyframe) } })
    producer.obey(sink.drainRequests())
    sink.append(producer.next(5)[...], to: id)
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    sink.end()
    let timeline = try #require(daemons[1].state.withLock { $0.daemon.kept[id] }).timeline
    #expect(timeline.entries.map(\.seq) == Array(0...11) + Array(20...24))
    #expect(timeline.lost.map(\.seqs) == [12...19])
    let gap = timeline.entries.first { $0.seq == 20 }?.gap
    #expect(gap?.lost == 8 && gap?.why == "the daemon no longer has what it acknowledged")
  }

  @Test("waits for no daemon when each was tried in vain, and names all of them")
  func noneUsable() throws {
    let daemon = FakeTransport()
    let entrances = [Entrance(daemon, isOpen: false), Entrance(daemon, isOpen: false)]
    let log = Mutex<[String]>([])
    let sink = DaemonSink(
      entrances,
      options: DaemonSinkTests.options {
        $0.trusts = [.socket, .socket]
        $0.requestedAddresses = Self.addresses("unix:/one", "unix:/two")
        $0.log = { line in log.withLock { $0.append(line) } }
      })
    var producer = try LineProducer()
    sink.open(producer.header)
    sink.append(producer.next(1)[...], to: producer.header.timeline)
    #expect(!sink.flush(within: .seconds(120)))
    #expect(entrances.allSatisfy { $0.attempts > 0 })
    #expect(eventually { log.withLock { !$0.isEmpty } })
    let advice = "cannot be used: nothing listens. To fix, start it: debugd serve --socket"
    #expect(
      log.withLock(\.self) == [
        "The daemon at unix:/one \(advice) /one The daemon at unix:/two \(advice) /two"
      ])
    sink.end()
  }
}

extension ConnectionMachineTests {
  @Test("connects to the same daemon again because of an answer, and to the next one after a loss")
  func nextDaemon() throws {
    var rig = Rig(.socket, .socket)
    try rig.welcome()
    try rig.handle(.reconnect("a timeline was refused"))
    #expect(rig.machine.daemon == 0)
    rig.now = try #require(rig.machine.deadline)
    try rig.handle(.tick)
    try rig.handle(.opened)
    try rig.receive(
      #"{"type":"welcome","version":"1.0","credit":10,"maxMessage":65536,"durable":{}}"#)
    try rig.handle(.closed(code: nil, reason: "killed"))
    #expect(rig.machine.daemon == 1 && rig.lost == 2)
  }

  @Test("tries the next daemon soon after one that refused, with its own way to authenticate")
  func nextAfterRefusal() throws {
    var rig = Rig(.socket, .secret([1, 2, 3]))
    try rig.handle(.start)
    try rig.handle(.closed(code: CloseCode.unauthorised.rawValue, reason: "not you"))
    #expect(rig.notes == ["not you"] && rig.machine.daemon == 1)
    rig.now = try #require(rig.machine.deadline)
    #expect(rig.now < .seconds(1))
    try rig.handle(.tick)
    try rig.handle(.opened)
    guard case .hello(let hello) = rig.sent.first else { return #expect(Bool(false), "no hello") }
    #expect(hello.nonce != nil && hello.run == nil)
  }
}
