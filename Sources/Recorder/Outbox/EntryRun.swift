/// Consecutive entries in memory, with their cost.
struct EntryRun: Sendable {
  private var storage: [KeptEntry] = []
  /// How many at the front are gone already.
  private var head = 0
  /// What keeping them takes.
  private(set) var bytes = 0

  /// No entries.
  init() {}

  /// These entries.
  init(_ entries: some Sequence<KeptEntry>) {
    for entry in entries { append(entry) }
  }

  /// How many there are.
  var count: Int { storage.count - head }

  /// Whether there are none.
  var isEmpty: Bool { count == 0 }

  /// All of them, in order.
  var entries: ArraySlice<KeptEntry> { storage[head...] }

  /// Those after a seq.
  func entries(after seq: Int64) -> ArraySlice<KeptEntry> { storage[index(after: seq)...] }

  /// Adds an entry.
  mutating func append(_ entry: KeptEntry) {
    storage.append(entry)
    bytes += entry.cost
  }

  /// Takes away the entries up to a seq.
  mutating func removeFirst(through seq: Int64) {
    let end = index(after: seq)
    for place in head..<end {
      bytes -= storage[place].cost
      // The line's memory goes now, the place in the array when half of it is empty.
      storage[place] = KeptEntry(
        seq: storage[place].seq, previous: storage[place].previous, line: [], kind: .thinned)
    }
    head = end
    if head > storage.count / 2 {
      storage.removeFirst(head)
      head = 0
    }
  }

  /// Replaces entries after a seq, from the first on, for as long as the closure says; an entry for
  /// which it gives `nil` goes.
  mutating func replace(
    after seq: Int64, _ replacement: (KeptEntry) -> Replacement
  ) {
    var kept: [KeptEntry] = []
    var place = index(after: seq)
    let start = place
    loop: while place < storage.count {
      switch replacement(storage[place]) {
      case .by(let entry): kept.append(entry)
      case .nothing: break
      case .stop: break loop
      }
      place += 1
    }
    bytes -= storage[start..<place].reduce(0) { $0 + $1.cost }
    bytes += kept.reduce(0) { $0 + $1.cost }
    storage.replaceSubrange(start..<place, with: kept)
  }

  /// What becomes of an entry.
  enum Replacement {
    /// Another takes its place.
    case by(KeptEntry)
    /// It goes.
    case nothing
    /// It and all that follow stay.
    case stop
  }

  private func index(after seq: Int64) -> Int {
    var (low, high) = (head, storage.count)
    while low < high {
      let middle = low + (high - low) / 2
      if storage[middle].seq > seq { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
