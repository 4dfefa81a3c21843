/// Finds the word that was probably meant.
enum Suggestion {
  /// The nearest of the words, when it is near enough to be a typo.
  static func nearest(to word: String, among words: [String]) -> String? {
    // Every one-letter name is one typo away from every other.
    guard word.count > 1 else { return nil }
    let limit = max(1, min(3, word.count / 3))
    return
      words.filter { $0.count > 1 }
      .map { (word: $0, distance: distance(word, $0)) }
      .filter { $0.distance <= limit || (word.count > 2 && $0.word.hasPrefix(word)) }
      .min { ($0.distance, $0.word) < ($1.distance, $1.word) }?
      .word
  }

  /// ` Did you mean 'x'?`, or nothing.
  static func sentence(for word: String, among words: [String]) -> String {
    nearest(to: word, among: words).map { " Did you mean '\($0)'?" } ?? ""
  }

  /// How many letters must be added, removed, replaced or swapped with the next one.
  static func distance(_ first: String, _ second: String) -> Int {
    // A longer word is hardly a typo, and the table below grows with their product.
    let a = Array(first.prefix(64))
    let b = Array(second.prefix(64))
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
