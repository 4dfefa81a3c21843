internal import JSONCore
import Timelines
package import Wire

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// A query for counts over a stretch of a timeline.
package struct OverviewQuery: Sendable {
  /// The first seq or microsecond.
  package var from: Int64
  /// The last, inclusive.
  package var to: Int64
  package var buckets: Int
  /// What `from` and `to` count.
  package var by: TimelineAxis

  package init(from: Int64, to: Int64, buckets: Int, by: TimelineAxis) {
    precondition(buckets > 0 && from <= to, "a stretch has a start, an end, and a bucket")
    self.from = from
    self.to = to
    self.buckets = buckets
    self.by = by
  }

  /// The bucket of a position; `nil` outside the stretch.
  func bucket(of x: Int64) -> Int? {
    guard x >= from, x <= to else { return nil }
    // Both factors may have 63 bits.
    let offset = UInt64(bitPattern: x &- from)
    let length = UInt64(bitPattern: to &- from)
    let product = offset.multipliedFullWidth(by: UInt64(buckets))
    guard length < .max else { return Int(product.high) }
    return Int((length + 1).dividingFullWidth(product).quotient)
  }

  /// The last position in the same bucket as another.
  func end(ofBucketWith x: Int64) -> Int64 {
    guard let bucket = bucket(of: x) else { return x }
    // Bucket numbers ascend, so a binary search finds the end.
    var (low, high) = (x, to)
    while low < high {
      let middle = high - Int64((UInt64(bitPattern: high &- low)) / 2)
      if self.bucket(of: middle) == bucket { low = middle } else { high = middle - 1 }
    }
    return low
  }
}

/// Counts over a stretch.
package struct OverviewAnswer: Hashable, Sendable {
  package var lanes: [String] = []
  /// The columns of ``OverviewColumn`` in order, then one for each lane; each with a count for each
  /// bucket.
  package var columns: [[UInt32]] = []
}

/// Counts with the pyramid of summaries, and reads entries only where a bucket ends inside a run.
///
/// For a long timeline in many buckets that would be nearly every run. After some hundred, it
/// divides a run among its buckets in proportion: sums stay exact, and an entry may be counted in
/// the adjacent bucket.
struct OverviewSearch: Sendable {
  private let query: OverviewQuery
  private let lanes: OverviewLanes
  private var columns: [[UInt32]]
  private var position: Int64?

  /// The number of runs that may still be read.
  private var exactRuns: Int

  /// The number of summaries to read at once where runs are divided: few if runs are soon whole
  /// again, many if buckets are smaller than runs.
  private var dividedRuns: Int64 = 24

  /// A tenth of a second's work.
  static let exactRunLimit = 256

  init(_ query: OverviewQuery, lanes: OverviewLanes, exactRuns: Int = exactRunLimit) {
    self.query = query
    self.lanes = lanes
    self.exactRuns = exactRuns
    let empty = [UInt32](repeating: 0, count: query.buckets)
    columns = Array(
      repeating: empty, count: OverviewColumn.allCases.count + lanes.names.count)
  }

  func progress(_ ends: ClosedRange<Int64>?) -> SearchProgress {
    guard let ends, let position else { return SearchProgress(done: 0, of: 0) }
    return SearchProgress(done: position - ends.lowerBound, of: Int64(ends.count))
  }

  /// Performs one step; returns the answer when the search is done.
  mutating func step(_ source: SearchSource) throws(StoreError) -> OverviewAnswer? {
    guard let ends = source.ends else { return answer }
    let start = position ?? max(ends.lowerBound, query.by == .seq ? query.from : ends.lowerBound)
    guard let place = try source.run(from: start) else { return answer }
    guard query.by == .t || place.seqs.lowerBound <= query.to else { return answer }
    if let end = try countWhole(place, start, source) {
      position = end + 1
      return end < ends.upperBound && !isBeyond(place) ? nil : answer
    }
    if exactRuns == 0, place.isIndexed, place.seqs == place.whole, start <= place.seqs.lowerBound,
      let end = try divideRuns(from: place, source)
    {
      position = end + 1
      return end < ends.upperBound ? nil : answer
    }
    exactRuns = max(0, exactRuns - 1)
    if let run = try source.entries(of: place) {
      count(run, max(start, place.seqs.lowerBound), place)
    }
    position = place.seqs.upperBound + 1
    return place.seqs.upperBound < ends.upperBound && !isBeyond(place) ? nil : answer
  }

  private var answer: OverviewAnswer { OverviewAnswer(lanes: lanes.names, columns: columns) }

  /// Whether the run and everything after it is beyond the stretch.
  private func isBeyond(_ place: RunHead) -> Bool {
    switch query.by {
    case .seq: place.seqs.upperBound >= query.to
    case .t: place.times.lowerBound > query.to
    }
  }

  /// Counts the longest stretch of whole runs that is in one bucket or in none, if there is one.
  private mutating func countWhole(
    _ place: RunHead, _ start: Int64, _ source: SearchSource
  ) throws(StoreError) -> Int64? {
    guard place.isIndexed, place.seqs == place.whole, start <= place.seqs.lowerBound
    else { return nil }
    let times = place.times
    let x = query.by == .seq ? place.seqs.lowerBound : times.lowerBound
    let limit = x < query.from ? query.from - 1 : x > query.to ? .max : query.end(ofBucketWith: x)
    let bounds =
      query.by == .seq
      ? StretchBounds(seq: limit, t: .max) : StretchBounds(seq: .max, t: limit)
    guard let stretch = try source.stretch(beginningWith: place, within: bounds) else {
      return nil
    }
    if let bucket = query.bucket(of: x) { add(stretch.summary, to: bucket) }
    return stretch.last
  }

  private mutating func add(_ summary: StretchSummary, to bucket: Int) {
    for (column, count) in counts(summary) { add(count, to: bucket, column) }
  }

  /// The counts of a stretch, by column.
  private func counts(_ summary: StretchSummary) -> [(column: Int, count: Int64)] {
    let counts = [
      summary.entries, summary.errors, summary.lost, summary.keyframes, summary.thinned,
    ]
    var columns = Array(counts.enumerated()).map { (column: $0.offset, count: $0.element) }
    var rest = summary.entries - summary.eventless
    for name in summary.names {
      rest -= name.count
      columns.append((counts.count + lanes.index(of: name.text), name.count))
    }
    columns.append((counts.count + lanes.other, rest))
    return columns.filter { $0.count > 0 }
  }

  // MARK: Dividing

  /// Divides consecutive runs among their buckets, using only their summaries; returns the last
  /// seq, or `nil` if there is no summary.
  private mutating func divideRuns(
    from place: RunHead, _ source: SearchSource
  ) throws(StoreError) -> Int64? {
    var end: Int64?
    // If runs are whole again, longer stretches make larger steps.
    var whole = 0
    for run in try source.runSummaries(from: place, count: dividedRuns) {
      let bounds = query.by == .seq ? run.seqs : run.times
      guard bounds.lowerBound <= query.to else { return .max - 1 }
      let isWhole = query.bucket(of: bounds.lowerBound) == query.bucket(of: bounds.upperBound)
      whole = isWhole ? whole + 1 : 0
      divide(run.summary, over: bounds)
      end = run.seqs.upperBound
      if whole == 16 { break }
    }
    dividedRuns = whole == 16 ? 24 : min(dividedRuns * 2, 512)
    return end
  }

  /// Adds counts to the buckets that a run covers, evenly distributed.
  private mutating func divide(_ summary: StretchSummary, over bounds: ClosedRange<Int64>) {
    let length = Double(bounds.upperBound - bounds.lowerBound) + 1
    var x = max(bounds.lowerBound, query.from)
    let last = min(bounds.upperBound, query.to)
    var before = Double(x - bounds.lowerBound) / length
    let counts = counts(summary)
    while x <= last, let bucket = query.bucket(of: x) {
      let end = min(query.end(ofBucketWith: x), last)
      let through = Double(end - bounds.lowerBound + 1) / length
      for (column, count) in counts {
        // Differences of rounded sums, so that nothing is lost or counted twice.
        let part = (Double(count) * through).rounded() - (Double(count) * before).rounded()
        add(Int64(part), to: bucket, column)
      }
      guard end < last else { return }
      (before, x) = (through, end + 1)
    }
  }

  private mutating func add(_ count: Int64, to bucket: Int, _ column: Int) {
    let sum = UInt64(columns[column][bucket]) + UInt64(clamping: count)
    columns[column][bucket] = UInt32(clamping: sum)
  }

  /// Counts the entries of a run one by one.
  private mutating func count(_ run: EntryRun, _ first: Int64, _ place: RunHead) {
    run.bytes.withUnsafeBufferPointer { bytes in
      for seq in max(first, place.seqs.lowerBound)...place.seqs.upperBound {
        let fields = LineFields(bytes, line: run.place(at: Int(seq - run.first)))
        let x = query.by == .seq ? seq : bytes.integer(at: fields.t) ?? 0
        guard let bucket = query.bucket(of: x) else { continue }
        add(1, to: bucket, OverviewColumn.entries.rawValue)
        if !fields.error.isEmpty { add(1, to: bucket, OverviewColumn.errors.rawValue) }
        if fields.isKeyframe { add(1, to: bucket, OverviewColumn.keyframes.rawValue) }
        if fields.isThinned { add(1, to: bucket, OverviewColumn.thinned.rawValue) }
        if !fields.gap.isEmpty {
          add(bytes.lost(in: fields.gap), to: bucket, OverviewColumn.lost.rawValue)
        }
        if fields.event.isEmpty { continue }
        let lane = bytes.eventName(at: fields.event).map(lanes.index(of:)) ?? lanes.other
        add(1, to: bucket, OverviewColumn.allCases.count + lane)
      }
    }
  }
}

/// The lane of each event.
struct OverviewLanes: Sendable {
  /// The names of the lanes; the last one is for all other events.
  let names: [String]

  private let places: [EventName: Int]

  /// The maximum number of names with a lane if the header names none.
  static let nameCount = 10

  /// The maximum number of lanes of a header; events of later ones count in the last lane.
  ///
  /// More do not fit on a screen, and each has a column with a number for every bucket.
  static let headerLaneCount = 64

  /// The lanes that the header names, in its order, and one for the rest; if it names none, the
  /// most frequent names.
  init(_ lanes: [Header.Lane], frequent: [StretchSummary.Name]) {
    var names: [String] = []
    var places: [EventName: Int] = [:]
    if lanes.isEmpty {
      let others = frequent.filter { $0.text != Self.rest }
      names = StretchSummary.mostFrequent(others, count: Self.nameCount).map(\.text)
      for (index, name) in names.enumerated() { places[EventName(text: name)] = index }
    } else {
      var placesOfLanes: [EventName: Int] = [:]
      for lane in lanes where lane.lane != Self.rest {
        let key = EventName(text: lane.lane)
        if placesOfLanes[key] == nil, names.count < Self.headerLaneCount {
          placesOfLanes[key] = names.count
          names.append(lane.lane)
        }
        places[EventName(text: lane.event)] = placesOfLanes[key]
      }
    }
    self.names = names + [Self.rest]
    self.places = places
  }

  private static let rest = "other"

  /// The lane of all other events.
  var other: Int { names.count - 1 }

  /// The lane of an event's name.
  func index(of name: String) -> Int { places[EventName(text: name)] ?? other }
}
