import JSONCore
import Predicates
import Synchronization
import Testing
import Timelines
import Wire

@testable import Reruns

@Suite("Minimizing")
struct MinimizationTests {
  /// Whether two doors are open at the end, after these events and no others.
  private static func fails(_ events: [JSON]) throws -> Bool {
    let entries = try Doors.recording(events)
    return try Timeline.state(of: entries, at: .max)?["open"]?.array?.count == 2
  }

  /// The events that a script leaves, worked out without the planner.
  static func left(_ script: EditScript, of entries: [Entry]) -> [JSON] {
    var kept = entries.dropFirst().map { ($0.seq, $0.event?.value ?? .null) }
    for edit in script.edits {
      switch edit {
      case .cut(let seq): kept.removeAll { $0.0 > seq }
      case .drop(let seqs): kept.removeAll { seqs.contains($0.0) }
      case .startAt(let seq): kept.removeAll { $0.0 <= seq }
      case .replace(let seq, let event):
        if let index = kept.firstIndex(where: { $0.0 == seq }) { kept[index].1 = event.value }
      default: Issue.record("\(edit) was not expected")
      }
    }
    return kept.map(\.1)
  }

  private static func script(_ world: RerunWorld<FunctionHosts>) throws -> EditScript {
    try EditScript(reading: #require(world.forks.all.first).edits)
  }

  @Test(
    "the planted events remain, and removing any of them loses the failure",
    arguments: [(10, 1), (1_000, 2), (1_000, 3), (5_000, 4)] as [(Int, UInt64)])
  func planted(count: Int, seed: UInt64) async throws {
    var events = Doors.noise(count, seed: seed)
    // Opened, closed, opened again: the first opening and the closing do not matter.
    events.insert(Doors.opened("cellar"), at: count / 5)
    events.insert(Doors.closed("cellar"), at: count / 4)
    events.insert(Doors.opened("cellar"), at: count / 3)
    events.insert(Doors.opened("garden"), at: count * 9 / 10)
    let entries = try Doors.recording(events)
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await world.minimize("state.open[1] != null")
      #expect(answer.minimal)
      #expect(answer.events == 2)
      let left = Self.left(try Self.script(world), of: entries)
      #expect(left.count == 2)
      let isFailing = try Self.fails(left)
      #expect(isFailing)
      for index in left.indices {
        var fewer = left
        fewer.remove(at: index)
        let failsStill = try Self.fails(fewer)
        #expect(!failsStill)
      }
      #expect(answer.runs < 200)
      // The reducer ran over no more than ten times the events.
      #expect(world.hosts.host.counted.events < 10 * count + 100)
    }
  }

  @Test("events that are all needed all stay")
  func allNeeded() async throws {
    let events = (0..<20).map { _ in Doors.paid(5) }
    let entries = try Doors.recording(events)
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await world.minimize("state.total >= 100")
      #expect(answer.events == 20)
      #expect(answer.minimal)
      #expect(world.forks.all.isEmpty)
      #expect(answer.timeline == world.timeline)
    }
  }

  @Test("payloads become as simple as they can without losing the failure")
  func simpler() async throws {
    let event: JSON = ["paid": ["amount": 70, "note": "for the door", "items": [1, 2, 3]]]
    let entries = try Doors.recording([Doors.looked, event, Doors.looked])
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await world.minimize("state.total > 50")
      #expect(answer.events == 1)
      let left = Self.left(try Self.script(world), of: entries)
      #expect(left == [["paid": ["amount": 70]]])
    }
  }

  /// A basket for one item, which subtracts the whole price when a discounted item is removed.
  private static let basket = FunctionMachine(initial: cart(holding: nil, total: 0)) {
    state, event in
    let price = state["price"]?.int
    let total = state["total"]?.int ?? 0
    if let cents = event["added"]?["cents"]?.int { return cart(holding: cents, total: cents) }
    guard let price else { return state }
    if let cents = event["discounted"]?["cents"]?.int {
      return cart(holding: price, total: total - cents)
    }
    return event["removed"] == nil ? state : cart(holding: nil, total: total - price)
  }

  private static func cart(holding price: Int64?, total: Int64) -> JSON {
    [
      "price": price.map { .number(JSON.Number($0)) } ?? .null,
      "total": .number(JSON.Number(total)),
    ]
  }

  @Test("a payload is not simplified into a failure of fewer events")
  func simplerWithTheSameEvents() async throws {
    let events: [JSON] = [
      ["added": ["cents": 499, "name": "Pot"]], ["discounted": ["cents": 100]], ["removed": [:]],
    ]
    let entries = try Doors.recording(events, by: Self.basket)
    try await RerunWorld.run(entries, FunctionHosts(Self.basket)) { world in
      // With a price of 0, the discount alone would make the total negative.
      let answer = try await world.minimize("state.total < 0")
      #expect(answer.events == 3)
      #expect(answer.minimal)
      let left = Self.left(try Self.script(world), of: entries)
      #expect(left == [["added": ["cents": 499]], events[1], events[2]])
    }
  }

  @Test("a payload is not simplified if an event becomes superfluous")
  func simplerWithoutSuperfluousEvents() async throws {
    // The code 7 opens an armed safe, and the code 0 any safe.
    let safe = FunctionMachine(initial: ["armed": false, "open": false]) { state, event in
      guard let code = event["tried"]?["code"]?.int else { return ["armed": true, "open": false] }
      let isOpen = code == 0 || code == 7 && state["armed"] == true
      return ["armed": state["armed"] ?? false, "open": .bool(isOpen)]
    }
    let events: [JSON] = [["armed": [:]], ["tried": ["code": 5]], ["tried": ["code": 7]]]
    let entries = try Doors.recording(events, by: safe)
    try await RerunWorld.run(entries, FunctionHosts(safe)) { world in
      let answer = try await world.minimize("state.open")
      #expect(answer.minimal)
      #expect(Self.left(try Self.script(world), of: entries) == [events[0], events[2]])
    }
  }

  @Test("a crash is looked for as that crash")
  func crash() async throws {
    var events = Doors.noise(60, seed: 9)
    events.insert(Doors.opened("a"), at: 10)
    events.insert(Doors.opened("b"), at: 30)
    var entries = try Doors.recording(events)
    var draft = EntryDraft(seq: Int64(entries.count), t: 10_000)
    draft.event = Doors.crashed.encoded()[...]
    draft.error = "trapped"
    entries.append(try draft.entry())
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let answer = try await world.minimize(#"error == "trapped""#)
      #expect(answer.events == 3)
      #expect(answer.minimal)
    }
  }

  @Test("when the time is over, the answer is the best result, marked as not minimal")
  func timeIsOver() async throws {
    let entries = try Doors.recording([Doors.looked, Doors.opened("a"), Doors.opened("b")])
    let hosts = FunctionHosts(.doors)
    for (seconds, left, isMinimal) in [(0, 3, false), (60, 2, true)] as [(Int64, Int, Bool)] {
      let planted = TargetFailure(try Predicates.Predicate("state.open[1] != null"), at: entries[3])
      var search = Minimization(
        entries.dropFirst().map { Candidate.Item(entry: $0) }, after: 0,
        from: Snapshot(state: FunctionMachine.doors.initial), isForm: false, make: "Doors()",
        failure: planted, on: hosts.host, time: .seconds(seconds), report: { _ in },
        recorded: { _ in nil }
      )
      let result = try await search.run()
      #expect(result.items.count == left)
      #expect(result.isMinimal == isMinimal)
      #expect(seconds > 0 || result.runs == 1)
    }
  }

  @Test("reports progress whenever events were removed")
  func progress() async throws {
    let events = Doors.noise(500, seed: 4) + [Doors.opened("a"), Doors.opened("b")]
    let entries = try Doors.recording(events)
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let reported = Mutex<[ToInspector.Progress]>([])
      let answer = try await world.minimize(
        "state.open[1] != null",
        report: { message in
          if case .progress(let progress) = message { reported.withLock { $0.append(progress) } }
        })
      let all = reported.withLock { $0 }
      #expect(all.count > 3)
      #expect(all.allSatisfy { $0.of == 502 })
      #expect(all.map(\.done) == all.map(\.done).sorted())
      #expect(all.last?.done == 502 - answer.events)
      #expect(all.last?.message?.hasPrefix("2 of 502 events are left after ") == true)
    }
  }

  @Test("ends when it is canceled, and makes no branch")
  func canceled() async throws {
    let events = Doors.noise(500, seed: 4) + [Doors.opened("a"), Doors.opened("b")]
    let entries = try Doors.recording(events)
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let (reported, tell) = AsyncStream<Int>.makeStream()
      let search = Task {
        try await world.minimize(
          "state.open[1] != null",
          report: { _ in
            tell.yield(world.hosts.host.counted.requests)
            while !Task.isCancelled { await Task.yield() }
          })
      }
      let requests = await reported.first { _ in true }
      search.cancel()
      await #expect(throws: CancellationError.self) { try await search.value }
      #expect(world.forks.all.isEmpty)
      #expect(world.hosts.host.counted.requests == requests)
    }
  }

  @Test("another error of the same event is another failure")
  func otherErrors() async throws {
    // Both go back to a missing state, and report it with different messages.
    let events = [
      Doors.looked, Doors.undone(to: 90), Doors.paid(1), Doors.undone(to: 80), Doors.looked,
    ]
    let entries = try Doors.recording(events)
    #expect(entries[2].error != nil && entries[4].error != nil)
    try await RerunWorld.run(entries, FunctionHosts(.doors), kind: "form") { world in
      let answer = try await world.minimize("error != null && state.total > 0")
      #expect(answer.minimal)
      let left = Self.left(try Self.script(world), of: entries)
      #expect(left == [Doors.paid(1), Doors.undone(to: 80)])
    }
  }

  @Test("a later start is taken only when it is allowed")
  func laterStart() async throws {
    var entries = try Doors.recording(
      [Doors.opened("a")] + Doors.noise(40, seed: 5) + [Doors.opened("b")])
    let state = try #require(try Timeline.state(of: entries, at: 20))
    var keyframe = EntryDraft(entries[20])
    keyframe.state = state.encoded()[...]
    entries[20] = try keyframe.entry()
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let strict = try await world.minimize("state.open[1] != null")
      #expect(strict.events == 2)
      let relaxed = try await world.minimize("state.open[1] != null") { $0.laterStart = true }
      #expect(relaxed.events == 1)
    }
  }

  @Test("only what holds up to a given entry is looked for")
  func through() async throws {
    let entries = try Doors.recording(
      Doors.noise(8, seed: 6) + [Doors.opened("a"), Doors.opened("b")] + Doors.noise(8, seed: 7)
        + [Doors.opened("c")])
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      // Two are open from entry 10 on, three from entry 19 on.
      for (predicate, at) in [("state.open[1] != null", 10), ("state.open[2] != null", 19)]
        as [(String, Int64)]
      {
        for through in [1, at - 1] as [Int64] {
          let refused = await #expect(throws: Refusal.self, "\(predicate), through \(through)") {
            try await world.minimize(predicate) { $0.through = through }
          }
          #expect(refused?.reply.code == .notFound)
          #expect(refused?.reply.path == "predicate")
        }
      }
      #expect(world.forks.all.isEmpty)
      for through in [10, 11, 18] as [Int64] {
        let answer = try await world.minimize("state.open[1] != null") { $0.through = through }
        #expect(answer.minimal)
        #expect(answer.events == 2)
        let fork = try #require(world.forks.all.last)
        let script = try EditScript(reading: fork.edits)
        #expect(script.edits.first == .cut(10))
        let left = Self.left(script, of: entries)
        #expect(left.count == 2)
        let isFailing = try Self.fails(left)
        #expect(isFailing)
      }
      // The last entry belongs to it, and nothing follows the end.
      for through in [19, 1_000] as [Int64] {
        let answer = try await world.minimize("state.open[2] != null") { $0.through = through }
        #expect(answer.events == 3)
      }
    }
  }

  @Test("what does not hold anywhere, from the start, or not again is reported")
  func refuses() async throws {
    let entries = try Doors.recording([Doors.opened("a"), Doors.opened("b")])
    try await RerunWorld.run(entries, FunctionHosts(.doors)) { world in
      let nowhere = await #expect(throws: Refusal.self) {
        try await world.minimize("state.total > 5")
      }
      #expect(
        nowhere?.reply.message == """
          The predicate does not hold anywhere in the stretch, so there is nothing to minimize. To \
          see where a part of it holds, run: debugd find \(world.timeline.text.prefix(8)) 'PART'
          """)
      let always = await #expect(throws: Refusal.self) { try await world.minimize("true") }
      #expect(always?.reply.message.contains("already") == true)
    }
    try await RerunWorld.run(entries, FunctionHosts(.doors), minimizeLimit: 2) { world in
      let long = await #expect(throws: Refusal.self) {
        try await world.minimize("state.open[1] != null")
      }
      #expect(
        long?.reply.message == """
          The failure is entry 2, and no more than 2 entries can be minimized. To fix, make a branch \
          that begins later, and minimize that.
          """)
    }
  }

  /// Doors of which only one can be open: the bug is fixed where the second one opens.
  private static let oneOpen = FunctionMachine(initial: FunctionMachine.doors.initial) {
    state, event in
    if event["opened"] != nil, state["open"]?.array?.isEmpty == false { return state }
    return FunctionMachine.doors.reduce(state, event)
  }

  /// Doors that do not open: the bug is fixed before the event after which it showed.
  private static let noneOpen = FunctionMachine(initial: FunctionMachine.doors.initial) {
    state, event in
    event["opened"] == nil ? FunctionMachine.doors.reduce(state, event) : state
  }

  /// Doors that die of every payment.
  private static let dying = FunctionMachine(initial: FunctionMachine.doors.initial) {
    state, event in
    event["paid"] == nil ? FunctionMachine.doors.reduce(state, event) : nil
  }

  @Test(
    "a failure that today's reducer does not reach is not minimized",
    arguments: [
      (oneOpen, "state.open[1] != null", ""),
      // From the recorded moment before it, the last event alone would still fail.
      (noneOpen, "state.open[0] != null && state.count == 4", ""),
      (dying, "state.open[1] != null", " Today it ends at entry 2: The reducer trapped. signal 5"),
    ] as [(FunctionMachine, String, String)])
  func notReproduced(today: FunctionMachine, predicate: String, end: String) async throws {
    let entries = try Doors.recording(
      [Doors.opened("a"), Doors.paid(1), Doors.opened("b"), Doors.looked])
    try await RerunWorld.run(entries, FunctionHosts(today)) { world in
      let refused = await #expect(throws: Refusal.self) { try await world.minimize(predicate) }
      let seq = predicate.contains("count") ? 4 : 3
      #expect(
        refused?.reply.message == """
          Today's reducer no longer reaches \(predicate); the recording did at entry \(seq).\(end) \
          Either the bug is fixed, or the reducer depends on more than its state and event. To see \
          the difference, run: debugd verify 0b9f3c52
          """)
      #expect(world.forks.all.isEmpty)
    }
  }

  @Test("a failure that today's reducer reaches earlier is minimized from there")
  func earlier() async throws {
    // Every payment counts double today.
    let today = FunctionMachine(initial: FunctionMachine.doors.initial) { state, event in
      FunctionMachine.doors.reduce(state, event).flatMap { FunctionMachine.doors.reduce($0, event) }
    }
    let entries = try Doors.recording((0..<20).map { _ in Doors.paid(5) })
    try await RerunWorld.run(entries, FunctionHosts(today)) { world in
      let answer = try await world.minimize("state.total >= 100")
      #expect(answer.events == 10)
      #expect(answer.minimal)
    }
  }
}
