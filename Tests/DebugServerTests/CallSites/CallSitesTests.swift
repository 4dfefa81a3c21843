import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import DebugServer

@Suite("Lines around call sites")
struct CallSitesTests {
  private let folder: TemporaryFolder
  private static let text = (1...30).map { "line \($0)" }.joined(separator: "\n") + "\n"

  init() throws {
    folder = try TemporaryFolder()
    try Self.write(Self.text, to: folder.url.appending(path: "Sources/Shop/Cart.swift"))
  }

  private static func write(_ text: String, to url: URL) throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func sites(
    _ folders: [String]? = nil, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) -> CallSites {
    let editor = EditorLink("vscode")
    return CallSites(
      SourceSettings(folders: folders ?? [folder.url.path], editor: editor), now: now)
  }

  private func refusal(
    _ sites: CallSites, _ text: String, around: Int64 = 5
  ) async -> ErrorReply? {
    await #expect(throws: Refusal.self) { try await sites.lines(at: text, around: around) }?.reply
  }

  @Test("are those of the file, with the path and the editor's address")
  func found() async throws {
    let found = try await sites().lines(at: "Shop/Cart.swift:12", around: 2)
    #expect(found.lines == ["line 10", "line 11", "line 12", "line 13", "line 14"])
    #expect((found.first, found.line, found.at) == (10, 12, "Shop/Cart.swift:12"))
    #expect(found.file.hasSuffix("/Sources/Shop/Cart.swift"))
    #expect(found.editor == "vscode://file{file}:{line}")
    let start = try await sites().lines(at: "Shop/Cart.swift:1", around: 1)
    #expect((start.first, start.lines) == (1, ["line 1", "line 2"]))
    let only = try await sites().lines(at: "Shop/Cart.swift:30", around: 0)
    #expect((only.first, only.lines) == (30, ["line 30"]))
  }

  @Test(
    "are never those of a file outside of the folders",
    arguments: [
      "../Secret.swift:1", "/etc/passwd:1", "Shop/../../Secret.swift:1", "Secret.swift:1",
      "Link.swift:1", "Linked/Secret.swift:1", "..:1", "/:1", ":1", ":9223372036854775807",
      "Shop/Cart.swift:9223372036854775807", "Shop/Cart.swift:-1", "Shop/Cart.swift", "",
      "Shop/Cart.swift\0:1", "file:///etc/passwd:1", "Shop/Cart.swift:1:2x",
    ])
  func outside(site: String) async throws {
    let other = try TemporaryFolder()
    let secret = other.url.appending(path: "Secret.swift")
    try Self.write("secret", to: secret)
    let manager = FileManager.default
    try manager.createSymbolicLink(
      at: folder.url.appending(path: "Link.swift"), withDestinationURL: secret)
    try manager.createSymbolicLink(
      at: folder.url.appending(path: "Linked"), withDestinationURL: other.url)
    #expect(await refusal(sites(), site)?.code == .notFound)
  }

  @Test("a file that became a link after it was indexed is not read")
  func exchanged() async throws {
    let sites = sites()
    _ = try await sites.lines(at: "Shop/Cart.swift:1", around: 0)
    let other = try TemporaryFolder()
    try Self.write("secret\n", to: other.url.appending(path: "Cart.swift"))
    let module = folder.url.appending(path: "Sources/Shop")
    try FileManager.default.removeItem(at: module)
    try FileManager.default.createSymbolicLink(at: module, withDestinationURL: other.url)
    #expect(await refusal(sites, "Shop/Cart.swift:1")?.code == .notFound)
  }

  @Test("a new file is found once the index is some seconds old")
  func indexedAgain() async throws {
    let time = Mutex(ContinuousClock.now)
    let sites = sites { time.withLock { $0 } }
    #expect(await refusal(sites, "Shop/New.swift:1") != nil)
    try Self.write("new\n", to: folder.url.appending(path: "Sources/Shop/New.swift"))
    #expect(await refusal(sites, "Shop/New.swift:1") != nil)
    time.withLock { $0 += CallSites.indexLifetime }
    #expect(try await sites.lines(at: "Shop/New.swift:1", around: 0).lines == ["new"])
  }

  @Test("several files of one name are refused, and one in two folders is one")
  func ambiguous() async throws {
    try Self.write("other\n", to: folder.url.appending(path: "Other/Cart.swift"))
    let refusal = await refusal(sites(), "App/Cart.swift:1")
    #expect(refusal?.code == .conflict)
    #expect(
      refusal?.message.hasSuffix(
        "To fix, name the folder of only that program's sources with --source.") == true)
    let inner = folder.url.appending(path: "Sources").path
    let found = try await sites([folder.url.path, inner])
      .lines(at: "Shop/Cart.swift:1", around: 0)
    #expect(found.lines == ["line 1"])
  }

  @Test("long lines and large files are bounded")
  func bounded() async throws {
    let long = String(repeating: "x", count: 5_000) + "\r\n"
    try Self.write(long, to: folder.url.appending(path: "Sources/Shop/Long.swift"))
    let found = try await sites().lines(at: "Shop/Long.swift:1", around: 0)
    #expect(found.lines[0].count == CallSites.lineLimit && found.lines[0].hasSuffix("…"))
    let huge = String(repeating: "y\n", count: SourceFolder.maximumBytes / 2 + 1)
    try Self.write(huge, to: folder.url.appending(path: "Sources/Shop/Huge.swift"))
    #expect(await refusal(sites(), "Shop/Huge.swift:1")?.code == .notFound)
    #expect(await refusal(sites(), "Shop/Cart.swift:1", around: 21)?.code == .wrongValue)
    #expect(await refusal(sites(), "Shop/Cart.swift:1", around: -1)?.code == .wrongValue)
  }

  @Test("the lines of a file from Windows are its own")
  func windows() async throws {
    try Self.write("a\r\nb\r\n\r\nd", to: folder.url.appending(path: "Sources/Shop/Windows.swift"))
    let found = try await sites().lines(at: "Shop/Windows.swift:2", around: 20)
    #expect(found.lines == ["a", "b", "", "d"])
  }

  @Test("what is missing comes with a remedy")
  func remedies() async throws {
    let none = await refusal(sites([]), "Shop/Cart.swift:1")
    let words = """
      No source folder is named. To see the lines, add --source FOLDER to the command that you ran: \
      serve, view, or source.
      """
    #expect(none?.message == words)
    let outside = await refusal(sites(), "Shop/Bag.swift:1")
    #expect(
      outside?.message.hasSuffix(
        "To fix, name the folder of the program's sources with --source.") == true)
    let late = await refusal(sites(), "Shop/Cart.swift:400")
    #expect(late?.message.contains("the file changed after the recording") == true)
    let gone = await refusal(sites(["/nonexistent"]), "Shop/Cart.swift:1")
    #expect(gone?.message.contains("'/nonexistent' cannot be read") == true)
  }
}

@Suite("Addresses that open an editor")
struct EditorLinkTests {
  @Test(
    "are names of editors or templates",
    arguments: [
      ("vscode", "vscode://file{file}:{line}"),
      ("idea://open?file={file}&line={line}", "idea://open?file={file}&line={line}"),
      ("x-mine+2.0://{file}", "x-mine+2.0://{file}"),
    ])
  func accepted(text: String, template: String) {
    #expect(EditorLink(text)?.template == template)
  }

  @Test(
    "are nothing that a browser or a shell would run",
    arguments: [
      "", "emacs", "code -g {file}:{line}", "javascript://%0aalert(1)//{file}",
      "JavaScript://{file}", "data://text/html,{file}", "file://{file}", "://{file}",
      "vscode://file", "vscode:{file}", "1x://{file}", "a b://{file}", "a://{file} x",
      "a://{file}\n", "sh -c ://{file}", "é://{file}",
      "a://{file}" + String(repeating: "x", count: 500),
    ])
  func refused(text: String) { #expect(EditorLink(text) == nil) }
}
