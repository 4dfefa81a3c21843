import StatesCore
import Testing

@Suite("Statechart: goTo inside hooks")
struct StatechartDispatchTests {
  private let immediate = ChartOptions(dispatch: .immediate)

  @Test("a queued goTo in a hook runs after the running transition")
  func queuedInHooks() throws {
    let log = Answers()
    let chart = try makeDetour(ChartOptions(), log)
    try chart.send("go", "b")
    #expect(
      log.all == [
        "enter a", "a says c", "still a", "enter b", "exit b", "exit a", "enter c",
      ])
    #expect(chart.current == "c")
    #expect(chart.lastReport.moves.map(\.target) == ["b", "c"])
  }

  @Test("an immediate goTo in a hook runs first, then the outer one continues from there")
  func immediateInHooks() throws {
    let log = Answers()
    let chart = try makeDetour(immediate, log)
    try chart.send("go", "b")
    #expect(
      log.all == [
        "enter a", "a says c", "exit a", "enter c", "still c", "exit c", "enter a", "enter b",
      ])
    #expect(chart.current == "b")
    #expect(chart.lastReport.moves.map(\.target) == ["c", "b"])
  }

  /// Below the root: `a` above `b`, and `c`; entering `a` for the first time goes to `c`.
  private func makeDetour(_ options: ChartOptions, _ log: Answers) throws -> Statechart<Int> {
    try Statechart(0, options: options) {
      On("go", String.self) { $0.goTo($1) }
      ChartState("a") {
        OnEnter { context in
          log.append("enter a")
          context.value += 1
          guard context.value == 1 else { return }
          log.append("\(context.current) says c")
          context.goTo("c")
          log.append("still \(context.current)")
        }
        OnExit { _ in log.append("exit a") }
        ChartState("b") {
          OnEnter { _ in log.append("enter b") }
          OnExit { _ in log.append("exit b") }
        }
      }
      ChartState("c") {
        OnEnter { _ in log.append("enter c") }
        OnExit { _ in log.append("exit c") }
      }
    }
  }

  @Test("immediate: after an exit hook moved the chart, the outer goTo pops to its own path")
  func immediateExit() throws {
    let log = Answers()
    let chart = try Statechart(options: immediate) {
      On("go", String.self) { $0.goTo($1) }
      ChartState("a") {
        OnExit { context in
          log.append("exit a in \(context.current)")
          context.goTo("d")
          log.append("then in \(context.current)")
        }
      }
      ChartState("b") { OnEnter { _ in log.append("enter b") } }
      ChartState("c") {
        OnEnter { _ in log.append("enter c") }
        OnExit { _ in log.append("exit c") }
        ChartState("d") {
          OnEnter { _ in log.append("enter d") }
          OnExit { _ in log.append("exit d") }
        }
      }
    }
    try chart.send("go", "a")
    try chart.send("go", "b")
    #expect(
      log.all == [
        "exit a in root", "enter c", "enter d", "then in d", "exit d", "exit c", "enter b",
      ])
    #expect(chart.path == ["root", "b"])
  }

  @Test("a queued goTo in an exit hook runs after the running transition")
  func queuedExit() throws {
    let chart = try Statechart {
      On("go", String.self) { $0.goTo($1) }
      ChartState("a") { OnExit(goTo: "c") }
      ChartState("b")
      ChartState("c")
    }
    try chart.send("go", "a")
    try chart.send("go", "b")
    #expect(chart.current == "c")
    #expect(
      chart.lastReport.visits.map(\.description) == [
        "exited a", "entered b", "exited b", "entered c",
      ])
  }

  @Test("the target's own enter hook may go on", arguments: [ChartDispatch.queued, .immediate])
  func targetEnterHookMayContinue(dispatch: ChartDispatch) throws {
    // StateKit's own test: every level goes one deeper, the last one two up.
    let chart = try Statechart([String](), options: ChartOptions(dispatch: dispatch)) {
      OnEnter(goTo: "level1")
      ChartState("level1") {
        OnEnter { $0.value.append("1") }
        OnEnter(goTo: "level2")
        ChartState("level2") {
          OnEnter { $0.value.append("2") }
          OnEnter(goTo: "level3")
          ChartState("level3") {
            OnEnter { $0.value.append("3") }
            OnEnter(goTo: "level4")
            ChartState("level4") {
              OnEnter { $0.value.append("4") }
              OnEnter(goTo: "level2")
            }
          }
        }
      }
    }
    try chart.start()
    #expect(chart.value == ["1", "2", "3", "4"])
    #expect(chart.path == ["root", "level1", "level2"])
  }

  @Test("a goTo in a handler runs at once", arguments: [ChartDispatch.queued, .immediate])
  func inHandlers(dispatch: ChartDispatch) throws {
    let answers = Answers()
    let chart = try Statechart(options: ChartOptions(dispatch: dispatch)) {
      On("both") { context in
        context.goTo("a")
        answers.append(context.current)
        context.goTo("b")
        answers.append(context.current)
      }
      ChartState("a")
      ChartState("b")
    }
    try chart.send("both")
    #expect(answers.all == ["a", "b"])
  }

  @Test(
    "hooks that loop end with an error and a usable chart",
    arguments: [
      (ChartDispatch.queued, 100), (.immediate, 100), (.queued, 3), (.immediate, 3),
    ])
  func hooksThatLoopEndWithErrorAndUsableChart(dispatch: ChartDispatch, limit: Int) throws {
    let options = ChartOptions(dispatch: dispatch, transitionLimit: limit)
    let chart = try Statechart(0, options: options) {
      On("loop", goTo: "a")
      On("calm", goTo: "c")
      ChartState("a") {
        OnEnter {
          $0.value += 1; $0.goTo("b")
        }
      }
      ChartState("b") {
        OnEnter {
          $0.value += 1; $0.goTo("a")
        }
      }
      ChartState("c")
    }
    var errors = 0
    chart.use(StepErrors { errors += 1 })
    let thrown = #expect(throws: ChartError.self) { try chart.send("loop") }
    guard case .tooManyTransitions(limit, let trail) = thrown else {
      Issue.record("expected the cap, got \(String(describing: thrown))")
      return
    }
    #expect(trail.count == limit + 2)
    #expect(Array(trail.prefix(4)) == ["root", "a", "b", "a"])
    #expect(errors == 1)
    // As many states were entered as transitions were allowed, each completely.
    #expect(chart.value == limit)
    #expect(chart.path == ["root", limit.isMultiple(of: 2) ? "b" : "a"])
    #expect(chart.checkInvariants() == [])
    #expect("\(thrown!)".contains("To fix"))

    try chart.send("calm")
    #expect(chart.path == ["root", "c"])
    #expect(chart.checkInvariants() == [])
  }

  @Test(
    "a high limit does not cost the stack: queued reaches it, immediate ends a hundred deep",
    arguments: [(ChartDispatch.queued, 20_000), (.immediate, 100)])
  func highCap(dispatch: ChartDispatch, entered: Int) throws {
    let chart = try Statechart(
      0, options: ChartOptions(dispatch: dispatch, transitionLimit: 20_000)
    ) {
      On("loop", goTo: "a")
      On("calm", goTo: "root")
      ChartState("a") {
        OnEnter {
          $0.value += 1; $0.goTo("b")
        }
      }
      ChartState("b") {
        OnEnter {
          $0.value += 1; $0.goTo("a")
        }
      }
    }
    try chart.start()
    let thrown = #expect(throws: ChartError.self) { try chart.send("loop") }
    guard case .tooManyTransitions(let limit, _) = thrown else { return }
    #expect(limit == entered)
    #expect((entered...entered + 1).contains(chart.value))
    try chart.send("calm")
    #expect(chart.path == ["root"])
    #expect(chart.checkInvariants() == [])
  }

  @Test("exactly the limit is allowed")
  func atTheLimit() throws {
    let chart = try Statechart(0, options: ChartOptions(transitionLimit: 3)) {
      On("go", Int.self) { context, count in
        for number in 0..<count { context.goTo(number.isMultiple(of: 2) ? "a" : "b") }
      }
      ChartState("a")
      ChartState("b")
    }
    try chart.send("go", 3)
    #expect(throws: ChartError.self) { try chart.send("go", 4) }
    try chart.send("go", 3)
  }

  @Test("a chart that sends itself messages forever ends with the same error")
  func messageLoop() throws {
    let chart = try Statechart(0) {
      On("ping") { context in
        context.value += 1
        context.goTo("a")
      }
      On("quiet") { $0.value = 0 }
      ChartState("a") { OnEnter { $0.send("back") } }
      ChartState("b") { OnEnter { $0.send("ping") } }
      On("back", goTo: "b")
    }
    #expect(throws: ChartError.self) { try chart.send("ping") }
    #expect(chart.value < 100)
    try chart.send("quiet")
    #expect(chart.value == 0)
    #expect(chart.checkInvariants() == [])
  }

  @Test("messages without transitions are bounded too")
  func messagesWithoutTransitionsAreBoundedToo() throws {
    let chart = try Statechart(0) {
      On("echo") { context in
        context.value += 1
        context.send("echo")
      }
    }
    #expect(throws: ChartError.self) { try chart.send("echo") }
    #expect(chart.value == 101)
  }

  @Test("an error in a resumed run does not surface in a later send")
  func errorsOfOthers() throws {
    let chart = try Statechart(options: ChartOptions(transitionLimit: 5)) {
      On("loop", goTo: "a")
      On("fine", goTo: "root")
      ChartState("a") { OnEnter(goTo: "b") }
      ChartState("b") { OnEnter(goTo: "a") }
    }
    try chart.start()
    chart.hold(.queue(limit: 5))
    #expect(try chart.send("loop") == .queued)
    chart.resume()
    #expect(try chart.send("fine") == .handled)
  }
}

/// Middleware that counts the steps that failed.
private struct StepErrors<State, Input>: Middleware {
  let count: () -> Void

  init(_ count: @escaping () -> Void) { self.count = count }

  func handled(_ step: Step<State, Input>) {
    if step.error != nil { count() }
  }
}
