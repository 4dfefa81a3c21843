import Foundation
import Testing

@testable import WebSockets

@Suite("Upgrade requests", .timeLimit(.minutes(10)))
struct UpgradeTests {
  private static let good = [
    "Host": "here", "Upgrade": "websocket", "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  ]

  /// Changes to a request, and the status of its response. An empty value removes the header.
  static let cases: [(String, [String: String], Int)] = [
    ("nothing wrong", [:], 101),
    ("more values in Connection", ["Connection": "keep-alive, Upgrade"], 101),
    ("capitals", ["Upgrade": "WebSocket", "Connection": "upgrade"], 101),
    ("a subprotocol", ["Sec-WebSocket-Protocol": "other, chat.v1"], 101),
    ("no known subprotocol", ["Sec-WebSocket-Protocol": "chat.v2"], 400),
    ("version 8", ["Sec-WebSocket-Version": "8"], 426),
    ("no version", ["Sec-WebSocket-Version": ""], 426),
    ("no key", ["Sec-WebSocket-Key": ""], 400),
    ("a short key", ["Sec-WebSocket-Key": "c2hvcnQ="], 400),
    ("no host", ["Host": ""], 400),
    ("a host that is not ours", ["Host": "elsewhere"], 421),
    ("an origin that is not ours", ["Origin": "https://evil.example"], 403),
    ("the null origin", ["Origin": "null"], 403),
    ("our origin", ["Origin": "http://here"], 101),
    ("Connection without upgrade", ["Connection": "keep-alive"], 400),
    ("another upgrade", ["Upgrade": "h2c", "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA"], 400),
    ("a body", ["Content-Length": "5"], 400),
  ]

  @Test("that break a rule get its status")
  func rules() async throws {
    let server = ProbeServer(sessions: { request in
      guard request.header("host") == "here" else { return .refuse(.text(421, "Not this host.")) }
      guard request.path == "/" else { return .refuse(.text(404, "Not this path.")) }
      if let origin = request.header("origin"), origin != "http://here" {
        return .refuse(.text(403, "Not from there."))
      }
      return .accept(SessionProbe())
    })
    var options = ListenerOptions()
    options.subprotocols = ["chat.v1"]
    try await World.with(server, options: options) { world in
      let port = world.listener.port
      var questions: [[String: Any]] = Self.cases.map { _, changes, _ in
        let headers = Self.good.merging(changes) { $1 }.filter { !$0.value.isEmpty }
        return Self.question(port, "GET / HTTP/1.1", headers)
      }
      questions.append(Self.question(port, "GET /x HTTP/1.1", Self.good))
      questions.append(
        Self.question(port, "POST / HTTP/1.1", Self.good.merging(["Content-Length": "0"]) { $1 }))
      let answers = try await Asked.all("http_answers.py", questions).map { answer in
        ((answer as? [Any])?.first as? [String: Any])?["status"] as? Int
      }
      for (row, answer) in zip(Self.cases, answers) {
        #expect(answer == row.2, "\(row.0)")
      }
      #expect(answers.suffix(2) == [404, 405])
    }
  }

  @Test("never negotiate compression, because a small message could become large in memory")
  func offersNoCompression() async throws {
    try await World.with(ProbeServer(sessions: { _ in .accept(SessionProbe()) })) { world in
      let offer = Self.good.merging([
        "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits"
      ]) { $1 }
      let question = Self.question(world.listener.port, "GET / HTTP/1.1", offer)
      let answer = try #require(try await Asked.all("http_answers.py", [question]).first)
      let first = (answer as? [Any])?.first as? [String: Any]
      #expect(first?["status"] as? Int == 101)
      let headers = try #require(first?["headers"] as? [String: String])
      #expect(headers["sec-websocket-accept"] != nil)
      #expect(headers["sec-websocket-extensions"] == nil)
    }
  }

  private static func question(
    _ port: Int, _ line: String, _ headers: [String: String]
  ) -> [String: Any] {
    let lines = [line] + headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return [
      "port": port, "bytes": lines.joined(separator: "\r\n") + "\r\n\r\n", "methods": ["GET"],
    ]
  }

  @Test("of the public library's client get the subprotocol, or the status of the refusal")
  func library() async throws {
    let server = ProbeServer(sessions: { request in
      request.subprotocol == nil
        ? .refuse(.text(403, "Name one.")) : .accept(SessionProbe(isEcho: true))
    })
    var options = ListenerOptions()
    options.subprotocols = ["chat.v1", "chat.v2"]
    try await World.with(server, options: options) { world in
      let uri = "ws://127.0.0.1:\(world.listener.port)/"
      let answers = try await Asked.all(
        "websocket_client.py",
        [
          ["uri": uri, "send": ["é"], "subprotocols": ["chat.v2", "chat.v1"]],
          ["uri": uri, "send": []],
        ])
      #expect(
        try Asked.text(answers) == #"[{"received":["é"],"subprotocol":"chat.v2"},{"refused":403}]"#)
    }
  }

  @Test("over the limit of connections are closed, and no other connection is")
  func limit() async throws {
    let server = SessionProbe()
    var options = ListenerOptions()
    options.maxConnections = 2
    try await World.with(ProbeServer(server), options: options) { world in
      let probes = [SessionProbe(), SessionProbe(), SessionProbe()]
      var sessions: [Session] = []
      for probe in probes.prefix(2) {
        sessions.append(await world.connect(probe))
        #expect(await probe.next() == .opened)
      }
      _ = await world.connect(probes[2])
      #expect(await probes[2].end()?.code == .abnormal)
      sessions[0].close()
      #expect(await probes[0].end()?.wasClean == true)
      // The server stops counting the connection when it sees its end.
      #expect(await server.end()?.side == .peer)
      sessions[1].send(.text(Array("still here".utf8)))
      #expect(await server.next() == .text("still here"))
    }
  }
}
