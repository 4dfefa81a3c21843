import Testing
import Wire

@testable import DebugServer

@Suite("Starts of hosts in the log")
struct HostChangeLogTests {
  private func host(_ start: Int) -> [ToInspector.HostSummary] {
    [
      ToInspector.HostSummary {
        $0.name = "App"
        $0.started = "start \(start)"
        $0.restarted = "The previous process ended."
      }
    ]
  }

  @Test("are limited in a minute, and the next minute counts the others")
  func limited() {
    let log = KeptLog()
    var changes = HostChangeLog(log)
    for start in 1...1_000 {
      changes.write(from: host(start - 1), to: host(start), at: Int64(start))
    }
    #expect(log.events.count == HostChangeLog.eventsOfMinute)
    changes.write(from: host(1_000), to: host(1_001), at: 61_000)
    #expect(
      log.events.last?.message
        == "App makes nothing. The previous process ended. (940 more events were not logged)")
  }
}
