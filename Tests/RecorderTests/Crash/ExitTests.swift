import Foundation
import TestSupport
import Testing
import Timelines

@testable import Recorder

@Suite("A program that exits")
struct ExitTests {
  /// A busy machine may need longer than the quarter of a second that an app waits.
  private func leave(
    _ place: String, recorders: Int = 1, milliseconds: Int = 120_000
  ) throws {
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["leave", place, "\(recorders)", "\(milliseconds)"],
      mergesErrors: true)
    #expect(probe.end() == 0)
  }

  private func count(in url: URL) throws -> Int {
    try TimelineFile.read(Array(Data(contentsOf: url))).timeline.entries.count
  }

  @Test("has all entries in its file")
  func file() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.timeline")
    try leave(path)
    #expect(try count(in: URL(filePath: path)) == 101)
  }

  @Test("delivers all entries to the daemon")
  func daemon() throws {
    let stage = try LiveDaemonTests.Stage()
    try stage.start()
    try leave("\(stage.address)")
    let folder = stage.folder.url
    #expect(
      try eventually {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard let name = names.first(where: { $0.hasSuffix(".timeline") }) else { return false }
        // The file is empty before the header is written.
        return (try? count(in: folder.appending(path: name))) == 101
      })
    try stage.checkNoComplaint()
  }

  @Test(
    "does not wait longer for many recorders than for one, where there is no daemon",
    .timeLimit(.minutes(10)))
  func noDaemon() throws {
    let folder = try TemporaryFolder()
    let place = "unix:\(folder.path("recorder.sock"))"
    // One after another they would wait for 16 minutes, longer than the test may take.
    try leave(place, recorders: 200, milliseconds: 5_000)
  }

  @Test(
    "reports in one line how many entries were not written",
    arguments: ["close", "thread", "unread"])
  func unwritten(end: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.timeline")
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["stuck", path, "308", end], mergesErrors: true)
    #expect(probe.end() == 0)
    let bytes = try Array(Data(contentsOf: URL(filePath: path)))
    #expect(bytes.contains(UInt8(ascii: "\n")), "the header is there at once")
    let written = bytes.count { $0 == UInt8(ascii: "\n") } - 1
    guard end != "unread" else { return }
    let lines = probe.lines
    #expect(lines.count == 1, "\(lines)")
    #expect(
      lines.first == """
        recorder: \(309 - written) entries were not written: the program ended first. To fix, call \
        close(within:) with more time before the program ends.
        """, "\(written) were written")
  }

  /// Sends many events, ends in that way, and returns what was reported as lost.
  private func part(_ place: String, _ end: String, events: Int = 100_000) throws -> Int {
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["parting", place, "\(events)", end],
      environment: CrashTests.quiet, mergesErrors: true)
    #expect((probe.end() == 0) == (end != "fatal"))
    return probe.lines.filter { $0.hasPrefix("recorder: ") }.reduce(0) { $0 + lost(in: $1) }
  }

  /// The numbers of entries that a line of the recorder reports as lost.
  private func lost(in line: String) -> Int {
    let losses =
      /([0-9]+) (?:more events were lost|events of .* were lost|entries were not (?:written|sent|stored)|entries had been dropped|entries did not reach)/
    return line.matches(of: losses).reduce(0) { $0 + (Int($1.1) ?? 0) }
  }

  @Test(
    "reports as many entries as its file lacks, however it ends",
    arguments: ["return", "released", "exit", "term", "fork"])
  func flooded(end: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.timeline")
    let reported = try part(path, end)
    let written = try count(in: URL(filePath: path))
    // Entry 0, and a step that is taken while they are counted.
    #expect(
      [100_001, 100_002].contains(written + reported), "\(written) written, \(reported) lost")
    #expect(reported > 0)
  }

  @Test("reports at least what its file lacks when it crashes")
  func flooded() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.timeline")
    let reported = try part(path, "fatal")
    let written = try count(in: URL(filePath: path))
    #expect(written + reported >= 100_001, "\(written) written, \(reported) lost")
  }

  @Test(
    "reports at least what a daemon does not have that reads slowly, or never",
    arguments: [["--pace", "2000"], ["--stall", "append"]], ["return", "released", "fatal"])
  func slowDaemon(arguments: [String], end: String) throws {
    let stage = try LiveDaemonTests.Stage(arguments)
    try stage.start()
    let reported = try part("\(stage.address)", end)
    let names = try FileManager.default.contentsOfDirectory(atPath: stage.folder.url.path)
    let stored = try names.filter { $0.hasSuffix(".timeline") }.reduce(0) {
      try $0 + count(in: URL(filePath: stage.folder.path($1)))
    }
    #expect(stored + reported >= 100_001, "\(stored) stored, \(reported) lost")
    #expect(arguments[0] == "--pace" || stored == 0)
    guard stored == 0, end != "fatal" else { return }
    // The thread may be interrupted while it passes a batch on, which is then counted twice.
    #expect(reported <= 101_000)
  }

  @Test("reports a requested daemon that is absent, and what it did not receive")
  func askedFor() throws {
    let folder = try TemporaryFolder()
    let place = "unix:\(folder.path("recorder.sock"))"
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["leave", place, "1", "60000"], mergesErrors: true)
    #expect(probe.end() == 0)
    let lines = probe.lines
    #expect(lines.count == 2, "\(lines)")
    #expect(lines.contains { $0.contains("The daemon at \(place) cannot be used: ") })
    #expect(
      lines.contains {
        $0.hasSuffix("To fix, start it: debugd serve --socket \(folder.path("recorder.sock"))")
      })
    #expect(
      lines.contains(
        "recorder: 101 entries were not sent to the daemon, for the reason above."))
  }

  @Test("is silent if no daemon was requested and none is running")
  func notAskedFor() throws {
    let folder = try TemporaryFolder()
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["leave", "daemon", "1", "60000"],
      environment: ["XDG_RUNTIME_DIR": folder.url.path, "DEBUGD": ""], mergesErrors: true)
    #expect(probe.end() == 0)
    #expect(probe.lines.isEmpty, "\(probe.lines)")
  }
}
