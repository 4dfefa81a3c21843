import Foundation
import Testing

@testable import WebSockets

@Suite("HTTP requests", .timeLimit(.minutes(1)))
struct RequestTests {
  /// A folder of files, removed at the end.
  private func withSite(
    _ body: (World) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "site-\(UUID().uuidString)")
    let root = folder.appending(path: "root")
    try FileManager.default.createDirectory(
      at: root.appending(path: "elements"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = [
      "root/index.html": "<h1>index</h1>", "root/app.js": "export {}", "root/a.mjs": "",
      "root/style.css": "a{}", "root/run.timeline": "{}\n", "root/elements/index.html": "elements",
      "root/picture.svg": "<svg/>", "root/code.wasm": "\0asm", "root/data.json": "{}",
      "root/.hidden": "no", "root/odd name": "odd", "secret": "secret",
    ]
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    try Data(repeating: 0x61, count: 1_000_000).write(to: root.appending(path: "large"))
    try FileManager.default.createSymbolicLink(
      at: root.appending(path: "link"), withDestinationURL: folder.appending(path: "secret"))
    try FileManager.default.createSymbolicLink(
      at: root.appending(path: "up"), withDestinationURL: folder)

    let site = try StaticFiles(root: root.path)
    let server = ProbeServer(requests: { exchange in
      switch exchange.request.path {
      case "/echo": exchange.respond(Response(status: 200, body: .bytes(exchange.body)))
      case "/forgotten": break
      case "/later": exchange.loop.enqueue { _ in exchange.respond(.text(200, "later")) }
      case "/evil":
        exchange.respond(Response(status: 200, headers: [("X-A", "b\r\nX-Evil: 1")]))
      default: exchange.respond(site.response(to: exchange.request))
      }
    })
    var options = ListenerOptions()
    options.headers = [("X-Content-Type-Options", "nosniff")]
    options.maxBodyBytes = 1_000
    try await World.with(server, options: options, body)
  }

  private struct Answer {
    let status: Int
    let headers: [String: String]
    let body: String
  }

  /// What a request brings; `nil` when the connection was closed instead.
  private func ask(
    _ world: World, _ method: String, _ target: String, headers: [String] = [],
    body: String = ""
  ) throws -> Answer? {
    let lines = ["\(method) \(target) HTTP/1.1", "Host: x", "Connection: close"] + headers
    let text = lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    return try ask(world, bytes: text, methods: [method])[0]
  }

  private func ask(_ world: World, bytes: String, methods: [String]) throws -> [Answer?] {
    let answers = try Asked.one(
      "http_answers.py",
      ["port": world.listener.port, "bytes": bytes, "methods": methods])
    return try #require(answers as? [Any]).map { answer in
      guard let answer = answer as? [String: Any] else { return nil }
      return Answer(
        status: try #require(answer["status"] as? Int),
        headers: try #require(answer["headers"] as? [String: String]),
        body: try #require(answer["body"] as? String))
    }
  }

  @Test("files come with their type, their tag and the listener's headers")
  func files() async throws {
    try await withSite { world in
      let types = [
        "/": "text/html; charset=utf-8", "/app.js": "text/javascript; charset=utf-8",
        "/a.mjs": "text/javascript; charset=utf-8", "/style.css": "text/css; charset=utf-8",
        "/run.timeline": "application/x-ndjson; charset=utf-8",
        "/picture.svg": "image/svg+xml; charset=utf-8", "/code.wasm": "application/wasm",
        "/data.json": "application/json; charset=utf-8", "/elements/": "text/html; charset=utf-8",
        "/odd%20name": "application/octet-stream", "/large": "application/octet-stream",
        "/app.js?version=1": "text/javascript; charset=utf-8",
        "//elements///./../app.js": "text/javascript; charset=utf-8",
      ]
      for (path, type) in types {
        let answer = try #require(try ask(world, "GET", path), "\(path)")
        #expect(answer.status == 200, "\(path)")
        #expect(answer.headers["content-type"] == type, "\(path)")
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.headers["etag"]?.hasPrefix("\"") == true)
        #expect(answer.headers["cache-control"] == "no-cache")
      }
      #expect(try ask(world, "GET", "/")?.body == "<h1>index</h1>")
      #expect(try ask(world, "GET", "/large")?.body == "1000000 bytes")
    }
  }

  @Test("HEAD brings the head alone, and 304 nothing that the client has")
  func heads() async throws {
    try await withSite { world in
      let head = try #require(try ask(world, "HEAD", "/large"))
      #expect(head.status == 200)
      #expect(head.headers["content-length"] == "1000000")
      #expect(head.body == "")
      let tag = try #require(head.headers["etag"])
      for known in [tag, "W/" + tag, "\"other\", \(tag)", "*"] {
        let answer = try #require(
          try ask(world, "GET", "/large", headers: ["If-None-Match: \(known)"]))
        #expect(answer.status == 304, "\(known)")
        #expect(answer.body == "")
        #expect(answer.headers["etag"] == tag)
      }
      #expect(
        try ask(world, "GET", "/app.js", headers: ["If-None-Match: \(tag)"])?.status == 200)
    }
  }

  @Test(
    "nothing outside the folder is reached, and nothing hidden",
    arguments: [
      "/secret", "/../secret", "/..%2fsecret", "/%2e%2e/secret", "/%2e%2e%2fsecret",
      "/elements/../../secret", "/elements/..%2f..%2fsecret", "/link", "/up/secret", "/.hidden",
      "/..%5csecret", "/%2fetc%2fpasswd", "//etc/passwd", "/app.js/", "/missing", "/elements/x",
      "/app.js%00.html", "/%00", "/app%2ejs%00", "/%c0%ae%c0%ae/secret", "/%", "/%zz",
    ])
  func traversal(path: String) async throws {
    try await withSite { world in
      // The library itself cuts the connection for some.
      guard let answer = try ask(world, "GET", path) else { return }
      #expect([400, 403, 404].contains(answer.status), "\(path): \(answer)")
      #expect(!answer.body.contains("secret"))
      #expect(!answer.body.contains("root:"))
    }
  }

  @Test("a folder without a slash leads to the one with it")
  func folder() async throws {
    try await withSite { world in
      let answer = try #require(try ask(world, "GET", "/elements"))
      #expect(answer.status == 308)
      #expect(answer.headers["location"] == "/elements/")
    }
  }

  @Test(
    "a file can only be read", arguments: ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
  func methods(method: String) async throws {
    try await withSite { world in
      let answer = try #require(
        try ask(world, method, "/app.js", headers: ["Content-Length: 0"]))
      #expect(answer.status == 405)
      #expect(answer.headers["allow"] == "GET, HEAD")
    }
  }

  @Test("what is not HTTP, or of no known method, is not answered with a file")
  func nonsense() async throws {
    try await withSite { world in
      for bytes in ["BREW / HTTP/1.1\r\nHost: x\r\n\r\n", "\u{16}\u{3}\u{1}\0\0", "GET\r\n\r\n",
        "GET nothing HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\r\n\r\n",
      ] {
        let answers = try ask(world, bytes: bytes + "\r\n\r\n\r\n\r\n", methods: ["GET"])
        #expect(answers.allSatisfy { ($0?.status ?? 400) >= 400 }, "\(bytes)")
      }
      #expect(try ask(world, "GET", "/")?.status == 200)
    }
  }

  @Test("bodies come whole, and no longer than allowed")
  func bodies() async throws {
    try await withSite { world in
      let body = String(repeating: "b", count: 1_000)
      let answer = try #require(
        try ask(world, "POST", "/echo", headers: ["Content-Length: 1000"], body: body))
      #expect(answer.body == body)
      #expect(
        try ask(world, "POST", "/echo", headers: ["Content-Length: 0"])?.body == "")
      #expect(
        try ask(world, "POST", "/echo", headers: ["Content-Length: 1001"])?.status == 413)
      #expect(
        try ask(world, "POST", "/echo", headers: ["Content-Length: 99999999999999999999"])?
          .status ?? 411 == 411)
      #expect(try ask(world, "POST", "/echo")?.status == 411)
      #expect(
        try ask(world, "POST", "/echo", headers: ["Transfer-Encoding: chunked"])?.status == 411)
    }
  }

  @Test("answers may come late, and forgotten ones are 500")
  func late() async throws {
    try await withSite { world in
      #expect(try ask(world, "GET", "/later")?.body == "later\n")
      #expect(try ask(world, "GET", "/forgotten")?.status == 500)
      let evil = try #require(try ask(world, "GET", "/evil"))
      #expect(evil.headers["x-evil"] == nil)
      #expect(evil.headers["x-a"] == "b  X-Evil: 1")
    }
  }

  @Test("one connection carries several requests")
  func persistent() async throws {
    try await withSite { world in
      let one = "GET /app.js HTTP/1.1\r\nHost: x\r\n\r\n"
      let post = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
      let answers = try ask(
        world, bytes: one + post + one.replacing("GET", with: "HEAD") + one,
        methods: ["GET", "POST", "HEAD", "GET"])
      #expect(answers.map { $0?.status } == [200, 200, 200, 200])
      #expect(answers.map { $0?.body } == ["export {}", "abc", "", "export {}"])
    }
  }

  @Test("a head that is too long is not read to its end")
  func longHead() async throws {
    try await withSite { world in
      let answer = try ask(
        world, "GET", "/", headers: ["Cookie: " + String(repeating: "c", count: 40_000)])
      #expect((answer?.status ?? 431) >= 400)
      #expect(try ask(world, "GET", "/")?.status == 200)
    }
  }
}
