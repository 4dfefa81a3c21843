import Testing

@testable import WebSockets

@Suite("sessions without messages", .timeLimit(.minutes(10)))
struct IdleTests {
  /// Pings at once, and long enough for a busy machine to answer.
  private static var options: SessionOptions {
    var options = SessionOptions()
    options.pingAfter = .milliseconds(10)
    options.pongWithin = .seconds(2)
    options.idleCloseCode = SessionCloseCode(rawValue: 4004)
    return options
  }

  /// How a client fares that answers three pings in that way.
  private func quiet(_ answers: String, on address: ListenAddress) async throws -> String {
    let server = ProbeServer(SessionProbe(), options: Self.options)
    return try await World.with(server, on: address) { world in
      let asked: [String: Any] = ["answers": answers, "pings": 3]
      let place: [String: Any] =
        switch world.listener.address {
        case .tcp(_, let port): ["port": port]
        case .unix(let path): ["path": path]
        }
      let found = try await Asked.one(
        "websocket_quiet.py", asked.merging(place) { first, _ in first })
      return try Asked.text(found)
    }
  }

  @Test("a TCP peer stays, however it answers", arguments: ["full", "empty", "pings"])
  func tcp(_ answers: String) async throws {
    let found = try await quiet(answers, on: .tcp(host: "127.0.0.1", port: 0))
    #expect(found == #"["1","2","3","kept"]"#)
  }

  @Test("a peer on a Unix socket stays, however it answers", arguments: ["full", "empty", "pings"])
  func unix(_ answers: String) async throws {
    let found = try await quiet(answers, on: .unix(path: World.socketPath()))
    #expect(found == #"["1","2","3","kept"]"#)
  }

  @Test("a TCP peer that answers no ping is closed")
  func silent() async throws {
    let found = try await quiet("nothing", on: .tcp(host: "127.0.0.1", port: 0))
    #expect(found == #"["1",4004]"#)
  }

  @Test("a client pings its server, too, and both stay")
  func bothSides() async throws {
    let server = SessionProbe()
    var options = ConnectOptions()
    options.session = Self.options
    try await World.with(ProbeServer(server, options: Self.options)) { world in
      let client = SessionProbe()
      let session = await world.connect(client, options: options)
      #expect(await client.next() == .opened)
      #expect(await server.next() == .opened)
      // Longer than pongWithin, so that an unnoticed pong would have ended it.
      await withCheckedContinuation { continuation in
        world.loop.enqueue { loop in
          loop.schedule(after: .milliseconds(2_200)) { _ in continuation.resume() }
        }
      }
      session.send(.text(Array("still here".utf8)))
      #expect(await server.next() == .text("still here"))
    }
  }
}
