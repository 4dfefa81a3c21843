import TestSupport
import Testing

@testable import Recorder

@Suite("A producer faster than the network")
struct FloodTests {
  @Test("keeps the memory of the process within its bound, however much it produces")
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
}
