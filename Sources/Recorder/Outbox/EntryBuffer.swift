/// Consecutive buffered entries, with their memory cost.
struct EntryBuffer: Sendable {
  private var storage: [BufferedEntry] = []
  /// The number of removed entries at the front.
  private var head = 0
  /// The memory that they need in bytes.
  private(set) var bytes = 0

  init() {}

  init(_ entries: some Sequence<BufferedEntry>) {
    for entry in entries { append(entry) }
  }

  var count: Int { storage.count - head }

  var isEmpty: Bool { count == 0 }

  var entries: ArraySlice<BufferedEntry> { storage[head...] }

  func entries(after seq: Int64) -> ArraySlice<BufferedEntry> { storage[index(after: seq)...] }

  mutating func append(_ entry: BufferedEntry) {
    storage.append(entry)
    bytes += entry.cost
  }

  /// Removes the entries up to a seq.
  mutating func removeFirst(through seq: Int64) {
    let end = index(after: seq)
    for place in head..<end {
      bytes -= storage[place].cost
      // The line's memory is freed now; the array is compacted when half of it is empty.
      storage[place] = BufferedEntry(
        seq: storage[place].seq, previous: storage[place].previous, line: [], kind: .thinned)
    }
    head = end
    if head > storage.count / 2 {
      storage.removeFirst(head)
      head = 0
    }
  }

  /// Replaces or removes entries after a seq, in order, until the closure returns `stop`.
  mutating func replace(
    after seq: Int64, _ replacement: (BufferedEntry) -> Replacement
  ) {
    var kept: [BufferedEntry] = []
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

  /// What to do with an entry.
  enum Replacement {
    /// Replace it with another entry.
    case by(BufferedEntry)
    /// Remove it.
    case nothing
    /// Keep it and all that follow.
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
