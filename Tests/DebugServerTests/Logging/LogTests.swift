import DebugServer
import JSONCore
import Synchronization
import Testing
import Timelines

@Suite("The log")
struct LogTests {
  private func lines(
    _ form: StreamLog.Form, _ threshold: LogLevel = .info, _ events: [LogEvent]
  ) -> [String] {
    let lines = LockedLines()
    let log = StreamLog(
      form: form, threshold: threshold, now: { Timestamp(microseconds: 1_500_000) }
    ) { lines.add($0) }
    for event in events { log.write(event) }
    return lines.all
  }

  @Test("writes for people on a terminal")
  func human() {
    let event = LogEvent(.warning, "disk.low", "The disk is nearly full.", ["timelines": 3])
    #expect(
      lines(.human, .info, [event]) == ["00:00:01 warning: The disk is nearly full. timelines=3\n"])
  }

  @Test("writes JSON elsewhere")
  func json() throws {
    let event = LogEvent(.info, "listening", "Here.", ["address": "http://[::1]:7357/"])
    let line = try #require(lines(.json, .info, [event]).first)
    let json = try JSON(parsing: line)
    #expect(
      json == [
        "time": "1970-01-01T00:00:01.5Z", "level": "info", "event": "listening",
        "message": "Here.", "address": "http://[::1]:7357/",
      ])
  }

  @Test("omits events below the threshold")
  func threshold() {
    let events = LogLevel.allCases.map { LogEvent($0, "e", $0.rawValue) }
    #expect(lines(.human, .warning, events).count == 2)
  }

  @Test("cuts texts that are longer than any of the daemon's own, in both forms")
  func long() {
    let long = String(repeating: "x", count: 300_000)
    for form in [StreamLog.Form.human, .json] {
      let written = lines(form, .info, [LogEvent(.info, "e", long, ["name": long])]).joined()
      #expect(written.unicodeScalars.count(where: { $0 == "x" }) == 2 * 4_096)
      #expect(written.unicodeScalars.count(where: { $0 == "…" }) == 2)
      let short = String(long.prefix(4_096))
      #expect(lines(form, .info, [LogEvent(.info, "e", short)]).joined().contains(short))
      #expect(!lines(form, .info, [LogEvent(.info, "e", short)]).joined().contains("…"))
    }
  }

  @Test("shows control and bidirectional characters as escapes, in both forms")
  func hostile() {
    let evil = "a\u{1B}[2Jb\u{202E}c\nd\u{7F}\u{9B}e\u{2028}"
    for form in [StreamLog.Form.human, .json] {
      let written = lines(form, .info, [LogEvent(.info, "e", evil, ["name": evil])]).joined()
      for scalar in written.unicodeScalars.dropLast() {
        #expect(scalar.value >= 0x20 && scalar.value != 0x7F && scalar.value != 0x9B)
        #expect(scalar.value != 0x202E && scalar.value != 0x2028)
      }
      #expect(written.contains("u{202e}"))
    }
  }
}

private final class LockedLines: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}
