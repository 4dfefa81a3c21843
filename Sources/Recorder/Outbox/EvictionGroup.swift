/// The entries that are evicted together: one or more whole keyframe groups of a timeline, or a
/// part of one that was thinned.
struct EvictionGroup: Sendable {
  enum Contents: Sendable {
    case memory(EntryBuffer)
    /// Being written to the spill file; not readable now.
    case spilling(SpillPlace)
    /// In the spill file, separated by commas.
    case spilled(SpillPlace)
  }

  /// When it was begun, over all timelines; smaller is older. The parts of a split group share it.
  let age: Int
  var contents: Contents
  var isThinned: Bool
  /// The predecessor of the first entry.
  var previous: Int64
  var last: Int64
  var count: Int

  /// Creates a group in memory.
  init(age: Int, _ buffer: EntryBuffer, isThinned: Bool) {
    self.age = age
    contents = .memory(buffer)
    self.isThinned = isThinned
    previous = buffer.entries.first?.previous ?? -1
    last = buffer.entries.last?.seq ?? -1
    count = buffer.count
  }

  /// The entries, if they are in memory.
  var buffer: EntryBuffer? {
    guard case .memory(let buffer) = contents else { return nil }
    return buffer
  }

  /// The memory that it needs in bytes.
  var bytes: Int { buffer?.bytes ?? 0 }

  /// The length of its lines, separated by commas.
  var joinedBytes: Int {
    buffer.map { $0.bytes - $0.count * BufferedEntry.overhead + max(0, $0.count - 1) } ?? 0
  }

  /// Its place in the spill file.
  var place: SpillPlace? {
    switch contents {
    case .memory: nil
    case .spilling(let place), .spilled(let place): place
    }
  }

  /// Changes the entries in memory, and updates the bounds.
  mutating func change(_ body: (inout EntryBuffer) -> Void) {
    guard case .memory(var buffer) = contents else { return }
    // Move the entries out and in, so that changing them does not copy.
    contents = .memory(EntryBuffer())
    body(&buffer)
    if let first = buffer.entries.first, let final = buffer.entries.last {
      (previous, last) = (first.previous, final.seq)
    }
    count = buffer.count
    contents = .memory(buffer)
  }
}
