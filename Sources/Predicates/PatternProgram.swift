/// A pattern as instructions for the matcher.
struct PatternProgram: Hashable, Sendable {
  enum Instruction: Hashable, Sendable {
    /// Take a scalar of the set and go on.
    case one(ScalarSet)
    /// Go on only here.
    case place(PatternTree.Place)
    /// Go on at both.
    case split(Int, Int)
    /// Go on there.
    case jump(Int)
    /// The pattern fits.
    case match
  }

  private(set) var instructions: [Instruction] = []
  let ignoresCase: Bool

  init(_ tree: PatternTree, ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    emit(tree)
    instructions.append(.match)
  }

  private mutating func emit(_ tree: PatternTree) {
    switch tree {
    case .empty: break
    case .one(let set): instructions.append(.one(set))
    case .place(let place): instructions.append(.place(place))
    case .sequence(let parts): for part in parts { emit(part) }
    case .choice(let parts): emit(choice: parts)
    case .repeated(let part, let least, let most): emit(part, least: least, most: most)
    }
  }

  /// For all but the last: a split to the part and to the next one, and a jump to the end.
  private mutating func emit(choice parts: [PatternTree]) {
    var jumps: [Int] = []
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      let split = instructions.count
      if !isLast { instructions.append(.jump(0)) }
      emit(part)
      guard !isLast else { break }
      jumps.append(instructions.count)
      instructions.append(.jump(0))
      instructions[split] = .split(split + 1, instructions.count)
    }
    for jump in jumps { instructions[jump] = .jump(instructions.count) }
  }

  private mutating func emit(_ part: PatternTree, least: Int, most: Int?) {
    // Nothing a thousand times is nothing; without this, groups of it would multiply the work.
    guard part.size > 0 else { return }
    guard let most else {
      for _ in 1..<max(least, 1) { emit(part) }
      let start = instructions.count
      if least == 0 { instructions.append(.jump(0)) }
      emit(part)
      let split = instructions.count
      let loop = least == 0 ? start + 1 : start
      instructions.append(.split(loop, split + 1))
      if least == 0 { instructions[start] = .split(start + 1, split + 1) }
      return
    }
    for _ in 0..<least { emit(part) }
    var splits: [Int] = []
    for _ in least..<most {
      splits.append(instructions.count)
      instructions.append(.jump(0))
      emit(part)
    }
    for split in splits { instructions[split] = .split(split + 1, instructions.count) }
  }
}
