import Testing
import Timelines

@testable import TimelineStore

@Suite("Extreme numbers")
struct NumberLimitTests {
  private static let far =
    #"{"seq":9223372036854775807,"t":9,"event":1,"state":1,"gap":{"lost":9223372036854775806,"why":"x"}}"#
  private static let late = #"{"seq":1,"t":9007199254740992,"event":1,"patch":[]}"#

  @Test("are refused where entries are appended")
  func appended() async throws {
    try await withStore(.small) { store in
      let sample = SampleTimeline(count: 1)
      try await store.record(sample)
      let id = sample.header.timeline
      await #expect(throws: StoreError(.order(TimelineError(.beyondNumbers, at: .max)))) {
        try await store.append(AppendBatch(id, [try Entry(reading: Self.far)]))
      }
      let lines = try await store.lines(of: id)
      #expect(lines.count == 1)
    }
  }

  @Test("are refused in files", arguments: [far, late])
  func imported(line: String) async throws {
    try await withStore(.small) { store in
      let sample = SampleTimeline(count: 1)
      var file = store.makeImport()
      let text = String(decoding: sample.file, as: UTF8.self) + line + "\n"
      await #expect(throws: StoreError.self) {
        try await file.add(Array(text.utf8))
        _ = try await file.finish()
      }
      let timelines = try await store.read { try $0.timelines() }
      #expect(timelines.isEmpty)
    }
  }
}
