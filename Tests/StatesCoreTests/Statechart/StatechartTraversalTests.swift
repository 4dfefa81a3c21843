import StatesCore
import Testing

@Suite("Statechart: going from state to state")
struct StatechartTraversalTests {
  /// The tree of the documentation's picture, with hooks that write down where the chart stands.
  private func makeChart(_ log: Answers) throws -> Statechart<NoChartValue> {
    func state(
      _ name: String,
      @ChartBuilder<NoChartValue, ChartHandler<NoChartValue>> _ content: () -> ChartContent<
        NoChartValue, ChartHandler<NoChartValue>
      >
    ) -> ChartState<NoChartValue, ChartHandler<NoChartValue>> {
      ChartState(name) {
        OnEnter { log.append("enter \(name) in \($0.current)") }
        OnExit { log.append("exit \(name) in \($0.current)") }
        content()
      }
    }
    return try Statechart {
      OnEnter { log.append("enter root in \($0.current)") }
      OnExit { _ in log.append("exit root") }
      On("go", String.self) { $0.goTo($1) }
      state("b") {
        state("e") { state("h") {} }
        state("d") { state("g") {} }
      }
      state("c") {}
    }
  }

  @Test("exits up to the common ancestor, then enters down, and leaves the ancestor alone")
  func lowestCommonAncestor() throws {
    let log = Answers()
    let chart = try makeChart(log)
    try chart.send("go", "g")
    let before = log.all.count
    try chart.send("go", "h")
    #expect(
      log.all.dropFirst(before) == [
        "exit g in d", "exit d in b", "enter e in e", "enter h in h",
      ])
    #expect(chart.path == ["root", "b", "e", "h"])
    #expect(chart.lastReport.exited == ["g", "d"])
    #expect(chart.lastReport.entered == ["e", "h"])
    #expect(
      chart.lastReport.visits.map(\.description) == [
        "exited g", "exited d", "entered e", "entered h",
      ])
  }

  @Test("going to the current state or to an ancestor enters nothing again")
  func toAncestor() throws {
    let log = Answers()
    let chart = try makeChart(log)
    try chart.send("go", "g")
    let before = log.all.count
    try chart.send("go", "g")
    #expect(log.all.count == before)
    try chart.send("go", "b")
    #expect(log.all.dropFirst(before) == ["exit g in d", "exit d in b"])
    try chart.send("go", "root")
    #expect(log.all.last == "exit b in root")
    #expect(chart.path == ["root"])
  }

  @Test("one notification for each completed goTo, also when it went nowhere")
  func oneNotificationForEachCompletedGoTo() throws {
    let chart = try Statechart {
      On("go", String.self) { $0.goTo($1) }
      On("twice") { context in
        context.goTo("b")
        context.goTo("a")
      }
      ChartState("a") { ChartState("b") { ChartState("c") } }
    }
    var moves: [ChartMove] = []
    chart.onMove { moves.append($0) }
    try chart.send("go", "c")
    try chart.send("go", "c")
    #expect(moves.map(\.target) == ["c", "c"])
    #expect(moves.map(\.from.last) == ["root", "c"])
    #expect(moves.map(\.to) == [["root", "a", "b", "c"], ["root", "a", "b", "c"]])
    try chart.send("twice")
    #expect(moves.dropFirst(2).map(\.target) == ["b", "a"])
    try chart.send("go", "nowhere")
    #expect(moves.count == 4)
  }

  @Test("moves are reported after all hooks of a message have run, in the order of completion")
  func movesAfterHooks() throws {
    let log = Answers()
    let chart = try Statechart {
      On("go", goTo: "a")
      ChartState("a") {
        OnEnter { context in
          log.append("enter a")
          context.goTo("b")
        }
        OnExit { _ in log.append("exit a") }
      }
      ChartState("b") { OnEnter { _ in log.append("enter b") } }
    }
    chart.onMove { log.append("moved to \($0.target)") }
    try chart.send("go")
    #expect(log.all == ["enter a", "exit a", "enter b", "moved to a", "moved to b"])
  }

  @Test("an unknown target is ignored, and goTo returns false")
  func unknownTarget() throws {
    let answers = Answers()
    let chart = try Statechart(options: ChartOptions(checks: [])) {
      On("go") { answers.append("\($0.goTo("nowhere"))") }
      On("sugar", goTo: "nowhere either")
    }
    try chart.send("go")
    try chart.send("sugar")
    #expect(answers.all == ["false"])
    #expect(chart.path == ["root"])
    #expect(chart.lastReport.moves.isEmpty)
  }

  @Test("the breadth-first search finds the higher of two states of one name")
  func breadthFirst() throws {
    let chart = try Statechart(options: ChartOptions(checks: [])) {
      On("go", String.self) { $0.goTo($1) }
      ChartState("a") { ChartState("same") { ChartState("deep") } }
      ChartState("same")
    }
    try chart.send("go", "same")
    #expect(chart.path == ["root", "same"])
  }

  @Test("ancestry goes by identity, so a namesake of an ancestor is not an ancestor")
  func ancestryGoesByIdentity() throws {
    let log = Answers()
    let chart = try Statechart(options: ChartOptions(checks: [])) {
      On("go", String.self) { $0.goTo($1) }
      ChartState("same") {
        OnEnter { _ in log.append("enter the upper") }
        ChartState("a")
      }
      ChartState("other") {
        OnExit { _ in log.append("exit other") }
        ChartState("same") {
          OnExit { _ in log.append("exit the lower") }
          ChartState("b")
        }
      }
    }
    try chart.send("go", "b")
    #expect(chart.path == ["root", "other", "same", "b"])
    // By name, `same` would count as the ancestor that a and b have in common.
    try chart.send("go", "a")
    #expect(log.all == ["exit the lower", "exit other", "enter the upper"])
    #expect(chart.path == ["root", "same", "a"])
    #expect(chart.checkInvariants() == [])
  }

  @Test("namesakes at the same depth are different states")
  func identityAtOneDepth() throws {
    let log = Answers()
    let chart = try Statechart(options: ChartOptions(checks: [])) {
      On("go", String.self) { $0.goTo($1) }
      for (side, leaf) in [("left", "a"), ("right", "b")] {
        ChartState(side) {
          ChartState("same") {
            OnEnter { _ in log.append("enter \(side) same") }
            OnExit { _ in log.append("exit \(side) same") }
            ChartState(leaf)
          }
        }
      }
    }
    try chart.send("go", "b")
    try chart.send("go", "a")
    #expect(log.all == ["enter right same", "exit right same", "enter left same"])
    #expect(chart.path == ["root", "left", "same", "a"])
    // Messages find their handlers by identity too, after a restore as well.
    chart.restore(ChartPosition(path: ["root", "right", "same", "b"], value: NoChartValue()))
    try chart.send("go", "a")
    #expect(log.all.suffix(2) == ["exit right same", "enter left same"])
  }

  @Test("construction runs nothing; start runs the root's hooks to completion, once")
  func constructionRunsNothing() throws {
    let log = Answers()
    let chart = try Statechart(0) {
      OnEnter { context in
        log.append("root")
        context.goTo("loading")
      }
      On("ping") { $0.value += 1 }
      ChartState("loading") { OnEnter { _ in log.append("loading") } }
    }
    #expect(log.all.isEmpty && chart.path.isEmpty && chart.current == nil && !chart.isStarted)
    #expect(try chart.start() == .handled)
    #expect(log.all == ["root", "loading"])
    #expect(chart.lastReport.entered == ["root", "loading"])
    #expect(chart.path == ["root", "loading"])
    let number = chart.kernel.number
    try chart.start()
    #expect(chart.kernel.number == number && log.all.count == 2)
  }

  @Test("the first message starts the chart before it is handled")
  func lazyStart() throws {
    let chart = try Statechart([String]()) {
      OnEnter { $0.value.append("started") }
      On("ping") { $0.value.append("ping") }
    }
    var paths: [[String]] = []
    chart.subscribe { paths.append($0.path) }
    try chart.send("ping")
    #expect(chart.value == ["started", "ping"])
    #expect(paths == [[], ["root"], ["root"]])
  }

  @Test("a held chart starts with the first message that runs")
  func startWhileHeld() throws {
    let chart = try Statechart([String]()) {
      OnEnter { $0.value.append("started") }
      On("ping") { $0.value.append("ping") }
    }
    chart.hold(.refuse)
    #expect(try chart.start() == .refused)
    #expect(try chart.send("ping") == .refused)
    chart.hold(.queue(limit: 2))
    #expect(try chart.send("ping") == .queued)
    #expect(try chart.send("ping") == .queued)
    #expect(try chart.send("ping") == .refused)
    #expect(!chart.isStarted)
    chart.resume()
    #expect(chart.value == ["started", "ping", "ping"])
    #expect(chart.checkInvariants() == [])
  }
}
