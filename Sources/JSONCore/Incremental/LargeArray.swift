extension Array: LargeValue where Element: Encodable {
  // Brackets, and a byte and a comma for each.
  var leastByteCount: Int { 2 * count + 1 }
  var partCount: Int? { count }

  func recordDifference(
    from old: any LargeValue, nesting: Int, in difference: ValueDifference
  ) throws -> Int? {
    guard let old = old as? Self, let layout = difference.engine.layout(of: Element.self)
    else { return nil }
    var growth = count - old.count
    // Positions after the previous hunks were applied, because later operations refer to those.
    for hunk in hunks(from: old, layout) {
      let before = try difference.engine.skeleton(nesting: nesting) {
        try $0.encodeSlice(old[hunk.old])
      }
      let after = try difference.engine.skeleton(nesting: nesting) {
        try $0.encodeSlice(self[hunk.new])
      }
      growth += try difference.recordElements(
        before, after, firstIndex: hunk.new.lowerBound,
        following: old.count - hunk.old.upperBound)
      // Both texts are arrays of their own, with commas between; ours lie between others.
      growth -= Swift.max(hunk.new.count - 1, 0) - Swift.max(hunk.old.count - 1, 0)
    }
    return growth
  }

  /// Stretches that differ, ascending.
  private func hunks(from old: Self, _ layout: ByteLayout) -> [Hunk] {
    // Safe: both buffers are lent for the call, and `layout` is that of Element; every index is
    // within the counts.
    old.withUnsafeBytes { oldBytes in
      withUnsafeBytes { newBytes in
        guard let old = oldBytes.baseAddress, let new = newBytes.baseAddress else {
          return [Hunk(old: 0..<oldBytes.count / layout.stride, new: indices)]
        }
        return ArrayComparison(
          layout: layout, old: old, oldCount: oldBytes.count / layout.stride, new: new,
          newCount: count
        ).hunks()
      }
    }
  }
}

extension EncodingEngine {
  /// Writes some elements as an array of their own, which itself is not left out.
  fileprivate func encodeSlice<Element: Encodable>(_ slice: ArraySlice<Element>) throws {
    try slice.withUnsafeBufferPointer { try encodeArray($0) }
  }
}

/// A stretch of elements that are others than before; either side may be empty.
struct Hunk: Equatable {
  var old: Range<Int>
  var new: Range<Int>
}

/// Finds where two arrays differ by the bytes of their elements, without encoding them.
struct ArrayComparison {
  let layout: ByteLayout
  // Safe: valid for the counts given with them as long as this value is used.
  let old: UnsafeRawPointer
  let oldCount: Int
  let new: UnsafeRawPointer
  let newCount: Int

  /// How far ahead a match is looked for when elements differ: enough for what one event inserts
  /// or removes in one place; more is found by alignment.
  private static let lookAhead = 8

  /// Stretches that differ, ascending and apart from one another.
  func hunks() -> [Hunk] {
    let shorter = min(oldCount, newCount)
    let prefix = layout.commonPrefix(old, new, shorter)
    if prefix == oldCount, prefix == newCount { return [] }
    let suffix = layout.commonSuffix(
      old + oldCount * layout.stride, new + newCount * layout.stride, shorter - prefix)
    let middle = Hunk(old: prefix..<oldCount - suffix, new: prefix..<newCount - suffix)
    // A small middle is aligned by the text of its elements, which knows their ids.
    if middle.old.isEmpty || middle.new.isEmpty || middle.old.count + middle.new.count <= 32 {
      return [middle]
    }
    return steps(middle) ?? aligned(middle)
  }

  @inline(__always)
  private func isSame(_ oldIndex: Int, _ newIndex: Int) -> Bool {
    layout.isSame(old + oldIndex * layout.stride, new + newIndex * layout.stride)
  }

  /// Walks both at once and steps over small differences; `nil` when it loses its way.
  private func steps(_ middle: Hunk) -> [Hunk]? {
    var hunks: [Hunk] = []
    var (oldIndex, newIndex) = (middle.old.lowerBound, middle.new.lowerBound)
    let (oldEnd, newEnd) = (middle.old.upperBound, middle.new.upperBound)
    var changed = 0
    while oldIndex < oldEnd, newIndex < newEnd {
      if isSame(oldIndex, newIndex) {
        oldIndex += 1
        newIndex += 1
        continue
      }
      guard let (oldStep, newStep) = step(oldIndex, oldEnd, newIndex, newEnd) else { return nil }
      append(oldIndex..<oldIndex + oldStep, newIndex..<newIndex + newStep, to: &hunks)
      oldIndex += oldStep
      newIndex += newStep
      changed += max(oldStep, newStep)
      // Nearly everything differs: perhaps it only moved by more than one can see from here.
      if changed > 64, changed * 2 > oldIndex - middle.old.lowerBound { return nil }
    }
    if oldIndex < oldEnd || newIndex < newEnd {
      append(oldIndex..<oldEnd, newIndex..<newEnd, to: &hunks)
    }
    return hunks
  }

  /// The fewest elements to pass over until two match again.
  private func step(
    _ oldIndex: Int, _ oldEnd: Int, _ newIndex: Int, _ newEnd: Int
  ) -> (Int, Int)? {
    let (oldLeft, newLeft) = (oldEnd - oldIndex, newEnd - newIndex)
    for total in 1...Self.lookAhead {
      // The same number on both sides first: an element that changed is more likely than others.
      if total <= oldLeft, total <= newLeft,
        matches(oldIndex + total, oldEnd, newIndex + total, newEnd)
      {
        return (total, total)
      }
      for fewer in 0..<total {
        if fewer <= oldLeft, total <= newLeft,
          matches(oldIndex + fewer, oldEnd, newIndex + total, newEnd)
        {
          return (fewer, total)
        }
        if total <= oldLeft, fewer <= newLeft,
          matches(oldIndex + total, oldEnd, newIndex + fewer, newEnd)
        {
          return (total, fewer)
        }
      }
    }
    return nil
  }

  /// Whether both sides go on alike from there: by two elements, as one may be alike by chance.
  private func matches(_ oldIndex: Int, _ oldEnd: Int, _ newIndex: Int, _ newEnd: Int) -> Bool {
    if oldIndex == oldEnd || newIndex == newEnd { return oldIndex == oldEnd && newIndex == newEnd }
    guard isSame(oldIndex, newIndex) else { return false }
    return oldIndex + 1 == oldEnd || newIndex + 1 == newEnd || isSame(oldIndex + 1, newIndex + 1)
  }

  private func append(_ old: Range<Int>, _ new: Range<Int>, to hunks: inout [Hunk]) {
    if let last = hunks.last, last.old.upperBound == old.lowerBound,
      last.new.upperBound == new.lowerBound
    {
      hunks[hunks.count - 1] = Hunk(
        old: last.old.lowerBound..<old.upperBound, new: last.new.lowerBound..<new.upperBound)
    } else {
      hunks.append(Hunk(old: old, new: new))
    }
  }

  /// What is left between the elements that are still there in the same order.
  private func aligned(_ middle: Hunk) -> [Hunk] {
    var symbols: [[UInt8]: Int] = [:]
    func number(_ base: UnsafeRawPointer, _ range: Range<Int>) -> [Int] {
      range.map { index in
        let key = layout.key(base + index * layout.stride)
        let next = symbols.count
        return symbols[key]
          ?? {
            symbols[key] = next
            return next
          }()
      }
    }
    let oldSymbols = number(old, middle.old)
    let newSymbols = number(new, middle.new)
    var hunks: [Hunk] = []
    var (oldIndex, newIndex) = (middle.old.lowerBound, middle.new.lowerBound)
    let end = SequenceMatch(old: oldSymbols.count, new: newSymbols.count)
    for match in SequenceAlignment.matches(oldSymbols, newSymbols) + [end] {
      let (oldMatch, newMatch) = (
        match.old + middle.old.lowerBound, match.new + middle.new.lowerBound
      )
      if oldIndex < oldMatch || newIndex < newMatch {
        append(oldIndex..<oldMatch, newIndex..<newMatch, to: &hunks)
      }
      (oldIndex, newIndex) = (oldMatch + 1, newMatch + 1)
    }
    return hunks
  }
}
