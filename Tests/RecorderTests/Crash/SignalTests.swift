import Foundation
import TestSupport
import Testing

@Suite("Signals of a program that records")
struct SignalTests {
  private func end(_ arguments: [String]) throws -> (status: Int32, said: String?) {
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), arguments, environment: ["DEBUGD": ""])
    let status = probe.end()
    return (status, probe.line(beginning: ""))
  }

  @Test(
    "nobody reads what the recorder says: the program goes on, and its own signals stay",
    arguments: ["recorder", "here", "pending"])
  func unreadLog(place: String) throws {
    let (status, said) = try end(["unreadLog", place])
    #expect(status == 0)
    #expect(said == "said true")
  }

  @Test("a spill file beyond the limit for files is refused, and the program goes on")
  func fullSpill() throws {
    let folder = try TemporaryFolder()
    let (status, said) = try end(["fullSpill", folder.path("spill")])
    #expect(status == 0)
    #expect(said == "inside written, beyond File too large")
  }

  @Test("what the program waits for is not taken by a thread of the recorder's")
  func awaited() throws {
    let folder = try TemporaryFolder()
    for place in [folder.path("a.timeline"), "unix:\(folder.path("nobody"))"] {
      let (status, said) = try end(["awaitedSignal", place])
      #expect(status == 0)
      #expect(said == "took true")
    }
  }

  @Test("Swift's runtime stops the recorder's threads, too, when it tells of a crash")
  func backtrace() throws {
    let folder = try TemporaryFolder()
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["trap", "fatal", folder.path("a.timeline")],
      environment: ["DEBUGD": "", "SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no"],
      mergesErrors: true)
    #expect(probe.end() != 0)
    #expect(probe.line(beginning: "Thread 0") != nil)
    #expect(probe.line(beginning: "swift-runtime: failed to suspend") == nil)
  }
}
