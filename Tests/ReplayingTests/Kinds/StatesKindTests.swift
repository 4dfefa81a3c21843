import JSONCore
import Replaying
import StatesCore
import TestSupport
import Testing
import Timelines

/// A state with every kind of output.
struct Depot: Reducible, Codable {
  var trams: [String] = []
  var waiting = Pending<String>()
  var speed: Double?

  enum Event: Codable {
    case arrived(String)
    case left
    case changedSpeed(to: Double?)
    case acknowledged
  }

  static func reduce(state: Depot, event: Event) -> Depot {
    var result = state
    switch event {
    case .arrived(let name):
      result.trams.append(name)
      result.waiting.add(name)
    case .left: if !result.trams.isEmpty { result.trams.removeFirst() }
    case .changedSpeed(let speed): result.speed = speed
    case .acknowledged: result.waiting.acknowledge()
    }
    return result
  }

  static var outputs: Outputs<Depot> {
    Output("count") { $0.trams.count }
    Output("announce", as: .data) { $0.waiting.first?.value }
    Output("bell") { $0.trams.count > 2 ? () : nil }
    Output("first", as: .navigation) { $0.trams.first }
  }
}

/// A type that makes a machine.
private enum FreshDepot: Replayable {
  static func make() -> Machine<Depot> { Machine(Depot(trams: ["1"])) }
}

@Suite("Replaying: states")
struct StatesKindTests {
  private func random(_ generator: inout SeededGenerator) -> Depot.Event {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0, 1: .arrived("tram \(Int.random(in: 0..<9, using: &generator))")
    case 2: .left
    case 3: .changedSpeed(to: [nil, 0.1, -0.0, .infinity, 1e21].randomElement(using: &generator)!)
    default: .acknowledged
    }
  }

  @Test(
    "any run, with restored, thinned, and lost entries, can be replayed", arguments: 0..<12)
  func property(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let machine = Machine(Depot())
    let run = try RecordedRun(StatesAppearance<Depot>(), of: machine.kernel)
    var past = [machine.state]
    for _ in 0..<60 {
      run.thins = generator.chance(0.1)
      run.loses = generator.chance(0.04)
      if generator.chance(0.05) {
        machine.restore(past.randomElement(using: &generator)!)
      } else {
        machine.send(random(&generator))
      }
      past.append(machine.state)
    }
    run.thins = false
    run.loses = false
    machine.send(.left)
    try run.expectReplays(by: Replay(reducible: Depot.self), "seed \(seed)")
    try run.expectReplays(by: Replay(of: FreshDepot.self), "seed \(seed)")
  }

  @Test("entries have event, state, patch, and outputs in the format's form")
  func shape() throws {
    let machine = Machine(Depot())
    let run = try RecordedRun(StatesAppearance<Depot>(), of: machine.kernel)
    machine.send(.arrived("7"))
    for name in ["8", "9"] { machine.send(.arrived(name)) }
    machine.restore(Depot())
    let entries = try run.timeline().entries
    #expect(entries[0].event == nil)
    #expect(entries[0].state?.text == #"{"trams":[],"waiting":{"items":[],"nextTicket":0}}"#)
    #expect(entries[0].outputState?.text == #"{"count":0}"#)
    #expect(entries[1].event?.text == #"{"arrived":{"_0":"7"}}"#)
    #expect(entries[1].origin == .app)
    #expect(entries[1].at?.hasPrefix("ReplayingTests/StatesKindTests.swift:") == true)
    #expect(entries[3].outputs?.text.contains(#"{"op":"add","path":"/bell","value":{}}"#) == true)
    #expect(entries[4].isJump && entries[4].event == nil && entries[4].patch != nil)
  }

  @Test("a state restored from a moment names it")
  func restored() throws {
    let machine = Machine(Depot())
    var writer = RunWriter(StatesAppearance<Depot>(), of: machine.kernel)
    var drafts = [try writer.begin(with: machine.state, after: nil, t: 0)]
    let moment = EntryReference(timeline: TimelineID.random(), seq: 3)
    machine.kernel.use { step in
      if let draft = try? writer.write(step, t: 1, restored: moment) { drafts.append(draft) }
    }
    machine.restore(Depot(trams: ["2"]))
    let entry = try #require(try Timeline.reading(drafts).entries.last)
    #expect(entry.restored == moment && !entry.isJump && entry.isKeyframe)
  }

  @Test("causes are entries of this machine or another one")
  func causes() throws {
    let machine = Machine(Depot())
    machine.send(.left)
    var writer = RunWriter(StatesAppearance<Depot>(), of: machine.kernel)
    _ = try writer.begin(with: machine.state, after: nil, t: 0)
    var drafts: [EntryDraft] = []
    let elsewhere = EntryReference(timeline: TimelineID.random(), seq: 5)
    machine.kernel.use { step in
      let draft = try? writer.write(step, t: 1) { $0.machine == .max ? elsewhere : nil }
      if let draft { drafts.append(draft) }
    }
    machine.subscribe { depot in if depot.trams == ["a"] { machine.send(.left) } }
    machine.send(.arrived("a"))
    Cause.with(Cause(machine: .max, number: 9)) { _ = machine.send(.left) }
    #expect(drafts.map(\.seq) == [1, 2, 3])
    #expect(drafts.map(\.cause) == [nil, .here(1), .elsewhere(elsewhere)])
  }

  @Test("differences from today's reducer are reported once per stretch")
  func differences() throws {
    let machine = Machine(Depot())
    let run = try RecordedRun(StatesAppearance<Depot>(), of: machine.kernel)
    for name in ["a", "b", "c"] { machine.send(.arrived(name)) }
    var drafts = run.drafts
    let event = #"{"arrived":{"_0":"x"}}"#
    drafts[2].event = Array(event.utf8)[...]
    var replay = TimelineReplay(
      try Timeline.reading(drafts), with: try Replay(reducible: Depot.self).makeReplayer())
    while try replay.next() != nil {}
    #expect(replay.differences.map(\.seq) == [2])
    #expect(
      replay.differences.first?.state.operations.first == .replace(try Pointer("/trams/1"), "x"))
    #expect(replay.differences.first?.outputs.isEmpty == true)
  }

  @Test(
    "an event of another type is undecodable, and nothing has happened",
    arguments: [
      #"{"vanished":{}}"#, #"{"arrived":{"_0":7}}"#, #""left""#, "[]", "null",
      #"{"arrived":{}}"#,
    ])
  func undecodable(event: String) throws {
    let replayer = try Replay(reducible: Depot.self).makeReplayer()
    try replayer.load(state: JSONSlice(#"{"trams":["1"],"waiting":{"items":[],"nextTicket":0}}"#))
    let before = try replayer.snapshot()
    let step = PlannedStep(seq: 4, t: 0, action: .reduce(try JSONSlice(event)))
    let error = #expect(throws: ReplayError.self) { _ = try replayer.run(step) }
    #expect(error?.seq == 4)
    if case .undecodableEvent? = error?.reason {} else { Issue.record("\(error as Any)") }
    #expect("\(error!)".hasPrefix("entry 4: Today's type cannot decode the event"))
    #expect(try replayer.snapshot() == before)
  }

  @Test("without an initial state there are error messages")
  func noState() throws {
    let replayer = try Replay(reducible: Depot.self).makeReplayer()
    let left = PlannedStep(seq: 1, t: 0, action: .reduce(try JSONSlice(#"{"left":{}}"#)))
    #expect(throws: ReplayError(.noState, at: 1)) { _ = try replayer.run(left) }
    #expect(throws: ReplayError(.noState)) { _ = try replayer.snapshot() }
    #expect(throws: ReplayError(.noFirstState(type: "ReplayingTests.Depot"))) {
      _ = try replayer.begin()
    }
    #expect(throws: ReplayError.self) { try replayer.load(state: JSONSlice(#"{"trams":1}"#)) }
    let first = try Replay(of: FreshDepot.self).makeReplayer().begin()
    #expect(first.state.map { String(decoding: $0, as: UTF8.self) }?.contains(#"["1"]"#) == true)
  }

  @Test("a machine is named by its type, and made by an expression")
  func names() {
    let known = Replay(reducible: Depot.self)
    #expect(
      (known.kind, known.type, known.make) == (
        .states, "ReplayingTests.Depot", "ReplayingTests.Depot.self"
      ))
    let made = Replay(of: FreshDepot.self)
    #expect(made.kind == .states)
    #expect(made.make.hasSuffix("FreshDepot).make()") || made.make.hasSuffix("FreshDepot.make()"))
    #expect(!made.make.contains("unknown context"))
  }
}
