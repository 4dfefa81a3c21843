import JSONCore
import TestSupport
import Testing

/// Whether the patch of a step depends on what the encoder leaves out of the text.
///
/// A replay confirms an entry by the bytes of its patch, and may hold the same state in other
/// types, for which the encoder leaves out other parts.
@Suite("Incremental encoder: the limit from which values are left out")
struct IncrementalLimitTests {
  @Test("short lists on both sides of the limit have the same patches as full texts")
  func everyShortList() throws {
    let blocks = [0, 1].flatMap { id in [0, 1].map { Block(id: id, count: $0) } }
    var lists: [[Block]] = [[]]
    var longest = lists
    for _ in 0..<3 {
      longest = longest.flatMap { list in blocks.map { list + [$0] } }
      lists += longest
    }
    #expect(lists.count == 85)
    // Two blocks are as large as the limit.
    #expect(MemoryLayout<Block>.stride == 128)
    try expectSamePatches(lists)
  }

  @Test("lists, dictionaries, sets, and strings that cross the limit have the same patches too")
  func collectionsThatCrossLimitHavePatchesOfFullTexts() throws {
    // Each with each. The limit is at 32 elements.
    let few = [0, 1, 2, 15, 16, 17, 30, 31, 32, 33, 34, 39]
    let counts = Rounds.choose(few, all: Array(0..<40)) + [400]
    try expectSamePatches(counts.map { Array(0..<$0) })
    try expectSamePatches(counts.map { Array((0..<$0).reversed()) })
    try expectSamePatches(counts.map { Set(0..<$0) })
    try expectSamePatches(
      counts.map { count in Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", $0) }) })
    try expectSamePatches(counts.map { [String(repeating: "ab", count: $0 * 10), "c"] })
    try expectSamePatches(
      counts.map { count in (0..<count).map { String(repeating: "ab", count: $0 * 10) } })
  }

  @Test("an element that is added to a list at the limit is the whole patch")
  func oneAddition() throws {
    let before = (0..<31).map { $0 * 1_000 }
    var encoder = IncrementalEncoder<[Int]>()
    try encoder.start(before)
    #expect(
      String(decoding: try encoder.advance(to: before + [7]).patch, as: UTF8.self)
        == #"[{"op":"add","path":"/31","value":7}]"#)
    #expect(
      String(decoding: try encoder.advance(to: before).patch, as: UTF8.self)
        == #"[{"op":"remove","path":"/31"}]"#)
  }

  /// Steps from each value to each other, with parts left out and without.
  private func expectSamePatches<Value: Encodable>(
    _ values: [Value], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let full = CanonicalEncoder()
    let texts = try values.map { try full.encode($0) }
    for (place, before) in values.enumerated() {
      var reusing = IncrementalEncoder<Value>()
      try reusing.start(before)
      var plain = IncrementalEncoder<Value>(reusesUnchangedParts: false)
      try plain.start(before)
      for (otherPlace, after) in values.enumerated() {
        let comment: Comment = "from \(place) to \(otherPlace)"
        var (step, plainStep) = (reusing, plain)
        let patch = try step.advance(to: after).patch
        let expected = try plainStep.advance(to: after).patch
        try #require(
          String(decoding: patch, as: UTF8.self) == String(decoding: expected, as: UTF8.self),
          comment, sourceLocation: sourceLocation)
        try #require(
          step.byteCount == texts[otherPlace].count, comment, sourceLocation: sourceLocation)
      }
    }
  }

  /// Large in memory, so that short lists reach the limit.
  private struct Block: Encodable {
    var id: Int
    var count: Int
    var name = "so long that replacing a list of these takes more than changing it"
    private var rest: (Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0)
    private var more: (Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0)

    private enum CodingKeys: CodingKey { case id, count, name }

    init(id: Int, count: Int) {
      self.id = id
      self.count = count
    }
  }
}
