import JSONCore
import Recorder
import Replaying
import StatesCore
import TestSupport
import Testing
import Timelines

/// A basket with outputs, and random events.
private struct Basket: Reducible, Codable, Sendable, Equatable {
  var items: [String] = []
  var total = 0.0
  var note: String?

  enum Event: Codable, Sendable {
    case added(String, price: Double)
    case removedLast
    case noted(String?)
    case nothing
  }

  static func reduce(state: Basket, event: Event) -> Basket {
    var result = state
    switch event {
    case .added(let name, let price):
      result.items.append(name)
      result.total += price
    case .removedLast: _ = result.items.popLast()
    case .noted(let text): result.note = text
    case .nothing: break
    }
    return result
  }

  static var outputs: Outputs<Basket> {
    Output("count", \.items.count)
    Output("isLarge") { $0.items.count > 4 ? () : nil }
  }

  static func event(_ generator: inout SeededGenerator) -> Event {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0, 1, 2:
      .added(
        "item \(Int.random(in: 0..<9, using: &generator))",
        price: Double.random(in: -1...9, using: &generator))
    case 3: .removedLast
    case 4:
      .noted(generator.chance(0.3) ? nil : "é\u{0}\"\(Int.random(in: 0..<9, using: &generator))")
    default: .nothing
    }
  }
}

private enum Gateway: Replayable {
  struct Session: Codable, Sendable, Equatable { var opened = 0, words: [String] = [] }

  static func make() throws -> Statechart<Session> {
    try Statechart(
      Session(),
      ChartDefinition {
        OnEnter { $0.goTo("closed") }
        On("said", String.self) { $0.value.words.append($1) }
        ChartState("closed") { On("pushed", goTo: "open") }
        ChartState("open") {
          OnEnter { $0.value.opened += 1 }
          On("pulled", goTo: "closed")
        }
      })
  }
}

private enum Numbers: Replayable {
  static func reduce(_ state: [Int], _ event: String) -> [Int] { state + [event.count] }
  static func make() -> StateForm<[Int], String> { StateForm(state: [], reducer: reduce) }
}

private enum Sum: Replayable {
  static func make() -> RecordedReducer<[Int], Int> {
    RecordedReducer(first: []) { (state: [Int], event: Int) in state + [event] }
  }
}

private final class Lamp: Stateful {
  private(set) lazy var state = Dispatcher(for: self)
  static func on(_ brightness: Int) -> State { state(brightness) { _ in } }
  static func off() -> State { state { _ in } }
}

private enum Echo: Replayable {
  static func make() -> FeedbackSystem<[Int], Int> {
    FeedbackSystem(
      initialState: [], reduce: { $0 + [$1] },
      feedback: react("double", request: { $0.last.flatMap { $0 % 2 == 1 ? $0 : nil } }) {
        request, emit in emit(request * 2)
      })
  }
}

@Suite("Recorded machines show what happened live, and replay to the same states")
struct RecordedKindsTests {
  @Test("a machine of a reducible state", arguments: 0..<8)
  func machine(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let recording = MemoryRecording()
    let machine = recording.recorder.record(Machine(Basket()), as: "basket")
    func now() throws -> Snapshot {
      try snapshot(machine.state, RecordedOutput.list(of: Basket.outputs, in: machine.state))
    }
    var live = [try now()]
    for _ in 0..<120 {
      if generator.chance(0.03) {
        machine.restore(Basket(items: ["restored"]))
      } else {
        machine.send(Basket.event(&generator))
      }
      live.append(try now())
    }
    let timeline = try recording.timeline(named: "basket")
    recording.expect(timeline, shows: live, "seed \(seed)")
    try recording.expectReplays(timeline, by: Replay(reducible: Basket.self))
    #expect(timeline.header.machine.kind == "states")
    #expect(timeline.header.machine.make?.hasSuffix("Basket.self") == true)
    #expect(timeline.header.schema != nil)
  }

  @Test("a form, with undo and closures", arguments: 0..<8)
  func form(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let recording = MemoryRecording()
    let form = recording.recorder.record(
      Numbers.make(), as: "numbers", madeBy: Numbers.self)
    var live = [try snapshot(form.state)]
    let subscription = form.onTransition { _, new in
      if let new = try? snapshot(new) { live.append(new) }
    }
    for _ in 0..<120 {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: form.undo()
      case 1: form.redo()
      default:
        form.apply(String(repeating: "x", count: Int.random(in: 0..<5, using: &generator)))
      }
    }
    subscription.cancel()
    let timeline = try recording.timeline(named: "numbers")
    recording.expect(timeline, shows: live, "seed \(seed)")
    try recording.expectReplays(timeline, by: Replay(of: Numbers.self))
  }

  @Test("a form that is changed by closures")
  func closures() throws {
    let recording = MemoryRecording()
    let form = recording.recorder.record(StateForm(state: [1, 2]), as: "numbers")
    form.apply { $0.append(3) }
    form.apply { $0[0] = 9 }
    let timeline = try recording.timeline(named: "numbers")
    recording.expect(
      timeline, shows: [try snapshot([1, 2]), try snapshot([1, 2, 3]), try snapshot([9, 2, 3])])
    #expect(timeline.entries[1].eventName == "apply")
  }

  @Test("a chart", arguments: 0..<8)
  func chart(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let recording = MemoryRecording()
    let chart = try recording.recorder.record(Gateway.make(), as: "door", madeBy: Gateway.self)
    var live = [chart.state]
    let subscription = chart.onTransition { _, new in live.append(new) }
    for _ in 0..<120 {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: try chart.send("pushed")
      case 1: try chart.send("pulled")
      case 2: try chart.send("unknown")
      default: try chart.send("said", "word \(Int.random(in: 0..<9, using: &generator))")
      }
    }
    subscription.cancel()
    let timeline = try recording.timeline(named: "door")
    recording.expectSound(timeline)
    #expect(timeline.entries.count == live.count)
    for (entry, position) in zip(timeline.entries, live) {
      #expect(try timeline.state(at: entry.seq) == snapshot(position).state)
    }
    try recording.expectReplays(timeline, by: Replay(of: Gateway.self))
    #expect(timeline.header.chart != nil)
  }

  @Test("an object's dispatcher", arguments: 0..<8)
  func dispatcher(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let recording = MemoryRecording()
    let lamp = recording.recorder.record(Lamp(), as: "lamp")
    var live = [try snapshot(lamp.state.state)]
    let subscription = lamp.state.onTransition { _, new in
      if let new = try? snapshot(new) { live.append(new) }
    }
    for _ in 0..<60 {
      if generator.chance(0.5) {
        lamp.state.apply(Lamp.on(Int.random(in: 0..<3, using: &generator)))
      } else {
        lamp.state.apply(Lamp.off())
      }
    }
    subscription.cancel()
    let timeline = try recording.timeline(named: "lamp")
    recording.expect(timeline, shows: live, "seed \(seed)")
    try recording.expectReplays(timeline, by: Replay(functional: Lamp.self))
  }

  @Test("the runs of a feedback system, each as a timeline")
  func feedback() async throws {
    let recording = MemoryRecording()
    let system = recording.recorder.record(Echo.make(), as: "echo", madeBy: Echo.self)
    for _ in 0..<2 {
      let run = system.makeRun()
      run.send(4)
      run.send(7)
      // The loop answers the odd one.
      for try await state in run where state == [4, 7, 14] { break }
    }
    #expect(recording.recorder.flush(within: .seconds(120)))
    #expect(recording.memory.timelines.map(\.header.machine.name) == ["echo", "echo 2"])
    for timeline in recording.memory.timelines {
      recording.expectSound(timeline)
      #expect(timeline.entries.count >= 4)
      #expect(timeline.entries.contains { $0.origin == .loop("double") && $0.cause != nil })
      try recording.expectReplays(timeline, by: Replay(of: Echo.self))
    }
  }

  @Test("a wrapped function, which jumps when it is called with another state", arguments: 0..<8)
  func wrapped(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let recording = MemoryRecording()
    let reduce = recording.recorder.wrap(
      { (state: [Int], event: Int) in state + [event] }, as: "sum", madeBy: Sum.self)
    var state: [Int] = []
    var live = [try snapshot(state)]
    var jumps = 0
    for number in 0..<100 {
      if generator.chance(0.1) {
        let other = [number]
        if other != state {
          state = other
          jumps += number == 0 ? 0 : 1
          if number == 0 { live = [] }
          live.append(try snapshot(state))
        }
      }
      state = reduce(state, number)
      live.append(try snapshot(state))
    }
    let timeline = try recording.timeline(named: "sum")
    recording.expect(timeline, shows: live, "seed \(seed)")
    #expect(timeline.fixedPoints.count == jumps)
    try recording.expectReplays(timeline, by: Replay(of: Sum.self))
  }

  @Test("a wrapped function that changes its state in place")
  func inPlace() throws {
    let recording = MemoryRecording()
    let reduce = recording.recorder.wrap(
      inPlace: { (state: inout [Int], event: Int) in state.append(event) }, as: "list",
      madeBy: Sum.self)
    var state: [Int] = []
    var live = [try snapshot(state)]
    for number in 0..<100 {
      if number == 50 {
        state = [-1]
        live.append(try snapshot(state))
      }
      reduce(&state, number)
      live.append(try snapshot(state))
    }
    let timeline = try recording.timeline(named: "list")
    recording.expect(timeline, shows: live)
    #expect(timeline.fixedPoints == [51])
    try recording.expectReplays(timeline, by: Replay(of: Sum.self))
  }

  @Test("outputs are those of the live state, for every kind of machine", arguments: 0..<4)
  func outputs(seed: UInt64) throws {
    let outputs = Outputs<[Int]>([
      Output("count", \.count), Output("isLong") { $0.count > 4 ? () : nil },
    ])
    func now(_ state: [Int]) throws -> Snapshot {
      try snapshot(state, RecordedOutput.list(of: outputs, in: state))
    }
    var generator = SeededGenerator(seed: seed)
    let recording = MemoryRecording()
    let recorder = recording.recorder
    let form = recorder.record(
      StateForm(state: [Int](), reducer: { (state: [Int], event: Int) in state + [event] }),
      as: "form", outputs: outputs)
    let pure = recorder.wrap(
      { (state: [Int], event: Int) in state + [event] }, as: "pure", outputs: outputs)
    let inPlace = recorder.wrap(
      inPlace: { (state: inout [Int], event: Int) in state.append(event) }, as: "in place",
      outputs: outputs)
    let hand = recorder.machine("hand", initial: [Int](), outputs: outputs)
    var (one, other) = ([Int](), [Int]())
    var ofForm = [try now([])]
    var ofFunctions = [try now([])]
    for number in 0..<40 {
      let before = form.state
      if generator.chance(0.4) { form.undo() } else { form.apply(number) }
      if form.state != before { ofForm.append(try now(form.state)) }
      one = pure(one, number)
      inPlace(&other, number)
      hand.record(number, state: one)
      ofFunctions.append(try now(one))
    }
    recording.expect(try recording.timeline(named: "form"), shows: ofForm, "seed \(seed)")
    for name in ["pure", "in place", "hand"] {
      recording.expect(try recording.timeline(named: name), shows: ofFunctions, "\(name)")
    }
  }

  @Test("functions of one factory have a timeline each")
  func wrapping() throws {
    let recording = MemoryRecording()
    let all = recording.recorder.wrapping(Basket.reduce(state:event:))
    let (first, second) = (all(), all())
    _ = first(Basket(), .nothing)
    _ = second(Basket(), .removedLast)
    _ = second(Basket(), .removedLast)
    #expect(try recording.timeline(named: "Basket").entries.count == 2)
    #expect(try recording.timeline(named: "Basket 2").entries.count == 3)
  }

  @Test("a manual recording")
  func custom() throws {
    let recording = MemoryRecording()
    let cart = recording.recorder.machine("cart", initial: [String]())
    cart.record("added", state: ["tea"])
    cart.record(Basket.Event.removedLast, state: [])
    cart.replace(by: ["water"])
    let timeline = try recording.timeline(named: "cart")
    recording.expect(
      timeline,
      shows: try [[], ["tea"], [], ["water"]].map { (state: [String]) in try snapshot(state) })
    #expect(timeline.entries.map(\.eventName) == [nil, "added", "removedLast", nil])
    #expect(timeline.fixedPoints == [3])
  }

  @Test("a manual recording names the events that started its effects", .timeLimit(.minutes(5)))
  func causes() async throws {
    let recording = MemoryRecording()
    let search = await Searches(recording.recorder)
    await search.start().value
    let timeline = try recording.timeline(named: "search")
    recording.expectSound(timeline)
    // The effect of the second event ends first.
    #expect(
      timeline.entries.map(\.eventName)
        == [nil, "appeared", "typed", "typed", "found", "found", "closed"])
    #expect(timeline.entries.map(\.cause) == [nil, .here(0), nil, nil, .here(3), .here(2), nil])
    let log = try recording.timeline(named: "log")
    #expect(
      log.entries.map(\.cause)
        == [nil, .elsewhere(EntryReference(timeline: timeline.header.timeline, seq: 3))])
  }
}

/// A store whose effects overtake each other.
@MainActor private final class Searches {
  private let recording: CustomRecording<Int>
  private let log: CustomRecording<Int>

  init(_ recorder: StateRecorder) {
    recording = recorder.machine("search", initial: 0)
    log = recorder.machine("log", initial: 0)
  }

  func start() -> Task<Void, Never> {
    recording.causing { recording.record("appeared", state: 0) }
    recording.record("typed", state: 1)
    let (second, gate) = AsyncStream.makeStream(of: Void.self)
    let first = recording.causing {
      Task {
        for await _ in second {}
        recording.record("found", state: 3)
      }
    }
    recording.record("typed", state: 2)
    recording.causing {
      Task {
        recording.record("found", state: 2)
        log.record("found", state: 1)
        gate.finish()
      }
    }
    return Task {
      await first.value
      recording.record("closed", state: 4)
    }
  }
}
