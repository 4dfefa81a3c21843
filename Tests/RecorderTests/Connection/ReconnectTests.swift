import Replaying
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
          for case .connect(let generation, _) in work {
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

  @Test(
    "that lost its connection stores everything within the time that it is given",
    arguments: [false, true])
  func flushWhileWaiting(closes: Bool) throws {
    let transport = FakeTransport()
    let clock = FlushClock()
    let sink = DaemonSink(
      [transport],
      options: Self.options {
        ($0.retry.first, $0.retry.longest) = (FlushClock.pause, FlushClock.pause)
      },
      clock: { clock.read() })
    var producer = try LineProducer()
    sink.open(producer.header)
    // Without an entry, there is nothing to wait for, and so no connection to lose.
    sink.append(producer.next(1)[...], to: producer.header.timeline)
    #expect(sink.flush(within: .seconds(120)))
    transport.state.withLock(\.live)?.onEvent(.closed(code: nil, reason: "killed"))
    #expect(
      eventually { sink.core.withLock { $0.machine.state.isWaiting } },
      "\(sink.core.withLock { "\($0.machine.state)" })")
    sink.append(producer.next(1)[...], to: producer.header.timeline)
    clock.passesPause()
    if closes {
      sink.end(within: FlushClock.pause * 10)
    } else {
      #expect(sink.flush(within: FlushClock.pause * 10))
      sink.end()
    }
    try Self.check(transport, producer, "after a loss")
  }
}

extension DaemonSinkTests {
  @Test("that finishes by itself soon goes on as long as a caller waits for it")
  func postponedFinish() throws {
    var core = DaemonSinkCore(Self.options())
    core.start()
    var producer = try LineProducer()
    core.outbox.open(producer.header)
    _ = core.outbox.append(producer.next(1)[...], to: producer.header.timeline, now: .zero)
    core.finish(by: .seconds(5))
    core.postponeFinish(until: .seconds(60))
    // A shorter wait of another caller does not take the time of the first one away.
    core.postponeFinish(until: .seconds(30))
    #expect(!Self.hasEnded(&core, at: .seconds(59)))
    #expect(Self.hasEnded(&core, at: .seconds(60)))
  }

  @Test("that does not finish by itself has no end because a caller waits for it")
  func waitWithoutFinish() {
    var core = DaemonSinkCore(Self.options())
    core.start()
    core.postponeFinish(until: .seconds(1))
    #expect(!Self.hasEnded(&core, at: .seconds(100)))
  }

  /// Does all work that is due, without reaching a daemon.
  private static func hasEnded(_ core: inout DaemonSinkCore, at now: Duration) -> Bool {
    while true {
      switch core.turn(now: now) {
      case .work(let work):
        for case .connect(let generation, _) in work {
          core.enqueue(.closed(code: nil, reason: "nothing listens"), generation: generation)
        }
      case .wait: return false
      case .end: return true
      }
    }
  }
}

/// A clock that stops, so that nothing reconnects, until ``passesPause()``: from then on, it passes
/// the pause between two attempts to connect while it is read, after the caller had to wait for it.
private final class FlushClock: Sendable {
  static let pause = Duration.seconds(3_600)

  private let state = Mutex((now: Duration.zero, reads: 0, isStopped: true))

  func read() -> Duration {
    state.withLock { state in
      guard !state.isStopped else { return state.now }
      state.reads += 1
      if state.reads == 8 { state.now += Self.pause * 3 }
      return state.now
    }
  }

  func passesPause() { state.withLock { $0.isStopped = false } }
}

extension ConnectionMachine.State {
  fileprivate var isWaiting: Bool {
    if case .waiting = self { true } else { false }
  }
}
