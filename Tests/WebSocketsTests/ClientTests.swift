import Testing

@testable import WebSockets

@Suite("A client", .timeLimit(.minutes(10)))
struct ClientTests {
  @Test("talks to the public library's server, with fragments, too")
  func library() async throws {
    let peer = try PythonPeer("websocket_server.py")
    let port = try #require(Int(peer.line))
    let loop = try Loop.start()
    var options = ConnectOptions()
    options.path = "/fragments"
    options.subprotocols = ["chat.v1"]
    let client = SessionProbe()
    let settings = options
    let session = await loop.run {
      $0.connect(to: .plain(host: "localhost", port: port), options: settings, handler: client)
    }
    #expect(await client.next() == .opened)
    #expect(session.subprotocol == "chat.v1")
    #expect(session.peer == .tcp(address: "127.0.0.1", port: port))
    let text = String(repeating: "räksmörgås ", count: 20_000)
    session.send(.text(Array(text.utf8)))
    #expect(await client.next() == .text(text))
    session.close()
    #expect(await client.end()?.wasClean == true)
    await loop.stop()
    _ = peer
  }

  @Test("receives the server's close code and reason")
  func closed() async throws {
    let peer = try PythonPeer("websocket_server.py")
    let port = try #require(Int(peer.line))
    let end = try await end(at: .plain(host: "127.0.0.1", port: port), path: "/close")
    #expect(end?.code.rawValue == 4002)
    #expect(end?.reason == "go away")
    #expect(end?.side == .peer)
    #expect(end?.wasClean == true)
    _ = peer
  }

  @Test("receives the status of a refusal")
  func refused() async throws {
    let peer = try PythonPeer("websocket_server.py")
    let port = try #require(Int(peer.line))
    let end = try await end(at: .plain(host: "127.0.0.1", port: port), path: "/refuse")
    #expect(end?.refusal == 503)
    #expect(end?.side == .neither)
    _ = peer
  }

  @Test("reports that there is no server")
  func noServer() async throws {
    // No other program gets the port, as it could get one that was free a moment ago.
    let taken = try SilentServer(listens: false)
    for endpoint in [
      Endpoint.plain(host: "127.0.0.1", port: taken.port), .unix(path: World.socketPath()),
      .plain(host: "no-such-host.invalid", port: 80),
    ] {
      let end = try await end(at: endpoint)
      #expect(end?.code == .abnormal)
      #expect(end?.side == .neither)
      #expect(end?.reason.isEmpty == false)
    }
    _ = taken
  }

  @Test(
    "refuses to send what is not valid in a request",
    arguments: ["no-slash", "/a b", "/a\r\nX: y", "/" + String(repeating: "a", count: 2_000)])
  func badPath(path: String) async throws {
    let server = SessionProbe()
    try await World.with(ProbeServer(server)) { world in
      let end = try await end(at: world.endpoint, path: path)
      #expect(end?.reason == "the path, the host, or a subprotocol is not valid in a request")
    }
  }

  @Test("gives up if the server is silent for too long")
  func silence() async throws {
    let silent = try SilentServer()
    var options = ConnectOptions()
    options.within = .milliseconds(50)
    let settings = options
    let loop = try Loop.start()
    let client = SessionProbe()
    _ = await loop.run {
      $0.connect(
        to: .plain(host: "127.0.0.1", port: silent.port), options: settings, handler: client)
    }
    #expect(await client.end()?.reason == "the session did not begin within 0.05 seconds")
    await loop.stop()
  }

  @Test("sends its headers, its origin and its host")
  func headers() async throws {
    let (requests, continuation) = AsyncStream<Request>.makeStream()
    let server = ProbeServer(sessions: { request in
      continuation.yield(request)
      return .accept(SessionProbe())
    })
    var listening = ListenerOptions()
    listening.requestHeaders = ["X-Extra"]
    try await World.with(server, options: listening) { world in
      var options = ConnectOptions()
      options.path = "/deep/path?a=1&b=two%20words&c"
      options.host = "example.test:99"
      options.origin = "https://example.test"
      options.headers = [("X-Extra", "value\r\nX-Evil: 1")]
      let client = SessionProbe()
      _ = await world.connect(client, options: options)
      #expect(await client.next() == .opened)
      var iterator = requests.makeAsyncIterator()
      let request = try #require(await iterator.next())
      #expect(request.path == "/deep/path")
      #expect(request.queryValue("b") == "two words")
      #expect(request.query.map(\.name) == ["a", "b", "c"])
      #expect(request.header("Host") == "example.test:99")
      #expect(request.header("origin") == "https://example.test")
      #expect(request.header("X-Extra") == "value  X-Evil: 1")
      guard case .tcp("127.0.0.1", let port) = request.peer else {
        Issue.record("the peer is \(request.peer)")
        return
      }
      #expect(port > 0)
    }
  }

  @Test("may be closed or stopped before its session began", arguments: [false, true])
  func early(isStopped: Bool) async throws {
    let silent = try SilentServer()
    let loop = try Loop.start()
    let client = SessionProbe()
    let session = await loop.run {
      $0.connect(to: .plain(host: "127.0.0.1", port: silent.port), handler: client)
    }
    if isStopped { await loop.stop(within: .zero) } else { session.close() }
    #expect(await client.end()?.side == .neither)
    await loop.stop()
  }

  @Test("cannot use a stopped loop")
  func stopped() async throws {
    let loop = try Loop.start()
    await loop.stop()
    let client = SessionProbe()
    let session = await loop.run {
      $0.connect(to: .plain(host: "127.0.0.1", port: 9), handler: client)
    }
    #expect(await client.end()?.reason == "the loop has been stopped")
    #expect(session.send(.text([])) == .closed)
  }

  private func end(at endpoint: Endpoint, path: String = "/") async throws -> SessionEnd? {
    let loop = try Loop.start()
    var options = ConnectOptions()
    options.path = path
    let settings = options
    let client = SessionProbe()
    _ = await loop.run { $0.connect(to: endpoint, options: settings, handler: client) }
    let end = await client.end()
    await loop.stop()
    return end
  }
}
