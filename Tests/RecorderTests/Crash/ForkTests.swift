import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines

@testable import Recorder

@Suite("A program that forks")
struct ForkTests {
  @Test(
    "leaves the parent its timeline, and gives the child one that says where it comes from",
    arguments: [[], ["onCaller"]])
  func fork(kind: [String]) throws {
    let folder = try TemporaryFolder()
    let (parent, child) = (folder.path("parent.timeline"), folder.path("child.timeline"))
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["fork", parent, child] + kind, mergesErrors: true)
    #expect(probe.end() == 0)
    #expect(probe.line(beginning: "child") == "child 0")
    let first = try TimelineFile.read(Array(Data(contentsOf: URL(filePath: parent)))).timeline
    #expect(first.entries.map(\.seq) == [0, 1, 2, 3, 4])
    let second = try TimelineFile.read(Array(Data(contentsOf: URL(filePath: child)))).timeline
    #expect(second.entries.map(\.seq) == [0, 1, 2])
    #expect(second.header.timeline != first.header.timeline)
    // What the child did before it recorded again is in no timeline.
    #expect(second.header.forkedFrom == EntryReference(timeline: first.header.timeline, seq: 3))
    #expect(second.state(at: 0)?["count"]?.int == 6)
    #expect(second.header.app.run != first.header.app.run)
  }

  @Test("does not wait for a lock held by a thread that the child does not have")
  func locks() throws {
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["forks", "200"], mergesErrors: true)
    #expect(probe.end() == 0)
    #expect(probe.line(beginning: "answered") == "answered 200")
  }

  @Test("locks in the thread that forked while others of the child wait for the lock")
  func contention() throws {
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["forkedLock", "200000"],
      environment: CrashTests.quiet, mergesErrors: true)
    #expect(probe.end() == 0)
    #expect(probe.line(beginning: "ended") == "ended with 0")
  }

  @Test("encodes in a child that was made while other threads encoded")
  func encoding() throws {
    let folder = try TemporaryFolder()
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["forkedEncoding", "40", folder.url.path],
      environment: CrashTests.quiet, mergesErrors: true)
    #expect(probe.end() == 0)
    #expect(probe.line(beginning: "recorded") == "recorded 40")
    let last = try TimelineFile.read(
      Array(Data(contentsOf: URL(filePath: folder.path("39.timeline")))))
    #expect(last.timeline.end?.state["count"]?.int == 2)
  }
}
