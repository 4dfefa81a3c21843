import Testing

@testable import WebSockets

@Suite("Unfinished messages of all sessions", .timeLimit(.minutes(10)))
struct UnfinishedMessageTests {
  @Test("have a common limit, and the session whose message began first is closed")
  func limit() async throws {
    var options = Loop.Options()
    options.unfinishedBytes = 1_000
    let server = SessionProbe()
    try await World.with(ProbeServer(server), loopOptions: options) { world in
      let half = String(repeating: "a", count: 600)
      let first = try RawClient(world.endpoint)
      #expect(await server.next() == .opened)
      first.send(.text(half, isFinal: false))
      // Answered in order, so the half message has arrived.
      first.send(.ping([1]))
      await first.receive(until: [0x8A, 1, 1])
      let second = try RawClient(world.endpoint)
      #expect(await server.next() == .opened)
      second.send(.text(half, isFinal: false))
      let reason = "The unfinished messages of all connections are too large together."
      await first.receive(until: Array(reason.utf8))
      first.close()
      guard case .closed(let end) = await server.next() else {
        Issue.record("the session goes on")
        return
      }
      #expect(end.code == .tooBig && end.side == .local)
      // What was counted for the first one is free again.
      second.send(.more(Array("b".utf8)))
      #expect(await server.next() == .text(half + "b"))
      second.send(.text(half, isFinal: false))
      second.send(.more(Array("c".utf8)))
      #expect(await server.next() == .text(half + "c"))
      second.close()
    }
  }

  @Test("that are dropped with their connections no longer count")
  func lost() async throws {
    var options = Loop.Options()
    options.unfinishedBytes = 1_000
    let server = SessionProbe()
    try await World.with(ProbeServer(server), loopOptions: options) { world in
      let half = String(repeating: "a", count: 600)
      for _ in 0..<5 {
        let client = try RawClient(world.endpoint)
        #expect(await server.next() == .opened)
        client.send(.text(half, isFinal: false))
        client.send(.ping([1]))
        await client.receive(until: [0x8A, 1, 1])
        client.close()
        guard case .closed(let end) = await server.next() else {
          Issue.record("the session goes on")
          return
        }
        #expect(end.side == .neither, "it was not closed for its size")
      }
    }
  }
}
