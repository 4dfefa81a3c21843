import TestSupport
import Testing

@testable import Timelines

@Suite("A set of seqs")
struct SeqSetTests {
  @Test("holds what a plain set holds", arguments: 0..<6 as Range<UInt64>)
  func agrees(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var set = SeqSet()
    var plain: Set<Int64> = []
    for round in 0..<80 {
      let low = Int64.random(in: 0...150, using: &generator)
      let high =
        generator.chance(0.7) ? low : min(160, low + .random(in: 0...30, using: &generator))
      set.insert(low...high)
      plain.formUnion(low...high)
      let a = Int64.random(in: 0...160, using: &generator)
      let b = Int64.random(in: a...160, using: &generator)
      let parts = set.parts(in: a...b)
      #expect(parts.flatMap(\.self) == plain.filter { (a...b).contains($0) }.sorted(), "\(seed)")
      #expect(Set(set.holes(in: a...b).flatMap(\.self)) == Set(a...b).subtracting(plain), "\(seed)")
      let held = (0...160 as ClosedRange<Int64>).filter { set.contains($0) }
      #expect(held == plain.sorted(), "seed \(seed), round \(round)")
      let areApart = zip(set.ranges, set.ranges.dropFirst()).allSatisfy { left, right in
        left.upperBound + 1 < right.lowerBound
      }
      #expect(areApart, "seed \(seed), round \(round)")
    }
  }

  @Test("keeps many ranges, in whatever order they come, and joins them again")
  func many() {
    var set = SeqSet()
    // Every third seq, the last ones first, then every other stretch in between.
    for place in (0..<3000 as Range<Int64>).reversed() { set.insert(place * 3...place * 3) }
    #expect(set.ranges.count == 3000)
    #expect(set.ranges == set.ranges.sorted { $0.lowerBound < $1.lowerBound })
    #expect(set.contains(3 * 1500) && !set.contains(3 * 1500 + 1))
    #expect(set.holes(in: 0...8).flatMap(\.self) == [1, 2, 4, 5, 7, 8])
    #expect(set.parts(in: 1499...4502).count == 1001)
    set.insert(1000...7000)
    #expect(set.parts(in: 0...9000).count == 333 + 1 + 666)
    #expect(set.parts(in: 999...7002) == [999...7000, 7002...7002])
    set.insert(0...9_000)
    #expect(set.ranges == [0...9_000])
    set.insert(.max ... .max)
    #expect(set.contains(.max) && set.holes(in: 9_000 ... .max) == [9_001 ... .max - 1])
  }
}
