import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines

@testable import Recorder

@Suite("A program that survives a fatal signal")
struct SurvivalTests {
  private static let kinds = ["machine", "onCaller", "function", "inPlace", "composable"]

  private func run(_ way: String, _ place: String, _ kind: String = "machine") throws {
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["survived", way, place, kind],
      environment: CrashTests.quiet, mergesErrors: true)
    #expect(probe.end() == 0)
    #expect(probe.line(beginning: "closed") == "closed true")
  }

  /// The timeline in a file, each line of which must follow the one before.
  private func timeline(in path: String) throws -> Timeline {
    let lines = try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n"))
    let read = try TimelineFile.read(Array(Data(contentsOf: URL(filePath: path)))).timeline
    var strict = Timeline(read.header)
    for line in lines.dropFirst() { try strict.append(Entry(reading: Array(line))) }
    return strict
  }

  private func check(_ timeline: Timeline, _ way: String, error: String?) {
    #expect(timeline.entries.map(\.seq) == Array(0...9))
    #expect(timeline.entries.map(\.event?.text).filter { $0?.contains(way) == true }.count == 1)
    #expect(timeline.entries.map(\.error) == (0...9).map { $0 == 6 ? error : nil })
    #expect((7...9).map { timeline.state(at: $0)?["count"]?.int } == [6, 7, 8])
    #expect(timeline.lost.isEmpty && timeline.disagreements().isEmpty)
  }

  @Test("records the event once if its own handler recovers", arguments: kinds)
  func recovered(kind: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.timeline")
    try run("wild", path, kind)
    try check(timeline(in: path), "wild", error: "trapped")
  }

  @Test("records nothing special for a signal that it ignores", arguments: ["machine", "function"])
  func ignored(kind: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.timeline")
    try run("breakpoint", path, kind)
    try check(timeline(in: path), "breakpoint", error: nil)
  }
}
