import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines

@testable import Recorder

@Suite("A program that crashes")
struct CrashTests {
  /// The signal that the system ends a program with that dies in this way.
  static let ways: [(way: String, signals: [Int32])] = [
    ("fatal", [SIGILL, SIGTRAP]), ("index", [SIGILL, SIGTRAP]), ("none", [SIGILL, SIGTRAP]),
    ("division", [SIGILL, SIGTRAP, SIGFPE]), ("abort", [SIGABRT]),
    // As abort() of glibc 2.41 does if the signal was blocked when the program started.
    ("blockedAbort", [SIGABRT]), ("wild", [SIGSEGV]), ("stack", [SIGSEGV]),
  ]

  /// Without the runtime's own backtrace, which takes seconds.
  static let quiet = ["SWIFT_BACKTRACE": "enable=no"]

  private func timeline(in path: String) throws -> Timeline {
    try TimelineFile.read(Array(Data(contentsOf: URL(filePath: path)))).timeline
  }

  private func check(_ timeline: Timeline, _ way: String) throws {
    #expect(timeline.entries.count == 7)
    let last = try #require(timeline.entries.last)
    #expect(last.error == "trapped" && last.isThinned)
    #expect(last.event?.text == #"{"die":{"_0":"\#(way)"}}"#)
    #expect(timeline.state(at: 5)?["count"]?.int == 5)
  }

  @Test(
    "leaves the event in which it crashed in the file, and ends with the same signal",
    arguments: ways)
  func file(way: String, signals: [Int32]) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.timeline")
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["trap", way, path],
      environment: Self.quiet, mergesErrors: true)
    let status = probe.end()
    #expect(signals.contains(-status), "ended with \(status): \(probe.lines)")
    try check(timeline(in: path), way)
  }

  @Test(
    "leaves it there for functions, adapters and feedback systems, and beside a stuck recorder",
    arguments: ["onCaller", "function", "inPlace", "composable", "feedback", "crowd"])
  func kinds(kind: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.timeline")
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["trap", "fatal", path, kind],
      environment: Self.quiet, mergesErrors: true)
    #expect(probe.end() < 0)
    try check(timeline(in: path), "fatal")
  }

  @Test("leaves it there even if it is the first event")
  func first() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.timeline")
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["trap", "fatal", path, "first"],
      environment: Self.quiet, mergesErrors: true)
    #expect(probe.end() < 0)
    let timeline = try timeline(in: path)
    #expect(timeline.entries.count == 2)
    let last = try #require(timeline.entries.last)
    #expect(last.error == "trapped" && last.event?.text == #"{"die":{"_0":"fatal"}}"#)
  }

  @Test("leaves it there while other threads keep sending")
  func busy() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("runs")
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["trap", "fatal", path, "busy"],
      environment: Self.quiet, mergesErrors: true)
    #expect(probe.end() < 0)
    try check(timeline(in: "\(path)/fragile.timeline"), "fatal")
  }

  @Test("leaves no event that the filter excludes")
  func denied() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.timeline")
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["trap", "fatal", path, "denied"],
      environment: Self.quiet, mergesErrors: true)
    #expect(probe.end() < 0)
    let events = try timeline(in: path).entries.compactMap { $0.event?.text }
    #expect(events == Array(repeating: #"{"add":{}}"#, count: 5))
  }

  @Test("keeps the runtime's own backtrace")
  func backtrace() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.timeline")
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["trap", "fatal", path],
      environment: ["SWIFT_BACKTRACE": "enable=yes,color=no,interactive=no"], mergesErrors: true)
    #expect(probe.end() < 0)
    #expect(eventually { probe.lines.contains { $0.contains("TrapScene.swift") } })
    try check(timeline(in: path), "fatal")
  }

  @Test("delivers it to the daemon before it ends", arguments: ["fatal", "abort"])
  func daemon(way: String) throws {
    let stage = try LiveDaemonTests.Stage()
    try stage.start()
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["trap", way, "\(stage.address)"],
      environment: Self.quiet, mergesErrors: true)
    #expect(probe.end() < 0)
    let folder = stage.folder.url
    var stored: Timeline?
    #expect(
      try eventually {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard let name = names.first(where: { $0.hasSuffix(".timeline") }) else { return false }
        // The file is empty before the header is written.
        stored = try? timeline(in: folder.appending(path: name).path)
        return stored?.entries.count == 7
      })
    try check(#require(stored), way)
    try stage.checkNoComplaint()
  }

  @Test("does not wait for an absent daemon")
  func noDaemon() throws {
    let folder = try TemporaryFolder()
    // The scene does not wait for a connection, either.
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"),
      ["trap", "fatal", "unix:\(folder.path("recorder.sock"))"],
      environment: Self.quiet, mergesErrors: true)
    #expect([SIGILL, SIGTRAP].contains(-probe.end()))
  }

  @Test("loses at most its last batch when it is killed while it writes")
  func killed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.timeline")
    let probe = try ChildProcess(ChildProcess.built("RecorderProbe"), ["killed", path])
    #expect(eventually { probe.lines.count > 20 })
    probe.kill()
    #expect(probe.end() == -SIGKILL)
    let reported = try #require(probe.lines.last.flatMap { Int64($0) })
    let timeline = try timeline(in: path)
    #expect(try #require(timeline.lastSeq) >= reported && timeline.lost.isEmpty)
  }
}
