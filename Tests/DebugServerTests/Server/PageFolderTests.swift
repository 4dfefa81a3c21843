import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DebugServer
@testable import WebSockets

@Suite("The folder of the page")
struct PageFolderTests {
  private static let prefix = "/usr/local/share/debugd/web"
  private static let here = "/there/states/web"

  @Test(
    "is the given one, then the environment's, then the prefix's, and never the working directory's",
    arguments: [
      ("/given", "/env", [prefix, here], "/given"),
      (nil, "/env", [prefix, here], "/env"),
      (nil, "", [prefix, here], prefix),
      (nil, nil, [prefix, here], prefix),
      (nil, nil, [here], nil),
      (nil, nil, [], nil),
      // A given folder is used whether it exists or not, so that a typo is reported.
      ("/nowhere", nil, [prefix], "/nowhere"),
    ] as [(String?, String?, [String], String?)])
  func order(given: String?, variable: String?, there: [String], found: String?) {
    let folder = ServerConfiguration.webFolder(
      given: given, environment: variable.map { ["DEBUGD_WEB": $0] } ?? [:],
      executable: "/usr/local/bin/debugd",
      exists: { there.map { $0 + "/index.html" }.contains($0) })
    #expect(folder == found)
  }

  @Test(
    "is the clone's for a build in it",
    arguments: [
      ("/clone/.build/debug/debugd", "/clone/web"),
      ("/clone/.build/x86_64-unknown-linux-gnu/release/debugd", "/clone/web"),
      ("/clone/build/debug/debugd", nil), ("debugd", nil), (".build/debug/debugd", nil), ("", nil),
    ] as [(String, String?)])
  func clone(executable: String, found: String?) {
    let folder = ServerConfiguration.webFolder(
      given: nil, environment: [:], executable: executable,
      exists: { ["/clone/web/index.html", "/web/index.html"].contains($0) })
    #expect(folder == found)
  }

  /// A folder with a page of three files, a source of it, and the clock of that.
  private struct Site {
    let folder: String
    let source: PageFolder
    private let time = HandClock()

    init() throws {
      folder = try TemporaryFolder.make()
      let page = """
        <link rel="stylesheet" href="a.css">
        <script type="module" src="a.js"></script>
        """
      for (name, text) in [("index.html", page), ("a.css", "a {}\n"), ("a.js", "run();\n")] {
        try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
      }
      source = PageFolder(try StaticFiles(root: folder)) { [time] in time.now }
    }

    func change(_ script: String) throws {
      try Data(script.utf8).write(to: URL(filePath: folder + "/a.js"))
    }

    func wait(_ duration: Duration) { time.wait(duration) }

    func ask(_ path: String, tag: String? = nil) -> Response {
      source.response(
        to: Request(
          method: "GET", path: path, query: [], headers: tag.map { ["if-none-match": $0] } ?? [:],
          hosts: [], origins: [], peer: .unknown, isSecure: false, offeredSubprotocols: [],
          subprotocol: nil, bodyBytes: 0))
    }

    func script() -> String? {
      guard case .bytes(let bytes) = ask("/page.js").body else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// A clock that is moved by hand.
  private final class HandClock: Sendable {
    private let instant = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { instant.withLock { $0 } }
    func wait(_ duration: Duration) { instant.withLock { $0 += duration } }
  }

  @Test("comes joined, as one text for all requests")
  func shared() throws {
    let site = try Site()
    defer { TemporaryFolder.remove(site.folder) }
    #expect(try #require(site.script()).contains("run();"))
    let tag = try #require(site.ask("/page.js").headers.first { $0.name == "ETag" }?.value)
    #expect(site.ask("/page.js", tag: tag).status == 304)
    #expect(site.ask("/").status == 200)
    #expect(site.ask("/page.css").status == 200)
  }

  @Test("is looked at once a second at most, and joined again when a file has changed")
  func changed() throws {
    let site = try Site()
    defer { TemporaryFolder.remove(site.folder) }
    let first = try #require(site.script())
    try site.change("walk();\n")
    #expect(site.script() == first)
    site.wait(.seconds(1))
    #expect(try #require(site.script()).contains("walk();"))
  }
}
