import JSONCore
import StatesCore
import StatesTesting
import Testing
import Timelines

@Suite("Replayed timelines in memory")
struct ReplayTimelineTests {
  struct Counter: Reducible, Codable {
    var count = 0
    enum Event: Codable { case added(Int) }
    static func reduce(state: Counter, event: Event) -> Counter {
      switch event {
      case .added(let number): Counter(count: state.count + number)
      }
    }
  }

  private func timeline(_ lines: String...) throws -> Timeline {
    let header = """
      {"timeline":"0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a","app":{"name":"Tests"},"machine":\
      {"type":"Tests.Counter","name":"counter","kind":"states"},"started":"2026-01-01T00:00:00Z",\
      "format":1}
      """
    let text = ([header] + lines).joined(separator: "\n") + "\n"
    return try TimelineFile.read(Array(text.utf8)).timeline
  }

  private static let start = #"{"seq":0,"t":0,"state":{"count":0}}"#
  private static let added =
    #"{"seq":1,"t":1,"event":{"added":{"_0":2}},"patch":[{"op":"replace","path":"/count","value":2}]}"#

  @Test("replay like files")
  func replays() throws {
    let report = try replay(timeline(Self.start, Self.added), as: Counter.self)
    #expect(report.entries == 2)
    #expect(report.same == 2)
  }

  @Test("report where they differ, and do not mention recording a file again")
  func differs() throws {
    let wrong = Self.added.replacing(#""value":2"#, with: #""value":3"#)
    let recorded = try timeline(Self.start, wrong)
    let failure = #expect(throws: (any Error).self) {
      try replay(recorded, as: Counter.self)
    }
    let text = try #require(failure.map { "\($0)" })
    #expect(text.contains("counter: after event"))
    #expect(text.contains("(/state/count): expected 3, got 2") || text.contains("/state/count"))
    #expect(!text.contains("STATES_RERECORD"))
  }

  @Test("fail where they break a condition")
  func condition() throws {
    let recorded = try timeline(Self.start, Self.added)
    let failure = #expect(throws: (any Error).self) {
      try replay(recorded, as: Counter.self, expecting: .never("state.count == 2"))
    }
    let text = try #require(failure.map { "\($0)" })
    #expect(text.contains("This must never hold, and here it does: state.count == 2"))
    try replay(recorded, as: Counter.self, expecting: .never("state.count == 3"))
  }

  @Test("without entries fail, and say why")
  func empty() throws {
    let recorded = try timeline()
    let failure = #expect(throws: (any Error).self) { try replay(recorded, as: Counter.self) }
    #expect(failure.map { "\($0)" } == "counter: it has no entries.")
  }
}
