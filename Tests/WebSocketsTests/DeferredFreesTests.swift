import Testing

@testable import WebSockets

@Suite("What the library frees", .timeLimit(.minutes(10)))
struct DeferredFreesTests {
  @Test("stays valid until the end of the round, even if it is freed twice")
  func twice() {
    DeferredFrees.onThisThread { frees in
      let block = transportMemory(nil, 1_232, nil)
      let other = transportMemory(nil, 16, nil)
      block?.storeBytes(of: 0x5eed, as: Int.self)
      #expect(transportMemory(block, 0, nil) == nil)
      #expect(transportMemory(block, 0, nil) == nil)
      #expect(transportMemory(other, 0, nil) == nil)
      #expect(frees.count == 2)
      #expect(block?.load(as: Int.self) == 0x5eed)
      frees.release()
      #expect(frees.count == 0)
    }
  }

  // Of some of the connections, the server has closed its end before the client has sent its request.
  // With libwebsockets 4.3, each of those ended the process.
  @Test("is not used again when a server closes connections at once")
  func closingServer() async throws {
    let server = try ClosingServer()
    let loop = try Loop.start()
    for _ in 0..<400 {
      let client = SessionProbe()
      _ = await loop.run { $0.connect(to: .unix(path: server.path), handler: client) }
      #expect(await client.end() != nil)
    }
    #expect(await loop.connectionCount == 0)
    await loop.stop()
  }
}
