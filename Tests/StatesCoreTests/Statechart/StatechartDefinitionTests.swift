import StatesCore
import Testing

@Suite("Statechart: forms and definition as data")
struct StatechartDefinitionTests {
  @Test("the dictionary form means what the builder form means")
  func dictionaryForm() throws {
    let log = Answers()
    let chart = try Statechart(
      0,
      chart: [
        "root": [
          "enterState": .run { $0.goTo("loading") },
          "apiRespondedSuccessfully": "regularView",
          "retried": .goTo("loading"),
          "subStates": [
            "regularView": ["enterState": .run { _ in log.append("enter regular") }],
            "loading": [
              "enterState": .run { $0.value += 1 },
              "exitState": .run { log.append("exit loading in \($0.current)") },
            ],
          ],
        ]
      ])
    try chart.send("apiRespondedSuccessfully")
    #expect(log.all == ["exit loading in root", "enter regular"])
    try chart.send("retried")
    #expect(chart.value == 2 && chart.current == "loading")
    #expect(chart.replayability == .notAtAll)
    #expect(chart.replayability.sentence.contains("ChartDefinition"))
  }

  @Test("a dictionary put together at run time makes the same chart, whatever its order")
  func dictionaryFromData() throws {
    let names = ["c", "a", "b"]
    let states = Dictionary(uniqueKeysWithValues: names.map { ($0, ChartItem<Int>.state([:])) })
    let messages = Dictionary(
      uniqueKeysWithValues: names.map { ("to \($0)", ChartItem<Int>.goTo($0)) })
    let root = messages.merging(["subStates": .state(states)]) { $1 }
    let chart = try Statechart(0, chart: .state(["root": .state(root)]))
    #expect(chart.outline.states.map(\.name) == ["root", "a", "b", "c"])
    try chart.send("to c")
    #expect(chart.current == "c")
  }

  @Test("builders take conditions and loops")
  func buildersTakeConditionsAndLoops() throws {
    func makeChart(pages: Int, hasEnd: Bool) throws -> Statechart<NoChartValue> {
      try Statechart {
        On("go", String.self) { $0.goTo($1) }
        for page in 0..<pages { ChartState("page\(page)") }
        if hasEnd { ChartState("end") } else { ChartState("more") }
        if pages > 2 { ChartState("many") }
      }
    }
    #expect(
      try makeChart(pages: 3, hasEnd: true).outline.states.map(\.name)
        == ["root", "page0", "page1", "page2", "end", "many"])
    #expect(
      try makeChart(pages: 1, hasEnd: false).outline.states.map(\.name)
        == ["root", "page0", "more"])
  }

  @Test("the outline has states, declared edges, and the edges that were taken")
  func outlineHasStatesAndEdges() throws {
    let chart = try Statechart {
      OnEnter { $0.goTo("loading") }
      On("failed", String.self, mayGoTo: ["loading"]) { context, _ in context.goTo("loading") }
      ChartState("loading") {
        On("loaded", goTo: "list")
        OnExit { _ in }
      }
      ChartState("regular") { ChartState("list") }
    }
    let declared = [
      ChartEdge(from: ["root"], to: "loading", trigger: .message("failed")),
      ChartEdge(from: ["root", "loading"], to: "list", trigger: .message("loaded")),
    ]
    #expect(chart.outline.declared == declared)
    #expect(chart.outline.observed == [])
    let states = chart.outline.states
    #expect(
      states.map(\.path) == [
        ["root"], ["root", "loading"], ["root", "regular"], ["root", "regular", "list"],
      ])
    #expect(states[0].messages.map(\.name) == ["failed"])
    #expect(states[0].messages.map(\.payload) == ["String"])
    #expect(states.map(\.hasEnterHook) == [true, false, false, false])
    #expect(states.map(\.hasExitHook) == [false, true, false, false])

    try chart.send("loaded")
    try chart.send("failed", "x")
    try chart.send("loaded")
    #expect(
      chart.outline.observed == [
        ChartEdge(from: ["root"], to: "loading", trigger: .enter), declared[1], declared[0],
      ])
  }

  @Test("a Sendable definition makes charts anywhere, and they do not share anything")
  func sendableDefinitionMakesChartsAnywhere() async throws {
    let definition = ChartDefinition<Int> {
      OnEnter { $0.goTo("a") }
      On("added") { (context, amount: Int) in context.value += amount }
      On("moved", goTo: "b")
      ChartState("a") { OnExit { $0.value += 100 } }
      ChartState("b")
    }
    #expect(definition.outline.states.count == 3)
    let values = try await withThrowingTaskGroup(of: Int.self) { group in
      for amount in 1...4 {
        group.addTask {
          let chart = try Statechart(0, definition)
          try chart.send("added", amount)
          try chart.send("moved")
          return chart.value
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }.sorted()
    }
    #expect(values == [101, 102, 103, 104])
    #expect(try Statechart(0, definition).replayability == .anywhere)
    #expect(definition.payloadTypes(of: "added").first == Int.self)
  }
}
