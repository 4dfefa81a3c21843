import Foundation
import TestSupport
import Testing

@Suite("Signals of a program that records")
struct SignalTests {
  private func end(_ arguments: [String]) throws -> (status: Int32, line: String?) {
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), arguments, environment: ["DEBUGD": ""])
    let status = probe.end()
    return (status, probe.line(beginning: ""))
  }

  @Test(
    "the log goes to a closed pipe: the program continues, and keeps its own signals",
    arguments: ["recorder", "here", "pending"])
  func unreadLog(place: String) throws {
    let (status, line) = try end(["unreadLog", place])
    #expect(status == 0)
    #expect(line == "logged true")
  }

  @Test("a spill file beyond the file size limit is refused, and the program continues")
  func fullSpill() throws {
    let folder = try TemporaryFolder()
    let (status, line) = try end(["fullSpill", folder.path("spill")])
    #expect(status == 0)
    #expect(
      line
        == "inside written, beyond File too large; to fix, raise ulimit -f, or use another file system"
    )
  }

  @Test("a signal that the program waits for is not delivered to the recorder's threads")
  func awaited() throws {
    let folder = try TemporaryFolder()
    for place in [folder.path("a.timeline"), "unix:\(folder.path("absent"))"] {
      let (status, line) = try end(["awaitedSignal", place])
      #expect(status == 0)
      #expect(line == "received true")
    }
  }

  @Test("Swift's runtime stops the recorder's threads, too, when it reports a crash")
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
