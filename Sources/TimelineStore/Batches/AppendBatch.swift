internal import JSONCore
package import Timelines

/// Consecutive entries to append to one timeline, split into runs, with what checking them needs.
///
/// Made on the thread that read the entries, so that the writing thread does not parse them again.
/// The lines are copied: a batch does not keep the message alive that it came in.
package struct AppendBatch: Sendable {
  package let timeline: TimelineID

  package private(set) var byteCount = 0

  private(set) var runs: [DraftRun] = []

  /// A batch of consecutive entries.
  package init(_ timeline: TimelineID, _ entries: some Sequence<Entry> = []) {
    self.timeline = timeline
    for entry in entries { append(entry) }
  }

  /// The seq of the first entry.
  package var firstSeq: Int64? { runs.first?.first }

  package var count: Int { runs.reduce(0) { $0 + $1.count } }

  package var isEmpty: Bool { runs.isEmpty }

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

  /// The entries, parsed again.
  package var entries: [Entry] {
    runs.flatMap { run in
      (EntryRun(first: run.first, lines: run.bytes)).map { lines in
        (0..<lines.count).compactMap { try? lines.entry(at: $0) }
      } ?? []
    }
  }

  /// A run ends before it exceeds a quarter of a chunk. Chunks consist of whole runs, so they come
  /// out near their intended size.
  static let runBytes = 16 << 10
}

/// A run as it arrived, with what checking and sealing need to know of each entry.
struct DraftRun: Sendable {
  /// The seq of the first entry.
  let first: Int64

  /// The losses before the first entry, as it reports them.
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

  /// Whether an entry can be in the same run.
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

  func prefix(_ count: Int) -> DraftRun {
    guard count < self.count else { return self }
    var run = DraftRun(first: first, gap: gap)
    guard count > 0 else { return run }
    run.bytes = Array(bytes[...facts[count - 1].end])
    run.facts = Array(facts[..<count])
    return run
  }
}

/// What checking and sealing need to know of an entry.
struct EntryFacts: Sendable {
  /// The index of the line feed.
  var end: Int

  /// Microseconds since the timeline's start.
  var t: Int64

  /// The ranges of the values that patches concern, relative to the start of the line.
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

/// The result of appending a batch.
package struct Appended: Hashable, Sendable {
  /// The last durable seq of the timeline.
  package var durable: Int64?

  /// How many entries were already stored, and dropped.
  package var dropped: Int

  /// Why only a part of the batch was stored: the patch of the next entry does not apply.
  package var refused: TimelineError?
}
