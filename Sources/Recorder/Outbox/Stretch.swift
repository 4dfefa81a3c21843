/// What is sacrificed at once: one or more whole keyframe groups of a timeline, or a piece of one
/// that was thinned.
struct Stretch: Sendable {
  /// Where the entries are.
  enum Contents: Sendable {
    /// In memory.
    case memory(EntryRun)
    /// On the way to the spill file; nobody can read them now.
    case spilling(SpillPlace)
    /// In the spill file, parted by commas.
    case spilled(SpillPlace)
  }

  /// When it was begun, over all timelines: the smaller the older. The pieces of a group share it.
  let age: Int
  /// Where the entries are.
  var contents: Contents
  /// Whether it was thinned as far as possible.
  var isThinned: Bool
  /// The entry that the pipeline wrote before the first one here.
  var previous: Int64
  /// The last entry.
  var last: Int64
  /// How many entries there are.
  var count: Int

  /// A stretch in memory.
  init(age: Int, _ run: EntryRun, isThinned: Bool) {
    self.age = age
    contents = .memory(run)
    self.isThinned = isThinned
    previous = run.entries.first?.previous ?? -1
    last = run.entries.last?.seq ?? -1
    count = run.count
  }

  /// The entries, when they are in memory.
  var run: EntryRun? {
    guard case .memory(let run) = contents else { return nil }
    return run
  }

  /// What keeping it in memory takes.
  var bytes: Int { run?.bytes ?? 0 }

  /// How long its lines are, parted by commas.
  var joinedBytes: Int {
    run.map { $0.bytes - $0.count * KeptEntry.overhead + max(0, $0.count - 1) } ?? 0
  }

  /// Where it is in the spill file.
  var place: SpillPlace? {
    switch contents {
    case .memory: nil
    case .spilling(let place), .spilled(let place): place
    }
  }

  /// Changes the entries in memory, and notes what that makes of the stretch.
  mutating func change(_ body: (inout EntryRun) -> Void) {
    guard case .memory(var run) = contents else { return }
    // The run is moved out and in, so that changing it finds no second reference.
    contents = .memory(EntryRun())
    body(&run)
    if let first = run.entries.first, let final = run.entries.last {
      (previous, last) = (first.previous, final.seq)
    }
    count = run.count
    contents = .memory(run)
  }
}
