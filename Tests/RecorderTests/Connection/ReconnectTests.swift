import Synchronization
import TestSupport
import Testing
import Timelines
import Wire

@testable import Recorder

// Flushing around the loss of a connection.
extension DaemonSinkTests {
  @Test("waits for the first attempt to connect after the connection was lost, and for no other")
  func flushAfterLoss() throws {
    var core = DaemonSinkCore(Self.options())
    core.start()
    let transport = FakeTransport()
    var now = Duration.zero
    func attempt(_ events: [TransportEvent]) {
      var hasConnected = false
      for _ in 0..<20 {
        switch core.turn(now: now) {
        case .work(let work):
          for case .connect(let generation) in work {
            hasConnected = true
            let isAdopted = core.adopt(
              FakeConnection(transport) { _ in }, generation: generation)
            #expect(isAdopted)
            for event in events { core.enqueue(event, generation: generation) }
          }
        case .wait(let until): now = max(now, until ?? now)
        case .end: return
        }
        if case .waiting = core.machine.state, hasConnected { return }
      }
    }
    let welcome = ToRecorder.welcome(
      ToRecorder.Welcome { ($0.credit, $0.maxMessage) = (1 << 20, 1 << 20) })
    let lost = TransportEvent.closed(code: nil, reason: "killed")
    attempt([.opened(isSameUser: true), .text(Envelope(welcome).encoded()), lost])
    #expect(core.canDeliverSoon)
    attempt([lost])
    #expect(!core.canDeliverSoon)
    attempt([.opened(isSameUser: true), lost])
    #expect(!core.canDeliverSoon)
  }

  @Test("that lost its connection stores everything within the time that it is given")
  func flushWhileWaiting() throws {
    let transport = FakeTransport()
    // Longer than it takes from the loss to the flush.
    let sink = DaemonSink(
      transport,
      options: Self.options { ($0.retry.first, $0.retry.longest) = (.seconds(1), .seconds(1)) })
    var producer = try LineProducer()
    sink.open(producer.header)
    #expect(sink.flush(within: .seconds(120)))
    transport.state.withLock(\.live)?.onEvent(.closed(code: nil, reason: "killed"))
    #expect(eventually { !sink.status.isConnected })
    sink.append(producer.next(1)[...], to: producer.header.timeline)
    #expect(sink.flush(within: .seconds(120)))
    sink.end()
    try Self.check(transport, producer, "after a loss")
  }
}
