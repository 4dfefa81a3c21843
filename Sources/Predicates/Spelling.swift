/// Finds the intended word for a misspelled one.
package enum Spelling {
  /// The nearest word, if it is near enough for a typo.
  package static func nearest(to word: String, among words: [String]) -> String? {
    // Longer words are not typos, and the distance takes quadratic time.
    guard word.unicodeScalars.count <= 32 else { return nil }
    let ranked = words.map { (word: $0, distance: distance(word, $0)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    let allowed = word.unicodeScalars.count <= 4 ? 1 : 2
    return best.distance <= allowed ? best.word : nil
  }

  /// The number of scalars to insert, remove, replace, or swap with a neighbor, ignoring case.
  package static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left.lowercased().unicodeScalars)
    let right = Array(right.lowercased().unicodeScalars)
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 1...left.count {
      var current = [row] + last.dropFirst().map { _ in 0 }
      for column in 1...right.count {
        let isSame = left[row - 1] == right[column - 1]
        current[column] = min(
          last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2],
          left[row - 2] == right[column - 1]
        {
          current[column] = min(current[column], beforeLast[column - 2] + 1)
        }
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
