import DebugServer
import Foundation
import Testing
import Timelines
import Wire

@testable import debugd

@Suite("Written exports")
struct ExportWriterTests {
  /// A folder, and what a test and its fixture are written to it as.
  private func write(
    into folder: URL, replaces: Bool, _ files: [(name: String, text: String)]
  ) async throws {
    let null = try #require(FileHandle(forWritingAtPath: "/dev/null"))
    let terminal = Terminal(
      output: null, errors: null, isInteractive: false, hasColor: false, columns: nil)
    let writer = try ExportWriter(
      folder.path, .swiftTesting, replaces: replaces, terminal)
    for file in files {
      let part = ToInspector.Export {
        $0.name = file.name
        $0.data = Data(file.text.utf8).base64EncodedString()
      }
      await writer.receive(.export(part))
    }
    _ = try await writer.finish()
  }

  private func with(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "export-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  private func content(of folder: URL) throws -> [String: String] {
    var found: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      found[name] = (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? "-"
    }
    return found
  }

  private static let both = [("CoinTests.swift", "new test"), ("coin.timeline", "new fixture")]

  /// What a terminal, or a program, gets of an export to the output that comes in parts.
  private func shown(
    _ parts: [[UInt8]], as format: ExportFormat, isInteractive: Bool
  ) async throws -> [UInt8] {
    let pipe = Pipe()
    let terminal = Terminal(
      output: pipe.fileHandleForWriting, errors: .nullDevice, isInteractive: isInteractive,
      hasColor: false, columns: nil)
    let writer = try ExportWriter(nil, format, replaces: false, terminal)
    for bytes in parts {
      let part = ToInspector.Export {
        $0.name = "a"
        $0.data = Data(bytes).base64EncodedString()
      }
      await writer.receive(.export(part))
    }
    _ = try await writer.finish()
    try pipe.fileHandleForWriting.close()
    return Array(try pipe.fileHandleForReading.readToEnd() ?? Data())
  }

  @Test(
    "on a terminal are JSON of the same value without characters that steer it, wherever parts end",
    arguments: [ExportFormat.timeline, .jsonLines, .redux])
  func terminals(format: ExportFormat) async throws {
    let bytes = Array("{\"a\":\"\u{9B}31m\u{202E}é🪙\"}\n".utf8)
    let harmless = Array("{\"a\":\"\\u009b31m\\u202eé🪙\"}\n".utf8)
    for place in 0...bytes.count {
      let parts = [Array(bytes[..<place]), Array(bytes[place...])]
      #expect(try await shown(parts, as: format, isInteractive: true) == harmless)
      #expect(try await shown(parts, as: format, isInteractive: false) == bytes)
    }
  }

  @Test("appear together, and replace existing files on request")
  func together() async throws {
    try await with { folder in
      try await write(into: folder, replaces: false, Self.both)
      #expect(try content(of: folder) == Dictionary(uniqueKeysWithValues: Self.both))
      let others = Self.both.map { ($0.0, $0.1 + "!") }
      await #expect(throws: CommandError.self) {
        try await write(into: folder, replaces: false, others)
      }
      #expect(try content(of: folder) == Dictionary(uniqueKeysWithValues: Self.both))
      try await write(into: folder, replaces: true, others)
      #expect(try content(of: folder) == Dictionary(uniqueKeysWithValues: others))
    }
  }

  @Test("go into a new folder when the name is not one of a file")
  func newFolder() async throws {
    try await with { folder in
      let new = folder.appending(path: "newfolder")
      try await write(into: new, replaces: false, Self.both)
      #expect(try content(of: new) == Dictionary(uniqueKeysWithValues: Self.both))
      let error = await #expect(throws: CommandError.self) {
        try await write(into: folder.appending(path: "x.txt"), replaces: false, Self.both)
      }
      let advice = """
        x.txt' does not. To fix, name a folder: --out FOLDER/. For the recorded entries alone, use \
        --as timeline or --as json-lines.
        """
      #expect(error.map { "\($0)".hasSuffix(advice) } == true, "\(String(describing: error))")
    }
  }

  @Test("leave existing files when one of them gets no name", arguments: [nil, "old test"])
  func neither(old: String?) async throws {
    try await with { folder in
      let taken = folder.appending(path: "coin.timeline")
      try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: false)
      if let old {
        try Data(old.utf8).write(to: folder.appending(path: "CoinTests.swift"))
      }
      await #expect(throws: CommandError.self) {
        try await write(into: folder, replaces: true, Self.both)
      }
      var expected = ["coin.timeline": "-"]
      expected["CoinTests.swift"] = old
      #expect(try content(of: folder) == expected)
    }
  }
}
