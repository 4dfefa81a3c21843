import Foundation
import StatesCore
import TestSupport
import Testing

/// What a recording of a chart holds, and that a fresh chart does the same again.
@Suite("Statechart: run again")
struct StatechartReplayTests {
  private struct Session: Codable, Equatable {
    var entered: [String] = []
    var count = 0
  }

  private func makeDefinition() -> ChartDefinition<Session> {
    ChartDefinition {
      OnEnter { $0.goTo("a") }
      On("go", String.self) { $0.goTo($1) }
      On("count") { (context, amount: Int) in
        context.value.count += amount
        if context.value.count > 5 { context.goTo("d") }
        context.perform { Issue.record("a replayed chart performs nothing") }
      }
      On("ask") { $0.send("count", 1) }
      On("echo") { $0.send("echo") }
      for name in ["a", "d"] {
        ChartState(name) {
          OnEnter { context in
            // The last few are enough to tell, and keep the comparison quick.
            context.value.entered = context.value.entered.suffix(3) + [name]
          }
          OnExit { if $0.value.count == 3 { $0.goTo("b") } }
          On("ask") { $0.send("count", 2) }
          if name == "a" {
            ChartState("b") { OnEnter { if $0.value.count.isMultiple(of: 2) { $0.goTo("c") } } }
            ChartState("c")
          }
        }
      }
    }
  }

  @Test(
    "a fresh chart handles the recorded messages alike, entry by entry",
    arguments: [
      ChartDispatch.queued, .immediate,
    ])
  func freshChartHandlesRecordedMessagesAlike(dispatch: ChartDispatch) throws {
    for seed in UInt64(1)...15 {
      var generator = SeededGenerator(seed: seed)
      let options = ChartOptions(dispatch: dispatch, performsEffects: false)
      let live = try Statechart(Session(), makeDefinition(), options: options)
      let record = Record<Session>()
      try live.start()
      let start = live.state
      live.use(record)
      for _ in 0..<12 {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: try live.send("ask")
        case 1: try live.send("count", Int.random(in: -2...2, using: &generator))
        case 2 where Bool.random(using: &generator): try live.send("unknown")
        case 2: _ = try? live.send("echo")
        default:
          let target = ["root", "a", "b", "c", "d", "x"].randomElement(using: &generator) ?? "a"
          // Some of these charts loop: that must replay, too.
          _ = try? live.send("go", target)
        }
      }
      for keepsMessages in [true, false] {
        let again = try Statechart(
          Session(), makeDefinition(), options: ChartOptions(dispatch: dispatch))
        again.stopEffects(keepingMessages: keepsMessages)
        try again.start()
        try #require(again.state == start)
        let recordAgain = Record<Session>()
        again.use(recordAgain)
        // What closures sent is sent by them again, or taken from the recording.
        for entry in record.entries where !keepsMessages || entry.origin != .chart {
          again.dispatch(
            entry.message, chained: entry.chained, at: CallSite(), origin: entry.origin,
            evenWhileHeld: true)
        }
        let comment: Comment = "seed \(seed), \(keepsMessages)"
        let entries = recordAgain.entries
        try #require(entries.map(\.after) == record.entries.map(\.after), comment)
        try #require(entries.map(\.report) == record.entries.map(\.report), comment)
        try #require(entries.map(\.failed) == record.entries.map(\.failed), comment)
        try #require(entries.map(\.origin) == record.entries.map(\.origin), comment)
        try #require(again.checkInvariants() == [])
      }
    }
  }

  @Test("position, report and outline survive being written and read")
  func positionReportAndOutlineSurviveBeingWrittenAndRead() throws {
    let chart = try Statechart(Session(), makeDefinition())
    try chart.send("go", "c")
    func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
      try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }
    #expect(try roundTrip(chart.state) == chart.state)
    #expect(try roundTrip(chart.lastReport) == chart.lastReport)
    #expect(try roundTrip(chart.outline) == chart.outline)
    let triggers: [ChartTrigger] = [.enter, .exit, .message("m")]
    let text = String(decoding: try JSONEncoder().encode(triggers), as: UTF8.self)
    #expect(text == #"["enter","exit",{"message":"m"}]"#)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ChartTrigger].self, from: Data(#"["sideways"]"#.utf8))
    }
  }
}

/// Middleware that keeps what a recording would hold.
private final class Record<Value>: Middleware {
  struct Entry {
    let message: ChartMessage
    let after: ChartPosition<Value>
    let report: ChartReport
    let failed: Bool
    let origin: Origin
    let chained: Int
  }

  private(set) var entries: [Entry] = []

  func handled(_ step: Step<ChartPosition<Value>, ChartInput>) {
    guard let input = step.input, let message = input.message else { return }
    entries.append(
      Entry(
        message: message, after: step.after, report: input.report, failed: step.error != nil,
        origin: step.origin, chained: input.chained))
  }
}
