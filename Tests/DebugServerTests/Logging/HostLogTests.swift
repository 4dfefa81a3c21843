import Reruns
import RerunsSupport
import Synchronization
import TestSupport
import Testing
import Wire

@testable import DebugServer

@Suite("The log of hosts")
struct HostLogTests {
  @Test("what hosts write for people goes to the log in lines that are cut, and not without end")
  func output() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    try HostWorld.script(
      #"""
      printf 'x%.0s' $(seq 5000) >&2
      seq 500 >&2
      echo '{"type":"hello","version":"1.0","can":{"host":{"place":"process","makes":["m"]}}}'
      cat >/dev/null
      """#, at: folder + "/Loud")
    let log = KeptLog()
    let keeper = HostManager(HostSettings(), observer: HostLog(log))
    try await keeper.add(FromInspector.Host { $0.executable = folder + "/Loud" })
    await keeper.stop()
    let lines = log.events.filter { $0.name == "host.output" }
    #expect(lines.count == HostLog.linesOfMinute)
    #expect(
      lines.first?.message
        == "Loud wrote: " + String(repeating: "x", count: 1_000) + "…")
    #expect(lines.dropFirst().first?.message == "Loud wrote: 2")
  }

  @Test("omitted lines of hosts are counted in the log when the minute is over")
  func omittedOutput() {
    let log = KeptLog()
    let start = ContinuousClock.now
    let now = Mutex(start)
    let output = HostLog(log) { now.withLock { $0 } }
    for _ in 0..<1_000 { output.wrote("line", host: "Loud") }
    output.flush()
    #expect(log.events.count == HostLog.linesOfMinute)
    now.withLock { $0 = start + .seconds(60) }
    output.flush()
    output.flush()
    #expect(log.events.count == HostLog.linesOfMinute + 1)
    #expect(log.events.last?.message == "800 more lines that hosts wrote were not logged.")
  }

  @Test("starts are limited in a minute, and the next minute counts the others")
  func limitedStarts() {
    let log = KeptLog()
    let start = ContinuousClock.now
    let now = Mutex(start)
    let hosts = HostLog(log) { now.withLock { $0 } }
    let host = ToInspector.HostSummary {
      $0.name = "App"
      $0.restarted = "The previous process ended."
    }
    for _ in 1...1_000 { hosts.started(host) }
    #expect(log.events.count == HostLog.eventsOfMinute)
    now.withLock { $0 = start + .seconds(60) }
    hosts.started(host)
    #expect(
      log.events.last?.message
        == "App makes nothing. The previous process ended. (940 more events were not logged)")
  }
}
