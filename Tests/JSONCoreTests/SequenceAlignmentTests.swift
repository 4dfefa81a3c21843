import TestSupport
import Testing

@testable import JSONCore

@Suite("Alignment of sequences")
struct SequenceAlignmentTests {
  @Test("finds the longest common subsequence where few elements differ")
  func findsLongestCommonSubsequenceWhereFewElementsDiffer() {
    let seed: UInt64 = 0x5EED_0004
    var random = SeededGenerator(seed: seed)
    for round in 0..<2_000 {
      let old = (0..<Int.random(in: 0..<14, using: &random)).map { _ in
        Int.random(in: 0..<5, using: &random)
      }
      let new = (0..<Int.random(in: 0..<14, using: &random)).map { _ in
        Int.random(in: 0..<5, using: &random)
      }
      let matches = SequenceAlignment.matches(old, new)
      #expect(
        matches.count == Self.commonLength(old, new), "seed \(seed), round \(round) \(old) \(new)")
      Self.check(matches, old, new)
    }
  }

  @Test("aligns elements that occur once when many differ")
  func alignsElementsThatOccurOnceWhenManyDiffer() {
    let old = Array(0..<1_000)
    let new = (0..<1_000).map { $0 % 2 == 0 ? $0 : 5_000 - $0 }
    let matches = SequenceAlignment.matches(old, new)
    #expect(matches.count == 500)
    Self.check(matches, old, new)
  }

  private static func check(_ matches: [SequenceMatch], _ old: [Int], _ new: [Int]) {
    for match in matches { #expect(old[match.old] == new[match.new]) }
    for (left, right) in zip(matches, matches.dropFirst()) {
      #expect(left.old < right.old && left.new < right.new)
    }
  }

  /// The length by the textbook's table.
  private static func commonLength(_ old: [Int], _ new: [Int]) -> Int {
    var row = [Int](repeating: 0, count: new.count + 1)
    for left in old {
      var diagonal = 0
      for (index, right) in new.enumerated() {
        let above = row[index + 1]
        row[index + 1] = left == right ? diagonal + 1 : max(above, row[index])
        diagonal = above
      }
    }
    return row[new.count]
  }
}
