import StatesCore
import Testing

@Suite("Statechart: value, effects and observers")
struct StatechartContextTests {
  @Test("handlers and hooks read and change the chart's value, which is part of the state")
  func handlersAndHooksReadAndChangeChartValue() throws {
    struct Session: Equatable { var entered = 0; var exited = 0 }
    let chart = try Statechart(Session()) {
      On("go", goTo: "a")
      On("leave", goTo: "root")
      ChartState("a") {
        OnEnter { $0.value.entered += 1 }
        OnExit { $0.value.exited += 1 }
      }
    }
    var seen: [ChartPosition<Session>] = []
    chart.onTransition { _, new in seen.append(new) }
    try chart.send("go")
    try chart.send("leave")
    #expect(
      seen == [
        ChartPosition(path: ["root"], value: Session()),
        ChartPosition(path: ["root", "a"], value: Session(entered: 1)),
        ChartPosition(path: ["root"], value: Session(entered: 1, exited: 1)),
      ])
  }

  @Test("effects run after the observers, in order, and not while the chart is held")
  func effectsRunAfterObservers() throws {
    let log = Answers()
    let chart = try Statechart {
      On("go", goTo: "a")
      On("leave", goTo: "root")
      ChartState("a") {
        OnEnter { context in
          context.perform { log.append("effect of entering") }
          log.append("decided")
        }
        OnExit { $0.perform { log.append("effect of leaving") } }
      }
    }
    chart.onTransition { _, new in log.append("observed \(new.current ?? "")") }
    try chart.send("go")
    #expect(
      log.all == ["observed root", "decided", "observed a", "effect of entering"])
    // An observer that holds the chart keeps the effects of that very step from running.
    chart.onTransition { _, _ in chart.hold(.refuse) }
    try chart.send("leave")
    #expect(log.all.last == "observed root")
    chart.resume()
    #expect(log.all.last == "observed root")
  }

  @Test("effects as values reach those who ask for their type, and are part of the step")
  func effectValues() throws {
    enum Sound: Equatable { case beep, boop }
    let chart = try Statechart {
      On("go") { context in
        context.emit(Sound.beep)
        context.emit(3)
        context.emit(Sound.boop)
      }
    }
    var sounds: [Sound] = []
    chart.onEffect(Sound.self) { sounds.append($0) }
    var counts: [Int] = []
    chart.use(EffectCounts { counts.append($0) })
    try chart.send("go")
    #expect(sounds == [.beep, .boop])
    #expect(counts == [0, 3])
  }

  @Test("a chart that is replayed performs nothing")
  func withoutEffects() throws {
    let log = Answers()
    let chart = try Statechart(0, options: ChartOptions(performsEffects: false)) {
      On("go") { context in
        context.value = 1
        context.perform { log.append("effect") }
        context.performOnMain { Issue.record("performed") }
      }
    }
    try chart.send("go")
    #expect(chart.value == 1)
    #expect(log.all.isEmpty)
  }

  @Test("performOnMain runs at once for a message sent on the main actor")
  @MainActor
  func performOnMain() throws {
    let screen = Screen()
    let definition = ChartDefinition<Int> {
      On("show", mayGoTo: []) { context in
        context.performOnMain { screen.shown += 1 }
      }
    }
    let chart = try Statechart(0, definition)
    try chart.send("show")
    #expect(screen.shown == 1)
  }

  @Test("performOnMain gets to the main actor from elsewhere too")
  func performOnMainFromElsewhere() async throws {
    let (shown, continuation) = AsyncStream.makeStream(of: Bool.self)
    let definition = ChartDefinition<Int> {
      On("show", mayGoTo: []) { context in
        context.performOnMain {
          MainActor.assertIsolated()
          continuation.yield(true)
          continuation.finish()
        }
      }
    }
    let chart = try Statechart(0, definition)
    try chart.send("show")
    for await value in shown { #expect(value) }
  }

  @Test("a chart in a main-actor class may capture it")
  @MainActor
  func ownerBound() throws {
    let screen = Screen()
    let chart = try Statechart {
      On("show") { context in
        context.perform { screen.shown += 1 }
      }
    }
    try chart.send("show")
    #expect(screen.shown == 1)
    #expect(chart.replayability == .onItsOwner)
  }

  @Test("a stored context can still send, and does nothing else")
  func keptContext() throws {
    var kept: ChartContext<Int>?
    let chart = try Statechart(0) {
      On("keep", mayGoTo: ["a"]) { kept = $0 }
      On("count", mayGoTo: []) { $0.value += 1 }
      ChartState("a")
    }
    try chart.send("keep")
    let context = try #require(kept)
    context.value = 40
    #expect(!context.goTo("a"))
    context.perform { Issue.record("performed") }
    context.emit(1)
    #expect(context.send("count") == .handled)
    #expect(chart.value == 1 && chart.path == ["root"])
    #expect(chart.checkInvariants() == [])
  }

  @Test("a restored position is where the next message finds the chart")
  func restoredPositionIsWhereNextMessageFindsChart() throws {
    let chart = try Statechart(0) {
      On("go", String.self) { $0.goTo($1) }
      ChartState("a") { On("m") { $0.value += 10 } }
      ChartState("b") { On("m") { $0.value += 1 } }
    }
    try chart.send("go", "a")
    var moves = 0
    chart.onMove { _ in moves += 1 }
    chart.restore(ChartPosition(path: ["root", "b"], value: 5))
    #expect(chart.current == "b")
    try chart.send("m")
    #expect(chart.value == 6)
    #expect(moves == 0)
    // A path that this chart does not have leads as far as it does.
    chart.restore(ChartPosition(path: ["root", "a", "gone"], value: 0))
    try chart.send("m")
    #expect(chart.state == ChartPosition(path: ["root", "a"], value: 10))
    chart.restore(ChartPosition(path: ["elsewhere"], value: 0))
    try chart.send("m")
    #expect(chart.state == ChartPosition(path: ["root"], value: 0))
    #expect(chart.checkInvariants() == [])
  }

  @Test("a chart does not keep itself alive")
  func noCycle() throws {
    weak var gone: Statechart<Int>?
    do {
      let chart = try Statechart(0) {
        On("go") { $0.perform {} }
        OnEnter { $0.goTo("a") }
        ChartState("a")
      }
      chart.onMove { _ in }
      try chart.send("go")
      gone = chart
      #expect(gone != nil)
    }
    #expect(gone == nil)
  }
}

/// A view, as far as these tests need one.
@MainActor
private final class Screen {
  var shown = 0
}

/// Middleware that counts the effects that each step requested.
private struct EffectCounts<State>: Middleware {
  let count: (Int) -> Void

  init(_ count: @escaping (Int) -> Void) { self.count = count }

  func handled(_ step: Step<State, ChartInput>) { count(step.input?.effects.count ?? 0) }
}
