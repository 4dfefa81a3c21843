import Foundation
import TestSupport
import Testing
import Timelines

@testable import Recorder

@Suite("A program that simply ends")
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

  @Test("has all of it in its file")
  func file() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.timeline")
    try leave(path)
    #expect(try count(in: URL(filePath: path)) == 101)
  }

  @Test("has the daemon take it")
  func daemon() throws {
    let stage = try LiveDaemonTests.Stage()
    try stage.start()
    try leave("\(stage.address)")
    let folder = stage.folder.url
    #expect(
      try eventually {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard let name = names.first(where: { $0.hasSuffix(".timeline") }) else { return false }
        return try count(in: folder.appending(path: name)) == 101
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
        recorder: \(309 - written) entries were not written: the program ended first. To fix, give \
        close(within:) more time before the program ends.
        """, "\(written) were written")
  }

  @Test("reports a daemon that was asked for and is not there, and what it did not get")
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
        "recorder: 101 entries were not sent to the daemon: the program ended first."))
  }

  @Test("is silent where no daemon was asked for and none is there")
  func notAskedFor() throws {
    let folder = try TemporaryFolder()
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["leave", "daemon", "1", "60000"],
      environment: ["XDG_RUNTIME_DIR": folder.url.path, "DEBUGD": ""], mergesErrors: true)
    #expect(probe.end() == 0)
    #expect(probe.lines.isEmpty, "\(probe.lines)")
  }
}
