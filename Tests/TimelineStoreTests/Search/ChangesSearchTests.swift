import JSONCore
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

/// Every change and every seq of which nothing is known, found by comparing all states.
struct NaiveChanges {
  private(set) var changes: [ChangesAnswer.Change] = []
  private(set) var unknown: Set<Int64> = []

  init(_ timeline: TangledTimeline, at path: Pointer? = nil, _ value: (Moment) -> JSON?) {
    let moments = timeline.moments
    var wasHidden = false
    for entry in timeline.entries {
      let isHidden =
        path.map { path in
          entry.redacted.contains { $0.pointer.isPrefix(of: path) }
        } ?? false
      defer { wasHidden = isHidden }
      if let gap = entry.gap { for lost in 1...gap.lost { unknown.insert(entry.seq - lost) } }
      guard entry.seq > 0 else { continue }
      guard case .known? = moments[entry.seq], let after = moments[entry.seq],
        let before = moments[entry.seq - 1], case .known = before
      else {
        unknown.insert(entry.seq)
        continue
      }
      guard !isHidden, !wasHidden else {
        unknown.insert(entry.seq)
        continue
      }
      let (old, new) = (value(before), value(after))
      if old != new {
        changes.append(ChangesAnswer.Change(seq: entry.seq, old: old, new: new))
      }
    }
  }
}

extension Moment {
  /// The value at a path into the moment.
  func value(at path: Pointer) -> JSON? {
    let rest = Pointer(tokens: Array(path.tokens.dropFirst()))
    return (path.tokens.first == "state" ? state : outputs)?[rest]
  }
}

@Suite("Searching changes")
struct ChangesSearchTests {
  @Test(
    "finds what comparing all states finds",
    arguments: [
      (UInt64(1), true, 0.0), (2, true, 0), (3, true, 0.1), (4, false, 0.1),
    ])
  func findsAll(seed: UInt64, isIndexed: Bool, redaction: Double) async throws {
    let timeline = TangledTimeline(count: 250, seed: seed, odds: .init(redaction: redaction))
    let last = timeline.entries.last?.seq ?? 0
    try await withSearched(timeline, isIndexed: isIndexed) { store, id in
      var generator = SeededGenerator(seed: seed)
      for path in try timeline.paths(count: 12, seed: seed) {
        let naive = NaiveChanges(timeline, at: path) { $0.value(at: path) }
        for _ in 0..<2 {
          let place = Int64.random(in: -1...last + 2, using: &generator)
          let limit = Int.random(in: 1...6, using: &generator)
          let comment: Comment = "seed \(seed), \(path), \(place), \(limit)"

          let back = try await store.changes(
            ChangesQuery(path: path, .before(place), limit: limit), of: id)
          let earlier = naive.changes.filter { $0.seq < place }.reversed()
          #expect(back.changes == Array(earlier.prefix(limit)), comment)
          #expect(back.hasMore == (earlier.count > limit), comment)
          let low = back.hasMore ? back.changes.last?.seq ?? 0 : 0
          #expect(seqs(back.unknown) == naive.unknown.filter { $0 >= low && $0 < place }, comment)

          let ahead = try await store.changes(
            ChangesQuery(path: path, .after(place), limit: limit), of: id)
          let later = naive.changes.filter { $0.seq > place }
          #expect(ahead.changes == Array(later.prefix(limit)), comment)
          #expect(ahead.hasMore == (later.count > limit), comment)
          let high = ahead.hasMore ? ahead.changes.last?.seq ?? 0 : .max
          #expect(
            seqs(ahead.unknown) == naive.unknown.filter { $0 <= high && $0 > place }, comment)
        }
      }
    }
  }

  @Test("follows an element by its key, wherever it moves", arguments: [UInt64(5), 6, 7])
  func follows(seed: UInt64) async throws {
    let timeline = TangledTimeline(
      count: 200, seed: seed, odds: .init(loss: 0, thinning: 0, keyframe: 0.1))
    let moments = timeline.moments
    try await withSearched(timeline) { store, id in
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<8 {
        let place = Int64.random(in: 80..<200, using: &generator)
        let items = moments[place - 1]?.state?["items"]?.array ?? []
        guard let index = items.indices.randomElement(using: &generator) else { continue }
        let element = items[index]["id"]
        // Ids are drawn at random, so that two elements may share one: the first one counts.
        guard items.firstIndex(where: { $0["id"] == element }) == index else { continue }
        let naive = NaiveChanges(timeline) { moment in
          moment.state?["items"]?.array?.first { $0["id"] == element }?["on"]
        }
        let path = Pointer(tokens: ["state", "items", "\(index)", "on"])
        let answer = try await store.changes(
          ChangesQuery(path: path, .before(place), limit: 50, follow: "id"), of: id)
        let comment: Comment = "seed \(seed), \(path) before \(place)"
        #expect(answer.changes == naive.changes.filter { $0.seq < place }.reversed(), comment)
        let ahead = try await store.changes(
          ChangesQuery(path: path, .after(place - 1), limit: 50, follow: "id"), of: id)
        #expect(ahead.changes == naive.changes.filter { $0.seq >= place }, comment)
      }
    }
  }

  @Test("refuses a path that needs more index keys than the limit")
  func refusesManyKeys() async throws {
    let timeline = TangledTimeline(count: 3, seed: 1)
    try await withSearched(timeline) { store, id in
      func changes(_ tokens: [String]) async throws -> Int {
        try await store.changes(
          ChangesQuery(path: Pointer(tokens: ["state"] + tokens), .before(3), limit: 1), of: id
        ).changes.count
      }
      // An index below a thousand is eleven keys, a name is one.
      let names = Array(repeating: "name", count: Pointer.tokenLimit - 1)
      let found = [
        try await changes(names), try await changes(Array(repeating: "998", count: 185)),
      ]
      #expect(found == [0, 0])
      let long = Array(repeating: "998", count: 187)
      let path = Pointer(tokens: ["state"] + long)
      _ = await #expect(throws: StoreError(.longPath(path))) { try await changes(long) }
    }
  }

  @Test("refuses a path that leads nowhere")
  func refusesPath() async throws {
    let timeline = TangledTimeline(count: 3, seed: 1)
    try await withSearched(timeline) { store, id in
      _ = await #expect(throws: StoreError(.path(Pointer(tokens: ["event"])))) {
        try await store.changes(
          ChangesQuery(path: Pointer(tokens: ["event"]), .before(3), limit: 1), of: id)
      }
    }
  }
}

/// The seqs in some ranges.
func seqs(_ ranges: [ClosedRange<Int64>]) -> Set<Int64> { Set(ranges.flatMap(Array.init)) }
