import DebugServer
import Foundation
import JSONCore
import Synchronization
import Testing
import Timelines

@Suite("Audit file")
struct AuditFileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("audit-\(UUID().uuidString)")
  private var path: String { folder.appendingPathComponent("audit.log").path }

  private let timeline = TimelineID("0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a")

  /// What was reported.
  private final class Reports: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func add(_ report: String) { list.withLock { $0.append(report) } }
  }

  private func withFolder(_ body: () throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body()
  }

  private func lines(of path: String) throws -> [JSON] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map { try JSON(parsing: String($0)) }
  }

  private func sessions(in path: String) throws -> [String?] {
    try lines(of: path).map { $0["session"]?.string }
  }

  private func entry(_ number: Int) -> AuditEntry {
    AuditEntry("entry.marked", session: "s\(number)", client: "a\u{202e}b\n", timeline: timeline)
  }

  @Test("appends a line of JSON for each entry, readable for its owner alone")
  func appends() throws {
    try withFolder {
      let file = AuditFile(path, now: { Timestamp(microseconds: 0) }) { _ in }
      #expect(!FileManager.default.fileExists(atPath: path))
      for number in 1...3 { file.append(entry(number)) }
      file.flush(within: 60_000)
      let lines = try lines(of: path)
      #expect(lines.map { $0["session"]?.string } == ["s1", "s2", "s3"])
      #expect(lines[0]["time"] == "1970-01-01T00:00:00Z")
      #expect(lines[0]["event"] == "entry.marked")
      #expect(lines[0]["timeline"] == .string(timeline?.text ?? ""))
      let client = lines[0]["client"]?.string ?? "\n"
      #expect(!client.contains("\n") && !client.contains("\u{202e}"))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
      // Another daemon on the same data goes on after the last line.
      let next = AuditFile(path) { _ in }
      next.append(entry(4))
      next.flush(within: 60_000)
      #expect(try self.lines(of: path).count == 4)
    }
  }

  @Test("is renamed before it exceeds its limit, and no entry is lost")
  func rotates() throws {
    try withFolder {
      let length = entry(1).line(at: Timestamp(microseconds: 0)).utf8.count
      let file = AuditFile(path, limit: length * 3, now: { Timestamp(microseconds: 0) }) { _ in }
      for number in 1...5 { file.append(entry(number)) }
      file.flush(within: 60_000)
      var (old, new) = (try sessions(in: path + ".1"), try sessions(in: path))
      #expect(old == ["s1", "s2", "s3"])
      #expect(new == ["s4", "s5"])
      for number in 6...7 { file.append(entry(number)) }
      file.flush(within: 60_000)
      (old, new) = (try sessions(in: path + ".1"), try sessions(in: path))
      #expect(old == ["s4", "s5", "s6"])
      #expect(new == ["s7"])
    }
  }

  @Test("does not follow a link, reports that once, and then counts what is missing")
  func link() throws {
    try withFolder {
      let target = folder.appendingPathComponent("target").path
      #expect(FileManager.default.createFile(atPath: target, contents: Data("mine".utf8)))
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
      let reports = Reports()
      let file = AuditFile(path) { reports.add($0) }
      for number in 1...3 { file.append(entry(number)) }
      file.flush(within: 60_000)
      #expect(reports.all.count == 1)
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
      try FileManager.default.removeItem(atPath: path)
      file.append(entry(4))
      file.flush(within: 60_000)
      let lines = try lines(of: path)
      #expect(lines.map { $0["event"]?.string } == ["audit.missing", "entry.marked"])
      #expect(lines[0]["count"] == 3)
    }
  }
}
