import JSONCore
import Testing
import Timelines

@testable import TimelineStore

@Suite("The index of a chunk")
struct TimelineIndexerTests {
  private func run(_ lines: [String]) throws -> EntryRun {
    try #require(EntryRun(first: 1, lines: lines.flatMap { Array($0.utf8) + [0x0A] }))
  }

  @Test("distinguishes at most 256 paths, and records the rest at their ancestors")
  func pathLimit() throws {
    let lines = (1...600).map {
      #"{"seq":\#($0),"t":0,"event":"e","patch":[{"op":"replace","path":"/cells/\#($0)/on","value":1}]}"#
    }
    let rows = TimelineIndexer().rows(for: try run(lines))
    func places(_ path: String) throws -> Set<UInt32> {
      let (root, rest) = try #require(ValueRoot.split(try Pointer(path)))
      let keys = Set(PathKeys(root, rest).all.map(\.number))
      let sets = rows.postings.filter { keys.contains($0.key) }
      return Set(sets.flatMap { PlaceSet(encoded: $0.seqs)?.places ?? [] })
    }
    for cell in [1, 2, 100, 126, 300, 599] {
      #expect(try places("/state/cells/\(cell)/on").contains(UInt32(cell - 1)))
      #expect(try places("/state/cells/\(cell)").contains(UInt32(cell - 1)))
    }
    // Paths with a node of their own are distinguished from the others.
    #expect(try places("/state/cells/3/on").isSubset(of: Set([2] + Array(100..<600))))
    #expect(try places("/state/cells").count == 600)
    #expect(rows.postings.count <= 2 * PostingBuilder.pathLimit)
  }

  @Test("notes elements that come and go by the class of their index")
  func shifts() throws {
    let lines = (1...40).map {
      #"{"seq":\#($0),"t":0,"event":"e","patch":[{"op":"add","path":"/log/\#(1_000 + $0)","value":1}]}"#
    }
    let rows = TimelineIndexer().rows(for: try run(lines))
    let (root, rest) = try #require(ValueRoot.split(try Pointer("/state/log/3/text")))
    let early = Set(PathKeys(root, rest).all.map(\.number))
    #expect(rows.postings.allSatisfy { !early.contains($0.key) })
    let (_, late) = try #require(ValueRoot.split(try Pointer("/state/log/1050")))
    let keys = Set(PathKeys(root, late).all.map(\.number))
    #expect(rows.postings.contains { keys.contains($0.key) })
  }

  @Test("counts names, errors, keyframes, thinned and lost entries")
  func counts() throws {
    let lines = [
      #"{"seq":1,"t":0,"event":{"a":{}},"state":{},"gap":{"lost":1,"why":"x"}}"#,
      #"{"seq":2,"t":0,"event":{"type":"b","x":1},"patch":[],"error":"no"}"#,
      #"{"seq":3,"t":0,"event":"b"}"#, #"{"seq":4,"t":0,"event":{"x":1,"y":2}}"#,
    ]
    let rows = TimelineIndexer().rows(for: try run(lines))
    let summary = try #require(StretchSummary(encoded: rows.summary))
    #expect(summary.entries == 4 && summary.errors == 1 && summary.lost == 1)
    #expect(summary.keyframes == 1 && summary.thinned == 2)
    #expect(summary.names.map(\.text) == ["a", "b"] && summary.names.map(\.count) == [1, 2])
    #expect(rows.names.map(\.name) == ["a", "b"])
    let twice = TimelineIndexer().summary(of: [rows.summary, rows.summary])
    #expect(StretchSummary(encoded: twice)?.names.map(\.count) == [2, 4])
  }
}
