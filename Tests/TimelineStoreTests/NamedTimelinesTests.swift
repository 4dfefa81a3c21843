import JSONCore
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

@Suite("Timelines that a word may mean")
struct NamedTimelinesTests {
  private static let apps = ["Shop", "Café", "a/b"]
  private static let names = [
    "coin", "Coin", "coin 2", "a/coin", "b/coin", "münze", #"say "hi""#, #"back\slash"#, "last",
    "app", "null", "c", "\u{2028}",
  ]

  /// The header of a recording or a branch, some with characters written as escapes.
  private static func header(
    _ random: inout SeededGenerator, of parents: [Header]
  ) throws -> Header {
    let id = TimelineID.random(using: &random)
    let machine = names.randomElement(using: &random) ?? ""
    var fields = Header.Fields(
      timeline: id, app: Header.App(name: apps.randomElement(using: &random) ?? ""),
      machine: Header.Machine(type: "T", name: machine),
      started: Timestamp(microseconds: Int64.random(in: 0...5, using: &random) * 1_000_000))
    if let parent = parents.randomElement(using: &random), random.chance(0.4) {
      fields.parent = Header.Parent(
        timeline: parent.timeline, through: 0, start: 1, edits: EditScript([]),
        name: names.randomElement(using: &random))
    }
    let header = try Header(fields)
    guard random.chance(0.3) else { return header }
    let text = String(decoding: header.line.bytes, as: UTF8.self)
    return try Header(reading: text.replacing("coin", with: #"\u0063oin"#))
  }

  /// Those that the word may mean, by its documentation.
  private static func expected(
    _ word: String, among records: [TimelineRecord], takesAll: Bool
  ) throws -> [TimelineID] {
    var seen: Set<String> = []
    return try records.filter { record in
      let header = try Header(reading: record.header)
      let (app, machine) = (header.app.name, header.machine.name)
      if record.id.text == word.lowercased() || record.name == word { return true }
      if word.count >= 4, record.id.text.hasPrefix(word.lowercased()) { return true }
      if header.parent?.name == word { return true }
      guard machine == word || app + "/" + machine == word else { return false }
      let isFirst = seen.insert("\(app) \(header.parent != nil)").inserted
      return takesAll || isFirst
    }.map(\.id)
  }

  @Test("are found like by reading all of them", arguments: 0..<4 as Range<UInt64>)
  func naive(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    try await withStore { store in
      var headers: [Header] = []
      for _ in 0..<60 {
        let header = try Self.header(&random, of: headers.filter { $0.parent == nil })
        if header.parent == nil {
          _ = try await store.open(header)
          let entry = try Entry(reading: Array(#"{"seq":0,"t":0,"state":{}}"#.utf8))
          _ = try await store.append(AppendBatch(header.timeline, [entry]))
        } else {
          _ = try await store.createBranch(header)
        }
        if random.chance(0.2) {
          try await store.rename(header.timeline, to: Self.names.randomElement(using: &random))
        }
        headers.append(header)
      }
      let all = try await store.read { try $0.timelines() }
      #expect(all.count == 60)
      let ids = headers.prefix(5).map(\.timeline.text)
      let paths = Self.apps.flatMap { app in Self.names.map { "\(app)/\($0)" } }
      let words =
        Self.names + paths + ids + ids.map { String($0.prefix(5)).uppercased() }
        + ids.map { String($0.prefix(3)) } + ["", "/", "nothing", "%", "_oin"]
      for word in words {
        for takesAll in [false, true] {
          let expected = try Self.expected(word, among: all, takesAll: takesAll)
          let found = try await store.read { try $0.timelines(named: word, takesAll: takesAll) }
          #expect(found.map(\.id) == expected, "\(word)")
        }
      }
      for count in [0, 1, 7, 60, 100] {
        let newest = try await store.read { try $0.timelines(newest: count) }
        #expect(newest.map(\.id) == all.prefix(count).map(\.id))
      }
    }
  }

  @Test("have the same record as in the list")
  func records() async throws {
    try await withStore(.small) { store in
      for seed in 0..<4 as Range<UInt64> {
        let sample = SampleTimeline(count: 150, seed: seed)
        try await store.record(sample)
        try await store.mark(sample.header.timeline, at: 3, "here \(seed)")
      }
      // In one read: sealing in the background changes what is stored between two.
      let found = try await store.read { reader in
        try reader.timelines().map { record in
          (
            record: record, alone: try reader.timeline(record.id),
            named: try reader.timelines(named: record.id.text)
          )
        }
      }
      #expect(found.count == 4)
      for (record, alone, named) in found {
        #expect("\(alone)" == "\(record)")
        #expect(named.map { "\($0)" } == ["\(record)"])
      }
    }
  }
}
