import TestSupport
import Testing

@testable import Recorder

@Suite("A producer faster than the network")
struct FloodTests {
  @Test("stays within the memory limit, however much it produces")
  func memory() throws {
    let stage = try LiveDaemonTests.Stage()
    try stage.start(["--stall", "append"])
    func grown(by count: Int) throws -> Int {
      let probe = try ChildProcess(
        ChildProcess.built("RecorderProbe"),
        ["flood", "\(stage.address)", "\(count)", "\(2 << 20)", "0"])
      #expect(probe.end() == 0)
      let words = try #require(probe.line(beginning: "kept")).split(separator: " ")
      return try #require(Int(words[3]))
    }
    // 2 MiB are kept; the rest is one queue, the libraries, and what the allocator rounds up.
    #expect(try grown(by: 60_000) < 20 << 10)
  }

  @Test("keeps a whole recorder within its limit, ten times as fast as the daemon")
  func recorder() throws {
    let stage = try LiveDaemonTests.Stage()
    try stage.start(["--pace", "200"])
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["overload", "\(stage.address)", "3", "\(4 << 20)"])
    #expect(probe.end() == 0)
    let sent = try #require(probe.line(beginning: "connected")).split(separator: " ")
    let grown = try #require(probe.line(beginning: "grown")).split(separator: " ")
    #expect(sent[1] == "true")
    let stored = try #require(Int(sent[5]))
    #expect(try #require(Int(sent[3])) > 10 * stored && stored > 0)
    // 4 MiB of captured steps and 4 MiB of lines are kept. The rest is what waits of events without a
    // state, which are bounded by their number, a message on its way, and what the allocator rounds up.
    #expect(try #require(Int(grown[1])) < 40 << 10)
  }
}
