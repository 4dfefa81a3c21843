/// Two matching elements, by their positions.
package struct SequenceMatch: Equatable, Sendable {
  package var old: Int
  package var new: Int
}

/// Finds which elements of a sequence also occur in another one, in the same order.
///
/// Myers' algorithm finds a few differences exactly. Beyond `editLimit`, the elements that occur
/// once on each side are aligned first, as many as keep their order, and the ranges between them
/// are aligned separately. So the time is never more than about `editLimit` times the length.
package enum SequenceAlignment {
  /// The maximum number of insertions and removals for which the shortest list is searched.
  private static let editLimit = 96

  /// The matches, ascending in both.
  package static func matches(_ old: [Int], _ new: [Int]) -> [SequenceMatch] {
    if let matches = shortestEdit(old[...], new[...]) { return matches }
    var result: [SequenceMatch] = []
    var (oldIndex, newIndex) = (0, 0)
    for anchor in anchors(old, new) + [SequenceMatch(old: old.count, new: new.count)] {
      result += shortestEdit(old[oldIndex..<anchor.old], new[newIndex..<anchor.new]) ?? []
      if anchor.old < old.count { result.append(anchor) }
      (oldIndex, newIndex) = (anchor.old + 1, anchor.new + 1)
    }
    return result
  }

  /// Myers' algorithm: for 0, 1, 2… edits, how far each diagonal reaches, until one reaches the
  /// end; then it backtracks. `nil` beyond the limit.
  private static func shortestEdit(
    _ old: ArraySlice<Int>, _ new: ArraySlice<Int>
  ) -> [SequenceMatch]? {
    let (width, height) = (old.count, new.count)
    guard width > 0, height > 0 else { return [] }
    guard abs(width - height) <= editLimit else { return nil }
    let maximum = min(width + height, editLimit)
    // `reach[diagonal + maximum + 1]` is how many elements of `old` were passed on that diagonal.
    var reach = [Int](repeating: 0, count: 2 * maximum + 3)
    var history: [[Int]] = []
    for edits in 0...maximum {
      history.append(reach)
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        let place = diagonal + maximum + 1
        let isInsertion =
          diagonal == -edits || diagonal != edits && reach[place - 1] < reach[place + 1]
        var x = isInsertion ? reach[place + 1] : reach[place - 1] + 1
        while x < width, x - diagonal < height, x - diagonal >= 0,
          old[old.startIndex + x] == new[new.startIndex + x - diagonal]
        {
          x += 1
        }
        reach[place] = x
        if x >= width, x - diagonal >= height {
          return backtrack(history, maximum, (old.startIndex, width), (new.startIndex, height))
        }
      }
    }
    return nil
  }

  private static func backtrack(
    _ history: [[Int]], _ maximum: Int, _ old: (start: Int, count: Int),
    _ new: (start: Int, count: Int)
  ) -> [SequenceMatch] {
    var result: [SequenceMatch] = []
    var (x, y) = (old.count, new.count)
    for edits in history.indices.reversed() {
      let reach = history[edits]
      let diagonal = x - y
      let place = diagonal + maximum + 1
      let isInsertion =
        diagonal == -edits || diagonal != edits && reach[place - 1] < reach[place + 1]
      let before = isInsertion ? reach[place + 1] : reach[place - 1]
      let (beforeX, beforeY) = (before, before - (isInsertion ? diagonal + 1 : diagonal - 1))
      while x > max(beforeX, 0), y > max(beforeY, 0) {
        (x, y) = (x - 1, y - 1)
        result.append(SequenceMatch(old: old.start + x, new: new.start + y))
      }
      (x, y) = (beforeX, beforeY)
    }
    return result.reversed()
  }

  /// The elements that occur once on each side, as many as keep their order.
  private static func anchors(_ old: [Int], _ new: [Int]) -> [SequenceMatch] {
    let symbols = 1 + max(old.max() ?? 0, new.max() ?? 0)
    let (oldPlaces, newPlaces) = (singlePlaces(old, symbols), singlePlaces(new, symbols))
    let candidates = old.indices.compactMap { place -> SequenceMatch? in
      guard oldPlaces[old[place]] == place, let other = newPlaces[old[place]] else { return nil }
      return SequenceMatch(old: place, new: other)
    }
    return longestRise(candidates)
  }

  /// The position of each symbol; `nil` if it occurs never or more than once.
  private static func singlePlaces(_ sequence: [Int], _ symbols: Int) -> [Int?] {
    var places = [Int?](repeating: nil, count: symbols)
    var counts = [Int](repeating: 0, count: symbols)
    for (place, symbol) in sequence.enumerated() {
      counts[symbol] += 1
      places[symbol] = counts[symbol] == 1 ? place : nil
    }
    return places
  }

  /// The longest subsequence of matches, which ascend by `old`, that also ascends by `new`.
  private static func longestRise(_ candidates: [SequenceMatch]) -> [SequenceMatch] {
    // `ends[length - 1]` is the candidate with the smallest `new` that ends a rise of that length.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: candidates.count)
    for (index, candidate) in candidates.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if candidates[ends[middle]].new < candidate.new { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var result: [SequenceMatch] = []
    var next = ends.last
    while let index = next {
      result.append(candidates[index])
      next = previous[index]
    }
    return result.reversed()
  }
}
