/// Two elements that stand for one another, by their places.
struct SequenceMatch: Equatable {
  var old: Int
  var new: Int
}

/// Finds which elements of a sequence are still there in another, in the same order.
///
/// Few differences are found exactly, by Myers' algorithm. Beyond `editLimit` the elements that
/// occur once on either side are lined up first, as many as keep their order, and what lies between
/// them is looked at by itself. So the time is never more than about `editLimit` times the length.
enum SequenceAlignment {
  /// The insertions and removals up to which the shortest list of them is sought.
  private static let editLimit = 96

  /// The matches, ascending in both.
  static func matches(_ old: [Int], _ new: [Int]) -> [SequenceMatch] {
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

  /// Myers' algorithm: for 0, 1, 2… edits how far each diagonal gets, until one gets to the end;
  /// then the way back. `nil` beyond the limit.
  private static func shortestEdit(
    _ old: ArraySlice<Int>, _ new: ArraySlice<Int>
  ) -> [SequenceMatch]? {
    let (width, height) = (old.count, new.count)
    guard width > 0, height > 0 else { return [] }
    guard abs(width - height) <= editLimit else { return nil }
    let most = min(width + height, editLimit)
    // `reach[diagonal + most + 1]` is how many elements of `old` were passed on that diagonal.
    var reach = [Int](repeating: 0, count: 2 * most + 3)
    var history: [[Int]] = []
    for edits in 0...most {
      history.append(reach)
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        let place = diagonal + most + 1
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
          return wayBack(history, most, (old.startIndex, width), (new.startIndex, height))
        }
      }
    }
    return nil
  }

  private static func wayBack(
    _ history: [[Int]], _ most: Int, _ old: (start: Int, count: Int),
    _ new: (start: Int, count: Int)
  ) -> [SequenceMatch] {
    var result: [SequenceMatch] = []
    var (x, y) = (old.count, new.count)
    for edits in history.indices.reversed() {
      let reach = history[edits]
      let diagonal = x - y
      let place = diagonal + most + 1
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

  /// The elements that occur once on either side, as many as keep their order.
  private static func anchors(_ old: [Int], _ new: [Int]) -> [SequenceMatch] {
    let symbols = 1 + max(old.max() ?? 0, new.max() ?? 0)
    let (oldPlaces, newPlaces) = (singlePlaces(old, symbols), singlePlaces(new, symbols))
    let candidates = old.indices.compactMap { place -> SequenceMatch? in
      guard oldPlaces[old[place]] == place, let other = newPlaces[old[place]] else { return nil }
      return SequenceMatch(old: place, new: other)
    }
    return longestRise(candidates)
  }

  /// Where each symbol stands; `nil` for one that stands nowhere or more than once.
  private static func singlePlaces(_ sequence: [Int], _ symbols: Int) -> [Int?] {
    var places = [Int?](repeating: nil, count: symbols)
    var counts = [Int](repeating: 0, count: symbols)
    for (place, symbol) in sequence.enumerated() {
      counts[symbol] += 1
      places[symbol] = counts[symbol] == 1 ? place : nil
    }
    return places
  }

  /// The longest choice of matches, ascending by `old` as they come, that ascends by `new` too.
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
