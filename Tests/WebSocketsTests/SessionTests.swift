import Testing

@testable import WebSockets

@Suite("Sessions between our own client and server", .timeLimit(.minutes(10)))
struct SessionTests {
  static let places: [ListenAddress] = [
    .tcp(host: "127.0.0.1", port: 0), .tcp(host: "::1", port: 0), .unix(path: World.socketPath()),
  ]

  @Test("carry text and binary messages both ways", arguments: places)
  func echo(place: ListenAddress) async throws {
    let server = SessionProbe(isEcho: true)
    try await World.with(ProbeServer(server), on: place) { world in
      let client = SessionProbe()
      let session = await world.connect(client)
      #expect(await client.next() == .opened)
      #expect(await server.next() == .opened)
      #expect(session.send(.text(Array("héllo".utf8))) == .accepted)
      #expect(session.send(.binary([0, 255, 10])) == .accepted)
      #expect(await client.next() == .text("héllo"))
      #expect(await client.next() == .binary([0, 255, 10]))
      #expect(await server.next() == .text("héllo"))
      #expect(await server.next() == .binary([0, 255, 10]))
    }
  }

  @Test(
    "carry messages of every size around the limits of frames",
    arguments: [0, 1, 125, 126, 127, 65_535, 65_536, 65_537, 131_072, 1_000_003])
  func sizes(size: Int) async throws {
    let server = SessionProbe(isEcho: true)
    try await World.with(ProbeServer(server)) { world in
      let client = SessionProbe()
      let session = await world.connect(client)
      #expect(await client.next() == .opened)
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
      session.send(.binary(bytes))
      #expect(await client.next() == .binary(bytes))
    }
  }

  @Test("end on both sides with the code and reason of one side")
  func close() async throws {
    let server = SessionProbe()
    try await World.with(ProbeServer(server)) { world in
      let client = SessionProbe()
      let session = await world.connect(client)
      #expect(await client.next() == .opened)
      session.send(.text(Array("last words".utf8)))
      session.close(code: SessionCloseCode(rawValue: 4001), reason: "enough")
      #expect(session.send(.text([])) == .closed)
      #expect(await server.next() == .opened)
      #expect(await server.next() == .text("last words"))
      let code = SessionCloseCode(rawValue: 4001)
      #expect(
        await server.next()
          == .closed(
            SessionEnd(code: code, reason: "enough", side: .peer, wasClean: true)))
      #expect(
        await client.next()
          == .closed(SessionEnd(code: code, reason: "enough", side: .local, wasClean: true)))
    }
  }

  @Test("are closed with 1001 when the loop stops")
  func stop() async throws {
    let server = SessionProbe()
    let client = SessionProbe()
    let clients = try Loop.start()
    try await World.with(ProbeServer(server)) { world in
      let endpoint = world.endpoint
      _ = await clients.run { $0.connect(to: endpoint, handler: client) }
      #expect(await client.next() == .opened)
    }
    let end = await client.end()
    #expect(end?.code == .goingAway)
    #expect(end?.side == .peer)
    #expect(await server.end()?.side == .local)
    await clients.stop()
  }
}
