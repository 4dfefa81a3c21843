internal import JSONCore
package import Timelines

/// Entries to be appended to one timeline, cut into runs, with what their rules need.
///
/// Made on the thread that read the entries, so that the thread that writes does not look into them
/// again. The lines are copied: a batch does not keep the message alive that it came in.
package struct AppendBatch: Sendable {
  /// The timeline.
  package let timeline: TimelineID

  /// The bytes of all lines.
  package private(set) var byteCount = 0

  /// The runs in order.
  private(set) var runs: [DraftRun] = []

  /// A batch of entries as they follow one another.
  package init(_ timeline: TimelineID, _ entries: some Sequence<Entry> = []) {
    self.timeline = timeline
    for entry in entries { append(entry) }
  }

  /// Whether there are no entries.
  package var isEmpty: Bool { runs.isEmpty }

  /// Adds an entry that follows the last one.
  package mutating func append(_ entry: Entry) {
    let size = entry.line.bytes.count
    byteCount += size + 1
    if let last = runs.last, last.isFollowed(by: entry), last.bytes.count + size <= Self.runBytes {
      runs[runs.count - 1].append(entry)
    } else {
      var run = DraftRun(first: entry.seq, gap: entry.gap)
      run.append(entry)
      runs.append(run)
    }
  }

  /// The entries, read again.
  package var entries: [Entry] {
    runs.flatMap { run in
      (EntryRun(first: run.first, lines: run.bytes)).map { lines in
        (0..<lines.count).compactMap { try? lines.entry(at: $0) }
      } ?? []
    }
  }

  /// A run is cut where it would grow beyond a quarter of a chunk, so that chunks, which take runs
  /// whole, come out near their size.
  static let runBytes = 16 << 10
}

/// A run as it arrives, with what the rules and the sealing need to know of each entry.
struct DraftRun: Sendable {
  /// The seq of the first entry.
  let first: Int64

  /// What the first entry says was lost before it.
  let gap: Gap?

  /// The lines, each with its line feed.
  private(set) var bytes: [UInt8] = []

  /// What is known of each entry.
  private(set) var facts: [EntryFacts] = []

  init(first: Int64, gap: Gap?) {
    self.first = first
    self.gap = gap
  }

  var count: Int { facts.count }

  var last: Int64 { first + Int64(facts.count) - 1 }

  /// Whether an entry can stand in the same run.
  func isFollowed(by entry: Entry) -> Bool {
    entry.gap == nil && entry.seq - 1 == last
  }

  mutating func append(_ entry: Entry) {
    bytes.append(contentsOf: entry.line.bytes)
    bytes.append(UInt8(ascii: "\n"))
    facts.append(EntryFacts(entry, end: bytes.count - 1))
  }

  /// The run without its first entries.
  func dropFirst(_ dropped: Int) -> DraftRun {
    guard dropped > 0 else { return self }
    var rest = DraftRun(first: first + Int64(dropped), gap: nil)
    let start = facts[dropped - 1].end + 1
    rest.bytes = Array(bytes[start...])
    rest.facts = facts[dropped...].map { fact in
      var fact = fact
      fact.end -= start
      return fact
    }
    return rest
  }

  /// The first entries alone.
  func prefix(_ count: Int) -> DraftRun {
    guard count < self.count else { return self }
    var run = DraftRun(first: first, gap: gap)
    guard count > 0 else { return run }
    run.bytes = Array(bytes[...facts[count - 1].end])
    run.facts = Array(facts[..<count])
    return run
  }
}

/// What the rules and the sealing need to know of an entry.
struct EntryFacts: Sendable {
  /// The index of the line feed.
  var end: Int

  /// Microseconds since the timeline's start.
  var t: Int64

  /// Where the values are that patches concern, from the start of the line.
  let places: MomentPlaces

  var isKeyframe: Bool { places.state != nil }
  var hasPatch: Bool { places.patch != nil }

  init(_ entry: Entry, end: Int) {
    self.end = end
    t = entry.t
    places = entry.momentPlaces
  }

  var isThinned: Bool { !isKeyframe && !hasPatch }
}

/// What became of a batch.
package struct Appended: Hashable, Sendable {
  /// The last seq of the timeline; everything up to it survives anything.
  package var durable: Int64?

  /// How many entries were there already, and were dropped.
  package var dropped: Int

  /// Why the batch was stored only up to some entry: the patch of the next one does not apply.
  package var refused: TimelineError?
}
