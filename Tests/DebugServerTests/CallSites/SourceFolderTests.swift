import Foundation
import TestSupport
import Testing

@testable import DebugServer

@Suite("Files that recordings name")
struct SourceFolderTests {
  private func folder(_ files: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for file in files {
      let url = folder.url.appending(path: file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
    }
    return folder
  }

  @Test("the module decides between files of one name")
  func modules() throws {
    let files = ["Sources/Shop/View/Cart.swift", "Sources/Bank/Cart.swift", "Tests/Once.swift"]
    let folder = try folder(files)
    let sources = try SourceFolder(folder.url.path)
    #expect(sources.file(named: "Shop/Cart.swift") == .file(path: sources.root + "/" + files[0]))
    #expect(sources.file(named: "Bank/Cart.swift") == .file(path: sources.root + "/" + files[1]))
    #expect(sources.file(named: "Other/Cart.swift") == .ambiguous(2))
    #expect(sources.file(named: "Cart.swift") == .ambiguous(2))
    // In Xcode, a module's folder can have another name.
    #expect(sources.file(named: "App/Once.swift") == .file(path: sources.root + "/" + files[2]))
    #expect(sources.file(named: "App/None.swift") == .missing)
  }

  @Test(
    "a name never leads out of the folder",
    arguments: [
      "../x", "../x.swift", "/etc/passwd", "", "a/..", ".", "..", "/", "a/b.swift/", "b.swift\0",
    ])
  func outside(name: String) throws {
    let folder = try folder(["a/b.swift"])
    #expect(try SourceFolder(folder.url.path).file(named: name) == .missing)
  }

  @Test("links and hidden files are left out")
  func links() throws {
    let folder = try folder(["a/b.swift", ".build/c.swift"])
    let outside = try self.folder(["Secret.swift"])
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "Link.swift"),
      withDestinationURL: outside.url.appending(path: "Secret.swift"))
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "Linked"), withDestinationURL: outside.url)
    let sources = try SourceFolder(folder.url.path)
    for name in ["Link.swift", "Secret.swift", "Linked/Secret.swift", "c.swift"] {
      #expect(sources.file(named: name) == .missing)
    }
  }

  @Test("only Swift files are found: others may have secrets")
  func others() throws {
    let folder = try folder(["a/b.swift", "secrets.json", "key.pem", ".env"])
    let sources = try SourceFolder(folder.url.path)
    #expect(sources.file(named: "b.swift") != .missing)
    for name in ["secrets.json", "App/key.pem", ".env"] {
      #expect(sources.file(named: name) == .missing)
    }
  }

  @Test("a folder of too many files is refused with a remedy")
  func tooMany() throws {
    let folder = try folder(["a.swift", "b.swift", "c.swift"])
    let error = #expect(throws: SourceFolderError.self) {
      try SourceFolder(folder.url.path, maximumFiles: 2)
    }
    #expect(error?.description.hasSuffix("To fix, name the folder of your sources.") == true)
  }

  @Test(
    "a call site has a file and a line",
    arguments: [
      ("Shop/Cart.swift:12", "Shop/Cart.swift", 12), ("C:/a.swift:1", "C:/a.swift", 1),
    ])
  func sites(text: String, file: String, line: Int) {
    #expect(RecordedCallSite(text)?.file == file && RecordedCallSite(text)?.line == line)
  }

  @Test("other texts are not call sites", arguments: ["", ":1", "a", "a:", "a:0", "a:-1", "a:1e3"])
  func noSites(text: String) { #expect(RecordedCallSite(text) == nil) }
}
