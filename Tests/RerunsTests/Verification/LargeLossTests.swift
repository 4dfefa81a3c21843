import Foundation
import JSONCore
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer
@testable import Reruns

@Suite("A loss of more entries than can be iterated", .timeLimit(.minutes(10)))
struct LargeLossTests {
  private static let lost: Int64 = 1 << 51

  /// 100 entries, a loss of 2^51, and 50 entries that begin with a state.
  private static func recording() throws -> [Entry] {
    let whole = try Doors.recording(Doors.noise(149, seed: 5))
    let state = try #require(try Timeline.state(of: whole, at: 100))
    return try whole.map { entry in
      guard entry.seq >= 100 else { return entry }
      var draft = EntryDraft(entry)
      draft.seq += Self.lost
      if entry.seq == 100 {
        draft.gap = Gap(lost: Self.lost, why: "a flood")
        draft.state = state.encoded()[...]
      }
      return try draft.entry()
    }
  }

  @Test("is skipped by verification, comparison, and minimization")
  func proofs() async throws {
    try await RerunWorld.run(try Self.recording(), FunctionHosts(.doors)) { world in
      let verdict = try await world.verify()
      #expect(verdict.outcome == .same)
      #expect(verdict.entries == 148)
      let same = try await world.compare { $0.with = world.timeline }
      #expect(same.differing == 0)
      #expect(same.equal == 150)
    }
  }

  @Test(
    "is passed over by files",
    arguments: [.timeline, .jsonLines, .csv, .redux] as [ExportFormat])
  func files(format: ExportFormat) async throws {
    try await RerunWorld.run(try Self.recording(), FunctionHosts(.doors)) { world in
      let queries = QueryService(
        store: world.store, uploads: Uploads(store: world.store, limits: ServerLimits()),
        limits: ServerLimits())
      // From inside the loss: the file starts with the first entry after it.
      for from in [nil, 1_000] as [Int64?] {
        let file = try await queries.export(
          FromInspector.Export {
            $0.timeline = world.timeline
            $0.format = format
            $0.from = from
          }
        ) { _ in }
        let text = String(decoding: Data(base64Encoded: file.data) ?? Data(), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline)
        switch format {
        case .timeline, .csv: #expect(lines.count == (from == nil ? 151 : 51))
        case .jsonLines: #expect(lines.count == (from == nil ? 150 : 50))
        default: #expect(!lines.isEmpty)
        }
        guard format == .timeline, from != nil else { continue }
        #expect(try Entry(reading: String(lines[1])).isKeyframe)
      }
    }
  }
}
