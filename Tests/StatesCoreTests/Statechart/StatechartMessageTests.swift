import StatesCore
import Testing

@Suite("Statechart: messages")
struct StatechartMessageTests {
  /// The tree that StateKit's documentation explains bubbling with; who answers is written down.
  private func makeChart(
    bubbles: Bool = true, answers: Answers
  ) throws -> Statechart<NoChartValue> {
    try Statechart(options: ChartOptions(bubbles: bubbles)) {
      On("go", String.self) { $0.goTo($1) }
      ChartState("a") {
        ChartState("d") {
          On("userPressedButton") { _ in answers.append("d") }
          ChartState("j")
        }
      }
      ChartState("b") {
        On("userPressedButton") { _ in answers.append("b") }
        ChartState("e")
        ChartState("f") {
          ChartState("g") {
            On("userPressedButton") { _ in answers.append("g") }
            ChartState("h")
            ChartState("i")
          }
        }
      }
      ChartState("c") { ChartState("k") }
    }
  }

  static let answering: [(String, [String])] = [
    ("root", []), ("a", []), ("b", ["b"]), ("c", []), ("d", ["d"]), ("e", ["b"]), ("f", ["b"]),
    ("g", ["g"]), ("h", ["g"]), ("i", ["g"]), ("j", ["d"]), ("k", []),
  ]

  @Test("the current state's handler runs, else the nearest ancestor's", arguments: answering)
  func currentStateHandlerRuns(state: String, expected: [String]) throws {
    let answers = Answers()
    let chart = try makeChart(answers: answers)
    try chart.send("go", state)
    try chart.send("userPressedButton")
    #expect(answers.all == expected)
    #expect(chart.current == state)
    #expect(chart.lastReport.handler?.last == expected.first)
    #expect(chart.checkInvariants() == [])
  }

  @Test("without bubbling only the current state is asked", arguments: answering)
  func withoutBubbling(state: String, expected: [String]) throws {
    let answers = Answers()
    let chart = try makeChart(bubbles: false, answers: answers)
    try chart.send("go", state)
    try chart.send("userPressedButton")
    #expect(answers.all == (expected == [state] ? expected : []))
  }

  @Test("a message that no state handles is ignored and reported")
  func messageThatNoStateHandlesIsIgnoredAndReported() throws {
    let chart = try Statechart(7) {
      On("go", goTo: "a")
      ChartState("a") { On("inA") { $0.value = 0 } }
    }
    var reported: [String] = []
    chart.onUnhandled { message, path in reported.append("\(message) in \(path)") }
    var steps = 0
    chart.onTransition { _, _ in steps += 1 }
    #expect(try chart.send("inA") == .handled)
    #expect(try chart.send("unknown", 3) == .handled)
    #expect(reported == [#"inA in ["root"]"#, #"unknown(3) in ["root"]"#])
    #expect(chart.value == 7)
    #expect(chart.lastReport.handler == nil && chart.lastReport.visits.isEmpty)
    // The start and both messages: every step notifies.
    #expect(steps == 3)
  }

  @Test("a payload reaches its handler, and a handler without payload runs with one too")
  func payloadReachesHandler() throws {
    let chart = try Statechart([String]()) {
      On("typed", String.self) { context, text in context.value.append(text) }
      On("counted") { (context, count: Int) in context.value.append("\(count)") }
      On("plain") { context in
        context.value.append(context.message?.payload as? String ?? "none")
      }
    }
    try chart.send("typed", "a")
    try chart.send(ChartMessage("counted", 2))
    try chart.send("plain", "b")
    try chart.send("plain")
    #expect(chart.value == ["a", "2", "b", "none"])
    #expect(chart.payloadTypes(of: "typed").map { "\($0)" } == ["String"])
    #expect(chart.payloadTypes(of: "plain").isEmpty)
  }

  @Test("a payload of another type than the handler takes is an error, and changes nothing")
  func wrongPayload() throws {
    let chart = try Statechart(0) {
      On("added", Int.self) { context, amount in context.value += amount }
    }
    #expect(
      throws: ChartError.payloadMismatch(
        message: "added", state: "root", expected: "Int", found: "String")
    ) {
      try chart.send("added", "one")
    }
    #expect(
      throws: ChartError.payloadMismatch(
        message: "added", state: "root", expected: "Int", found: nil)
    ) {
      try chart.send("added")
    }
    #expect(chart.value == 0)
    try chart.send("added", 1)
    #expect(chart.value == 1)
    #expect(chart.checkInvariants() == [])
  }

  @Test("a message sent from a handler, an observer or an effect is handled after the current one")
  func messagesFromInside() throws {
    let chart = try Statechart([String]()) {
      On("first") { context in
        context.send("second")
        context.value.append("first")
      }
      On("second") { context in
        context.value.append("second")
        context.perform { context.send("third") }
      }
      On("third") { $0.value.append("third") }
      On("fourth") { $0.value.append("fourth") }
    }
    var answers: [SendAnswer?] = []
    chart.onTransition { old, new in
      if new.value.last == "second" { answers.append(try? chart.send("fourth")) }
    }
    #expect(try chart.send("first") == .handled)
    #expect(answers == [.queued])
    #expect(chart.value == ["first", "second", "fourth", "third"])
  }
}

/// What was written down in the order in which it happened.
final class Answers {
  private(set) var all: [String] = []

  func append(_ answer: String) { all.append(answer) }
}
