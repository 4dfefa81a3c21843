import Testing

@testable import WebSockets

@Suite("Sessions without messages", .timeLimit(.minutes(10)))
struct IdleTests {
  /// Pings immediately, and waits long enough for a busy machine.
  private static var options: SessionOptions {
    var options = SessionOptions()
    options.pingAfter = .milliseconds(10)
    options.pongWithin = .seconds(5)
    options.idleCloseCode = SessionCloseCode(rawValue: 4004)
    return options
  }

  /// The result of a client that answers three pings in this way.
  private func resultOfClient(
    answering answers: String, on address: ListenAddress, isBusy: Bool = false,
    isReading: Bool = true
  ) async throws -> String {
    let server = ProbeServer(SessionProbe(isBusy: isBusy), options: Self.options)
    return try await World.with(server, on: address) { world in
      let asked: [String: Any] = ["answers": answers, "pings": 3, "unread": !isReading]
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

  @Test("a TCP peer stays connected, however it answers", arguments: ["full", "empty", "pings"])
  func tcp(_ answers: String) async throws {
    let found = try await resultOfClient(answering: answers, on: .tcp(host: "127.0.0.1", port: 0))
    #expect(found == #"["1","2","3","kept"]"#)
  }

  @Test(
    "a Unix socket peer stays connected, however it answers", arguments: ["full", "empty", "pings"])
  func unix(_ answers: String) async throws {
    let found = try await resultOfClient(answering: answers, on: .unix(path: World.socketPath()))
    #expect(found == #"["1","2","3","kept"]"#)
  }

  @Test(
    "a busy TCP peer that sends no pongs stays connected: its other frames show that it is alive",
    arguments: ["text", "part"])
  func busyPeer(_ answers: String) async throws {
    let found = try await resultOfClient(answering: answers, on: .tcp(host: "127.0.0.1", port: 0))
    #expect(found == #"["1","2","3","kept"]"#)
  }

  /// A Unix socket does not count what arrives, and nothing that was sent is read, so only the frames
  /// show that the peer is alive.
  @Test(
    "a Unix socket peer that reads nothing stays connected as long as frames arrive",
    arguments: ["full", "text", "part"])
  func unreadUnix(_ answers: String) async throws {
    let found = try await resultOfClient(
      answering: answers, on: .unix(path: World.socketPath()), isReading: false)
    #expect(found == #"["1","2","3","kept"]"#)
  }

  @Test("the session of a Unix socket peer that reads nothing and sends nothing is closed")
  func silentUnix() async throws {
    let found = try await resultOfClient(
      answering: "nothing", on: .unix(path: World.socketPath()), isReading: false)
    #expect(found == #"["1",4004]"#)
  }

  @Test("the session of a TCP peer that does not answer pings is closed")
  func silent() async throws {
    let found = try await resultOfClient(answering: "nothing", on: .tcp(host: "127.0.0.1", port: 0))
    #expect(found == #"["1",4004]"#)
  }

  @Test("the session of a peer with a request in progress is not closed")
  func busy() async throws {
    let found = try await resultOfClient(
      answering: "nothing", on: .tcp(host: "127.0.0.1", port: 0), isBusy: true)
    #expect(found == #"["1","2","3","kept"]"#)
  }

  @Test("a client pings its server, too, and both stay connected")
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
          loop.schedule(after: .milliseconds(5_200)) { _ in continuation.resume() }
        }
      }
      session.send(.text(Array("still here".utf8)))
      #expect(await server.next() == .text("still here"))
    }
  }
}
