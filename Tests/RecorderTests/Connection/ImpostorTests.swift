import Synchronization
import TestSupport
import Testing
import Timelines
import WebSockets

@testable import Recorder

/// What a program may send that listens at the daemon's address, and has proved nothing.
@Suite("A program at the daemon's address", .timeLimit(.minutes(10)))
struct ImpostorTests {
  /// Sends one message as soon as it is connected.
  private final class Impostor: ServerHandler, SessionHandler, Sendable {
    private let message: [UInt8]

    init(bytes: Int) { message = Array(repeating: UInt8(ascii: " "), count: bytes) }

    func decide(_ request: Request, on loop: isolated Loop) -> UpgradeDecision { .accept(self) }

    func handle(_ exchange: Exchange, on loop: isolated Loop) {
      exchange.respond(.text(404, "Not here."))
    }

    func opened(_ session: Session, on loop: isolated Loop) { session.send(.text(message)) }

    func received(_ message: SocketMessage, from session: Session, on loop: isolated Loop) {}

    func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop) {}
  }

  /// Connects to it, and returns the length of the message that arrives, or the code of the close.
  private static func outcome(bytes: Int, limit: Int?) async throws -> (length: Int?, code: UInt16?)
  {
    let loop = try Loop.start()
    let listener = try await loop.run { loop in
      var options = ListenerOptions()
      options.subprotocols = [SocketTransport.subprotocol]
      return try loop.listen(
        on: .tcp(host: "127.0.0.1", port: 0), handler: Impostor(bytes: bytes), options: options)
    }
    let transport = SocketTransport(
      .network(host: "127.0.0.1", port: listener.port, isSecure: false))
    let (events, report) = AsyncStream<TransportEvent>.makeStream()
    let connection = transport.connect { report.yield($0) }
    if let limit { connection.limitMessages(to: limit) }
    var outcome: (Int?, UInt16?) = (nil, nil)
    for await event in events {
      switch event {
      case .text(let text): outcome = (text.count, nil)
      case .closed(let code, _): outcome = (nil, code)
      case .opened, .binary, .full, .drained: continue
      }
      break
    }
    connection.close(code: 1_000, reason: "")
    await loop.stop(within: .zero)
    return outcome
  }

  @Test("can send 64 KiB, and more only when the recorder allows it")
  func lengths() async throws {
    let limit = 64 << 10
    #expect(try await Self.outcome(bytes: limit, limit: nil).length == limit)
    #expect(try await Self.outcome(bytes: limit + 1, limit: nil).code == 1_009)
    #expect(try await Self.outcome(bytes: 8 << 20, limit: nil).code == 1_009)
  }

  @Test("can send long messages once it has proved that it is the daemon")
  func proved() throws {
    let transport = FakeTransport(secret: [1, 2, 3])
    let sink = DaemonSink(
      [transport], options: DaemonSinkTests.options { $0.trusts = [.secret([1, 2, 3])] })
    var producer = try LineProducer()
    sink.open(producer.header)
    sink.append(producer.next(1)[...], to: producer.header.timeline)
    #expect(sink.flush(within: .seconds(120)))
    sink.end()
    let limits = transport.state.withLock(\.limits)
    #expect(limits.map { [$0.bytes, $0.challenges] } == [[16 << 20, 1]])
  }
}
