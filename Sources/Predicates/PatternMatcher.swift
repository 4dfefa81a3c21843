/// Walks over a text once and follows all ways through the program at the same time (Thompson's
/// simulation).
///
/// At each place of the text every instruction is visited at most once, so the work is bounded by
/// the product of both lengths, whatever the pattern.
struct PatternMatcher {
  private let program: PatternProgram

  /// Instructions visited so far: what a test holds against the bound.
  private(set) var steps = 0

  /// For each instruction the place of the text at which it was last visited.
  private var visited: [Int]
  /// The instructions that wait for the scalar at the present place.
  private var waiting: [Int] = []
  private var pending: [Int] = []

  init(_ program: PatternProgram) {
    self.program = program
    visited = Array(repeating: -1, count: program.instructions.count)
  }

  /// Whether the text has a place that fits.
  mutating func matches(_ text: String) -> Bool {
    var previous: Unicode.Scalar?
    var place = 0
    var taken: [Int] = []
    for scalar in text.unicodeScalars {
      if follow(from: taken, at: place, between: previous, and: scalar) { return true }
      taken.removeAll(keepingCapacity: true)
      for instruction in waiting {
        if case .one(let set) = program.instructions[instruction], fits(set, scalar) {
          taken.append(instruction + 1)
        }
      }
      previous = scalar
      place += 1
    }
    return follow(from: taken, at: place, between: previous, and: nil)
  }

  private func fits(_ set: ScalarSet, _ scalar: Unicode.Scalar) -> Bool {
    program.ignoresCase ? set.containsIgnoringCase(scalar) : set.contains(scalar)
  }

  /// Follows all that needs no scalar, from the given instructions and from the program's start;
  /// says whether the pattern fits.
  private mutating func follow(
    from starts: [Int], at place: Int, between previous: Unicode.Scalar?, and next: Unicode.Scalar?
  ) -> Bool {
    waiting.removeAll(keepingCapacity: true)
    pending.removeAll(keepingCapacity: true)
    pending.append(0)
    pending.append(contentsOf: starts)
    while let instruction = pending.popLast() {
      guard visited[instruction] != place else { continue }
      visited[instruction] = place
      steps += 1
      switch program.instructions[instruction] {
      case .match: return true
      case .one: waiting.append(instruction)
      case .jump(let target): pending.append(target)
      case .split(let first, let second):
        pending.append(second)
        pending.append(first)
      case .place(let wanted):
        if Self.isThere(wanted, between: previous, and: next) { pending.append(instruction + 1) }
      }
    }
    return false
  }

  private static func isThere(
    _ place: PatternTree.Place, between previous: Unicode.Scalar?, and next: Unicode.Scalar?
  ) -> Bool {
    func isWord(_ scalar: Unicode.Scalar?) -> Bool {
      scalar.map(ScalarSet.wordScalars.contains) ?? false
    }
    return switch place {
    case .start: previous == nil
    case .end: next == nil
    case .wordBoundary: isWord(previous) != isWord(next)
    case .noWordBoundary: isWord(previous) == isWord(next)
    }
  }
}
