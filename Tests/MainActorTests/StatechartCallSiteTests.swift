import StatesCore
import Testing

// As in `CallSiteTests.swift`: everything here is on the main actor, as nothing says otherwise.

nonisolated struct Session: Codable, Equatable {
  var items: [String] = []
  var progress = 0
  var attempts = 0
}

nonisolated enum Sound { case beep }

final class SessionScreen {
  private(set) var log: [String] = []
  private(set) lazy var chart = makeChart()

  func write(_ text: String) { log.append(text) }

  private func makeChart() -> Statechart<Session>? {
    try? Statechart(Session()) {
      OnEnter { $0.goTo("loading") }
      On("apiResponded", goTo: "regular")
      On("failed", String.self) { context, why in
        context.value.items = [why]
        context.goTo("regular")
      }
      On("pushed") { context in context.emit(Sound.beep) }
      ChartState("loading") {
        OnEnter { [unowned self] context in context.perform { self.write("show the spinner") } }
        OnExit { [unowned self] context in context.perform { self.write("hide the spinner") } }
        On("progress") { (context, percent: Int) in context.value.progress = percent }
      }
      ChartState("regular") {
        ChartState("list")
        for number in 0..<3 { ChartState("page\(number)") }
      }
    }
  }
}

@Suite("Charts, on the main actor by default")
struct StatechartCallSiteTests {
  @Test("a chart whose closures use their owner is used as documented")
  func ownersChart() throws {
    let screen = SessionScreen()
    let chart = try #require(screen.chart)
    var moves: [String] = []
    chart.onMove { moves.append($0.target) }
    chart.onUnhandled { message, _ in moves.append("unhandled: \(message.name)") }
    chart.onEffect(Sound.self) { sound in screen.write("\(sound)") }
    chart.subscribe { _ in screen.write("drawn") }
    chart.onTransition { old, new in screen.write("to \(new.current ?? "-")") }
    #expect(try chart.start() == .handled)
    try chart.send("progress", 40)
    try chart.send("pushed")
    try chart.send("unknown")
    #expect(chart.value.progress == 40)
    try chart.send(ChartMessage("failed", "no network"))
    #expect(chart.path == ["root", "regular"] && chart.value.items == ["no network"])
    #expect(moves == ["loading", "unhandled: unknown", "regular"])
    #expect(
      screen.log == [
        "drawn", "drawn", "to loading", "show the spinner", "drawn", "to loading",
        "beep", "drawn", "to loading", "drawn", "to loading",
        "drawn", "to regular", "hide the spinner",
      ])
    #expect(throws: ChartError.self) { try chart.send("failed", 404) }
    try chart.validate()
    #expect(chart.outline.states.count == 7)
  }

  @Test("a definition captures nothing of the main actor, and makes charts anywhere")
  func definitionCapturesNothingOfMainActor() async throws {
    let definition = ChartDefinition<Session> {
      OnEnter { $0.goTo("loading") }
      On("failed", goTo: "loading")
      ChartState("loading") {
        OnEnter { context in
          context.value.attempts += 1
          context.performOnMain { print("show the spinner") }
        }
      }
    }
    let chart = try Statechart(Session(), definition)
    try chart.send("failed")
    #expect(chart.value.attempts == 1)
    let attempts = try await Task.detached {
      let chart = try Statechart(Session(), definition)
      try chart.start()
      return chart.value.attempts
    }.value
    #expect(attempts == 1)
  }

  @Test("a chart in dictionary form is used as documented")
  func chartInDictionaryFormIsUsedAsDocumented() throws {
    var log: [String] = []
    let chart = try Statechart(chart: [
      "root": [
        "enterState": .run { $0.goTo("loading") },
        "apiRespondedSuccessfully": "regularView",
        "subStates": [
          "regularView": [:],
          "loading": [
            "exitState": .run { context in context.perform { log.append("hide the spinner") } }
          ],
        ],
      ]
    ])
    try chart.send("apiRespondedSuccessfully")
    #expect(chart.current == "regularView" && log == ["hide the spinner"])
    #expect(chart.replayability == .notAtAll)
  }

  @Test("a chart is held, restored and resumed")
  func timeTravel() throws {
    let chart = try Statechart(
      options: ChartOptions(dispatch: .immediate, bubbles: true, transitionLimit: 10)
    ) {
      On("go", goTo: "away")
      ChartState("away")
    }
    try chart.start()
    let start = chart.state
    try chart.send("go")
    chart.hold(.queue(limit: 1))
    #expect(try chart.send("go") == .queued)
    chart.restore(start)
    #expect(chart.current == "root")
    chart.resume()
    #expect(chart.current == "away")
  }
}
