import JSONCore
import Predicates
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

/// What a predicate says of every seq, each entry asked on its own.
struct NaiveAnswers {
  private(set) var answers: [(seq: Int64, answer: Answer)] = []

  init(_ timeline: TangledTimeline, _ predicate: Predicate) throws {
    let moments = timeline.moments
    var hidden: [Pointer] = []
    var seq: Int64 = 0
    for entry in timeline.entries {
      while seq < entry.seq {
        answers.append((seq, .unknown))
        seq += 1
        hidden = []
      }
      let subject = EntrySubject(
        entry: entry.line,
        before: seq == 0 ? SideValues.none : moments[seq - 1].map(SideValues.init),
        after: moments[seq].map(SideValues.init), hiddenBefore: hidden)
      answers.append((seq, predicate.evaluate(subject)))
      hidden = entry.redacted.map(\.pointer)
      seq += 1
    }
  }
}

@Suite("Finding by a predicate")
struct FindSearchTests {
  static let predicates = [
    "event == \"tick\"", "event == \"removed\"", "event.add.n > 50", "event.add.n <= 12.5",
    "event.add.n == 7", "event.add.n != 7", "3 < event.insert.at", "event.insert.why == \"é\"",
    "event.toggle.on == true", "event.toggle.on", "!event.toggle.on", "event.keys.deep.list[1] > 2",
    "event.keys.deep.list.count == 4", "event == 17", "event == null", "event != null",
    "name == \"renamed\" || event.add.n < 20", "event == \"add\" && event.add.n > 30",
    "name contains \"e\"", "event matches /^t/", "error != null && event == \"tick\"", "keyframe",
    "thinned", "seq > 100 && seq < 140", "t > 100000", "gap.lost > 2", "state.count > 20",
    "state.count == 3", "state.items.count > 5", "state.items[0].on", "changed(state.items)",
    "changed(state.items[2].on)", "changed(state.count) && event != \"tick\"",
    "outputs.isLoading && !before.outputs.isLoading", "before.state.count < 5 && state.count >= 5",
    "state[\"a/b\"][\"é\"] == \"x\"", "changed(state[\"a/b\"][\"m~n\"])", "changed(outputs)",
    "state contains \"count\"", "state.byId[7].on", "state.log.count > 4 && event == \"log\"",
    "changed(state)", "state.items[1].tags contains \"a\"",
    "event == \"log\" && event.log.text contains \"long long\"", "true", "redacted != null",
    "anywhere == 7", "anywhere > 90", "anywhere contains \"long long\"", "anywhere == \"x\"",
    "!(anywhere == 3) && event != \"tick\"", "anywhere matches /^e/ || anywhere == 12",
    "anywhere == 4711", "event == \"add\" && anywhere == true",
  ]

  @Test("finds what asking every entry finds", arguments: [UInt64(11), 12, 13])
  func findsAll(seed: UInt64) async throws {
    let timeline = TangledTimeline(
      count: 160, seed: seed, odds: .init(redaction: seed == 13 ? 0.2 : 0))
    let last = timeline.entries.last?.seq ?? 0
    try await withSearched(timeline, isIndexed: seed != 12) { store, id in
      var generator = SeededGenerator(seed: seed)
      for text in Self.predicates {
        let predicate = try Predicate(text)
        let naive = try NaiveAnswers(timeline, predicate)
        for isBackward in [false, true] {
          let from = Int64.random(in: -2...last + 3, using: &generator)
          let limit = Int.random(in: 1...30, using: &generator)
          let comment: Comment = "seed \(seed), \(text), \(from), \(limit), \(isBackward)"
          let answer = try await store.find(
            FindQuery(predicate, from: from, isBackward: isBackward, limit: limit), of: id)
          let asked = naive.answers.filter { isBackward ? $0.seq <= from : $0.seq >= from }
          let order = isBackward ? asked.reversed() : asked
          let yes = order.filter { $0.answer == .yes }.map(\.seq).prefix(limit)
          #expect(answer.seqs == Array(yes), comment)
          let end = yes.count == limit ? yes.last : nil
          let unknown = order.filter { $0.answer == .unknown }.map(\.seq).filter { seq in
            end.map { isBackward ? seq >= $0 : seq <= $0 } ?? true
          }
          let wanted = Set(unknown)
          #expect(seqs(answer.unknown) == wanted, comment)
          #expect(answer.unknownCount == Int64(wanted.count), comment)
          let first = timeline.entries.first?.seq ?? 0
          let next: Int64? = end.flatMap { end in
            isBackward ? (end > first ? end - 1 : nil) : (end < last ? end + 1 : nil)
          }
          #expect(answer.next == next, comment)
          try expectLeaves(answer, timeline, predicate, comment)
        }
      }
    }
  }

  /// An entry that matches because of a leaf is reported with it; the predicate names the same one
  /// when it is asked about the whole moment.
  private func expectLeaves(
    _ answer: FindAnswer, _ timeline: TangledTimeline, _ predicate: Predicate, _ comment: Comment
  ) throws {
    let entries = Dictionary(uniqueKeysWithValues: timeline.entries.map { ($0.seq, $0) })
    var expected: [Int64: [String]] = [:]
    for seq in answer.seqs where !predicate.leafTests.isEmpty {
      let entry = try #require(entries[seq])
      let subject = EntrySubject(
        entry: entry.line, after: timeline.moments[seq].map(SideValues.init))
      expected[seq] = predicate.leaf(at: subject)?.tokens
    }
    #expect(Set(answer.leaves.keys) == Set(expected.keys), comment)
    for (seq, leaf) in answer.leaves {
      // Members may be in another order in a state that patches made.
      #expect(leaf.tokens.first == "event" ? leaf.tokens == expected[seq] : true, comment)
      try expectPasses(leaf, entries[seq], timeline.moments[seq], predicate, comment)
    }
  }

  /// The leaf alone makes one of the predicate's tests pass.
  private func expectPasses(
    _ leaf: Pointer, _ entry: Entry?, _ moment: Moment?, _ predicate: Predicate, _ comment: Comment
  ) throws {
    var whole = JSON.Object()
    whole["event"] = entry?.line["event"]?.value
    if case .known(let snapshot)? = moment {
      whole["state"] = snapshot.state
      whole["outputs"] = snapshot.outputs
    }
    let found: JSON? = JSON.object(whole)[leaf]
    let value = try #require(found, comment)
    let line: JSON = ["seq": 1, "t": 0, "event": value]
    let alone = EntrySubject(
      entry: try JSONSlice(validating: line.encoded()), after: SideValues.none)
    #expect(
      predicate.leafTests.contains {
        Predicate(.anywhere($0)).evaluate(alone) == .yes
      }, comment)
  }

  @Test("ends when the task is cancelled")
  func stopsWhenCanceled() async throws {
    let timeline = TangledTimeline(count: 50, seed: 1)
    try await withSearched(timeline) { store, id in
      let task = Task {
        // Safe: the task is asked while it runs.
        withUnsafeCurrentTask { $0?.cancel() }
        return try await store.find(FindQuery(.always, from: 0), of: id)
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
}
