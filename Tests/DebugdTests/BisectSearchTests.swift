import Testing

@testable import debugd

@Suite("The search for a commit")
struct BisectSearchTests {
  /// The commits between a search's ends in a history without merges, the middle first.
  private static func candidates(_ search: BisectSearch) -> [String] {
    let first = search.old.compactMap { Int($0) }.max() ?? 0
    let last = Int(search.new) ?? 0
    let between = Array(first + 1...max(first + 1, last))
    let middle = (first + last) / 2
    return between.sorted { abs($0 - middle) < abs($1 - middle) }.map { "\($0)" }
  }

  /// Runs a search over `0...count`; the step that ends it, and how many commits it ran.
  private static func search(
    count: Int, bug: Int, untestable: Set<Int> = []
  ) -> (end: BisectSearch.Step, runs: Int, lefts: [Int]) {
    var search = BisectSearch(from: "0", to: "\(count)")
    var runs = 0
    var lefts: [Int] = []
    while true {
      let step = search.next(among: candidates(search))
      guard case .run(let commit, let left) = step, let number = Int(commit) else {
        return (step, runs, lefts)
      }
      runs += 1
      lefts.append(left)
      search.record(commit, isNew: untestable.contains(number) ? nil : number >= bug)
    }
  }

  @Test("finds the change at every place, in as many runs as it promises")
  func everyPlace() {
    for count in 1...40 {
      for bug in 1...count {
        let (end, runs, lefts) = Self.search(count: count, bug: bug)
        #expect(end == .found("\(bug)"), "\(bug) of \(count)")
        if let first = lefts.first { #expect(runs <= first + 1, "\(bug) of \(count)") }
      }
    }
  }

  @Test("never blames a commit that it did not separate from untestable ones")
  func untestable() {
    for bug in 1...8 {
      for mask in 0..<128 {
        // The last commit is the end of the range, which was tested.
        let untestable = Set((1...7).filter { mask >> ($0 - 1) & 1 == 1 })
        let end = Self.search(count: 8, bug: bug, untestable: untestable).end
        // The commits that no test separates from the change: those before it that cannot be tested,
        // back to one that can, and the first at or after it that can.
        let last = (bug...8).first { !untestable.contains($0) } ?? 8
        let first = ((0..<bug).last { !untestable.contains($0) } ?? 0) + 1
        if first == last {
          #expect(end == .found("\(last)"), "\(bug), \(untestable)")
        } else if case .undecided(let commits) = end {
          #expect(Set(commits) == Set((first...last).map { "\($0)" }), "\(bug), \(untestable)")
        } else {
          Issue.record("\(bug), \(untestable): \(end)")
        }
      }
    }
  }
}
