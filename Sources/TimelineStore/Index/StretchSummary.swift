/// Counts over a stretch of entries, as an overview draws them.
package struct StretchSummary: Hashable, Sendable {
  var entries: Int64 = 0
  /// Entries with an `error`.
  var errors: Int64 = 0
  /// Lost entries, from the `gap` of the next one.
  var lost: Int64 = 0
  var keyframes: Int64 = 0
  /// Entries whose state was not captured.
  var thinned: Int64 = 0
  /// Entries without an event, such as the first one; they belong to no lane.
  var eventless: Int64 = 0

  /// Entries by event name: the most frequent ones, sorted by name.
  private(set) var names: [Name] = []

  /// Entries with events of one name.
  struct Name: Hashable, Sendable {
    var text: String
    var count: Int64

    static func == (left: Name, right: Name) -> Bool {
      left.text.utf8.elementsEqual(right.text.utf8) && left.count == right.count
    }
  }

  /// The maximum number of names in a summary. A lane is affected only in a stretch with more names
  /// than a person can read; the entries of omitted names are still counted.
  static let nameLimit = 1_024

  init() {}

  /// Adds the counts of another stretch.
  mutating func add(_ other: StretchSummary) {
    entries += other.entries
    errors += other.errors
    lost = lost.addingReportingOverflow(other.lost).overflow ? .max : lost + other.lost
    keyframes += other.keyframes
    thinned += other.thinned
    eventless += other.eventless
    add(names: other.names)
  }

  /// Adds entries by name.
  ///
  /// - Precondition: the names are sorted by their bytes, each once.
  mutating func add(names more: [Name]) {
    guard !more.isEmpty else { return }
    guard !names.isEmpty else { return names = more }
    var merged: [Name] = []
    merged.reserveCapacity(max(names.count, more.count))
    var (left, right) = (names[...], more[...])
    while let first = left.first, let other = right.first {
      if first.text.utf8.elementsEqual(other.text.utf8) {
        merged.append(Name(text: first.text, count: first.count + other.count))
        left.removeFirst()
        right.removeFirst()
      } else if first.text.utf8.lexicographicallyPrecedes(other.text.utf8) {
        merged.append(left.removeFirst())
      } else {
        merged.append(right.removeFirst())
      }
    }
    names = merged + left + right
  }

  /// Drops the rarest names beyond the limit.
  mutating func trimNames() {
    guard names.count > Self.nameLimit else { return }
    let kept = Set(Self.mostFrequent(names, count: Self.nameLimit).map { EventName(text: $0.text) })
    names.removeAll { !kept.contains(EventName(text: $0.text)) }
  }

  /// The most frequent names, in descending order; for equal counts, in the order of their bytes.
  static func mostFrequent(_ names: [Name], count: Int) -> [Name] {
    // An unstable sort is enough: no two names are equal.
    let sorted = names.sorted {
      $0.count != $1.count
        ? $0.count > $1.count : $0.text.utf8.lexicographicallyPrecedes($1.text.utf8)
    }
    return Array(sorted.prefix(count))
  }
}

extension StretchSummary {
  /// The bytes for a row of the index.
  var encoded: [UInt8] {
    var writer = IndexWriter()
    for count in [entries, errors, lost, keyframes, thinned, eventless] { writer.number(count) }
    writer.number(names.count)
    for name in names {
      writer.sized(name.text.utf8)
      writer.number(name.count)
    }
    return writer.bytes
  }

  /// Decodes the bytes; `nil` if they are invalid.
  init?(encoded bytes: [UInt8]) {
    var reader = IndexReader(bytes)
    guard let entries = reader.int(), let errors = reader.int(), let lost = reader.int(),
      let keyframes = reader.int(), let thinned = reader.int(), let eventless = reader.int(),
      let count = reader.int()
    else { return nil }
    (self.entries, self.errors, self.lost) = (entries, errors, lost)
    (self.keyframes, self.thinned, self.eventless) = (keyframes, thinned, eventless)
    for _ in 0..<count {
      guard let text = reader.sized(), let count = reader.int() else { return nil }
      names.append(Name(text: String(decoding: text, as: UTF8.self), count: count))
    }
    guard reader.isAtEnd else { return nil }
  }
}
