import JSONCore
import Predicates
import Replaying
import TestSupport
import Testing
import Timelines
import Wire

@testable import Reruns

/// Events that a failure needs, hidden among events that it does not need.
struct PlantedFailure: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var replay: Replay
  /// The first state, where the type does not know it.
  var first: String?
  /// The events between the planted ones.
  var noise: @Sendable (inout SeededGenerator) -> String
  /// The planted events, each with its place as a part of the whole.
  var planted: [(place: Double, event: String)]
  /// What holds after the last of them.
  var predicate: String
  /// How many of them it takes.
  var needed: Int

  static let all: [PlantedFailure] = [
    PlantedFailure(
      testDescription: "one event of a reducer",
      replay: Replay(reducible: BranchedBasket.self), first: #"{"items":[],"total":0}"#,
      noise: { random in
        let number = Int.random(in: 0..<99, using: &random)
        return number < 40
          ? #"{"added":{"_0":"i\#(number)","price":\#(number)}}"#
          : number < 80 ? #"{"removedLast":{}}"# : #"{"noted":{"_0":"n\#(number)"}}"#
      },
      planted: [(0.7, #"{"noted":{"_0":"lost"}}"#)], predicate: "state.note == 'lost'", needed: 1),
    PlantedFailure(
      testDescription: "three messages of a chart in order",
      replay: Replay(of: BranchedDoorway.self),
      noise: { #"{"said":{"_0":"w\#(Int.random(in: 0..<9, using: &$0))"}}"# },
      planted: [
        // What does not open anything: it is closed already, or open.
        (0.1, #"{"pulled":{}}"#), (0.2, #"{"pushed":{}}"#), (0.3, #"{"pushed":{}}"#),
        (0.5, #"{"pulled":{}}"#), (0.6, #"{"pulled":{}}"#), (0.9, #"{"pushed":{}}"#),
      ],
      predicate: "state.value.opened == 2", needed: 3),
    PlantedFailure(
      testDescription: "two far apart in a feedback system",
      replay: Replay(of: BranchedSearch.self),
      noise: { random in
        let number = Int.random(in: 0..<9, using: &random)
        return number < 5 ? #"{"typed":{"_0":"q\#(number)"}}"# : #"{"closed":{"_0":\#(number)}}"#
      },
      planted: [(0.01, #"{"opened":{"_0":77}}"#), (0.99, #"{"typed":{"_0":"crash"}}"#)],
      predicate: "state.query == 'crash' && state.pages[0] == 77", needed: 2),
    PlantedFailure(
      testDescription: "payloads of a form beyond a threshold",
      replay: Replay(of: BranchedForm.self),
      noise: { random in
        let number = Int.random(in: 0..<9, using: &random)
        return number < 6 ? #"{"scrolled":{"_0":0}}"# : #"{"joined":{"_0":"p\#(number)"}}"#
      },
      planted: [
        (0.2, #"{"scrolled":{"_0":400}}"#), (0.25, #"{"undo":{"to":0}}"#),
        (0.4, #"{"scrolled":{"_0":600}}"#), (0.8, #"{"scrolled":{"_0":500}}"#),
      ],
      predicate: "state.scroll > 1000", needed: 2),
  ]

  /// What is recorded of so many events.
  func recording(_ count: Int, seed: UInt64) throws -> [Entry] {
    var random = SeededGenerator(seed: seed)
    var events = (0..<count).map { _ in noise(&random) }
    // Each at a place of its own, and in order, however few there are.
    var places: [Int] = []
    for (index, planted) in planted.enumerated() {
      let least = (places.last ?? -1) + 1
      let most = count - (self.planted.count - index)
      places.append(min(max(least, Int(planted.place * Double(count))), most))
      events[places[index]] = planted.event
    }
    return try record(events.map { try JSONSlice(validating: Array($0.utf8)) })
  }

  /// Runs events from the beginning, and writes them down.
  func record(_ events: [JSONSlice]) throws -> [Entry] {
    let replayer = try replay.makeReplayer()
    var entries: [Entry] = []
    if let first {
      var draft = EntryDraft(seq: 0, t: 0)
      draft.state = Array(first.utf8)[...]
      entries.append(
        try replayer.run(PlannedStep(seq: 0, t: 0, action: .take(try draft.entry()))).entry())
    } else {
      entries.append(try replayer.begin().entry())
    }
    for (index, event) in events.enumerated() {
      let seq = Int64(index + 1)
      entries.append(
        try replayer.run(PlannedStep(seq: seq, was: seq, t: seq, action: .reduce(event))).entry())
    }
    return entries
  }

  /// Whether the predicate holds after any of some events, and they are run from the beginning.
  func fails(_ events: [JSONSlice]) throws -> Bool {
    let predicate = try Predicates.Predicate(predicate)
    var moment = Snapshot(state: .null)
    for entry in try record(events) {
      let before = moment
      try Agreement.advance(&moment, by: entry)
      let subject = EntrySubject(entry, before: .known(before), after: .known(moment))
      if predicate.evaluate(subject) == .yes { return true }
    }
    return false
  }

  /// The most runs that a search may take, as docs/tests.md states it.
  func mostRuns(among count: Int) -> Int {
    var levels = 0
    while 1 << levels < count { levels += 1 }
    return (2 * needed + 1) * levels + 2 * needed + 8
  }
}

@Suite("Minimizing planted failures")
struct PlantedFailureTests {
  private func search(_ planted: PlantedFailure, among count: Int, seed: UInt64) async throws {
    let entries = try planted.recording(count, seed: seed)
    let hosts = FakeHosts([planted.replay], partEntries: 1_000)
    try await RerunWorld.run(
      entries, hosts, kind: planted.replay.kind.rawValue, make: planted.replay.make
    ) { world in
      let answer = try await world.minimize(planted.predicate)
      #expect(answer.minimal)
      #expect(answer.events == Int64(planted.needed))
      #expect(answer.runs <= Int64(planted.mostRuns(among: count)), "\(answer.runs) runs")
      let script = try #require(world.forks.all.first).edits
      let left = try MinimizationTests.left(EditScript(reading: script), of: entries)
        .map { try JSONSlice(validating: $0.encoded()) }
      #expect(left.count == planted.needed)
      #expect(try planted.fails(left))
      for index in left.indices {
        var fewer = left
        fewer.remove(at: index)
        #expect(try !planted.fails(fewer), "\(left[index].text) is not needed")
      }
    }
  }

  @Test(
    "it is found, is minimal, and takes no more than the guaranteed number of trials",
    arguments: PlantedFailure.all, [10, 1_000])
  func planted(planted: PlantedFailure, count: Int) async throws {
    for seed in 1...Rounds.choose(1, all: 2) as ClosedRange<UInt64> {
      try await search(planted, among: count, seed: seed)
    }
  }

  @Test("among tens of thousands of events, too")
  func amongMany() async throws {
    try await search(PlantedFailure.all[2], among: Rounds.choose(20_000, all: 100_000), seed: 3)
  }
}
