import JSONCore
import Replaying
import StatesCore
import TestSupport
import Testing
import Timelines

/// An effect that is a value.
private struct Beep: Codable, Sendable {
  var pitch: Int
}

/// An effect that is not Codable.
private struct Shout: Sendable {
  var words = ["hey"]
}

/// A chart with hooks that change the state, messages that it sends itself, payloads of two types
/// under one name, effects, and a loop that the limit ends.
private enum Gate: Replayable {
  struct Value: Codable {
    var count = 0
    var notes: [String] = []
  }

  static let definition = ChartDefinition<Value> {
    OnEnter { $0.value.notes.append("up") }
    On("reset", goTo: "root")
    On("to open", goTo: "open")
    On("to idle", goTo: "idle")
    On("to bounce", goTo: "bounce")
    On("measured", Int.self) { context, number in context.value.count += number }
    On("chatter") { context in
      context.value.count += 1
      if context.value.count % 5 != 0 { context.send("chatter") }
    }
    On("endless") { context in
      context.value.count += 1
      context.send("endless")
    }
    ChartState("closed") {
      OnEnter { context in
        context.value.count += 1
        if context.value.count % 3 == 0 { context.goTo("idle") }
        context.emit(Beep(pitch: context.value.count))
      }
      OnExit { context in
        context.value.notes.append("left")
        if context.value.notes.count > 4 { context.value.notes.removeAll() }
      }
      ChartState("locked") {
        OnEnter { context in
          context.perform { Issue.record("a replay performs nothing") }
        }
        On("measured", Double.self) { context, number in
          context.value.notes.append("\(number)")
          context.emit(Shout())
        }
      }
      ChartState("idle")
    }
    On("lock", goTo: "locked")
    ChartState("open") {
      OnEnter { context in
        let answer = context.send("measured", 2)
        if answer == .queued { context.value.notes.append("queued") }
      }
    }
    ChartState("bounce") { OnEnter(goTo: "back") }
    ChartState("back") { OnEnter(goTo: "bounce") }
  }

  static func make() throws -> Statechart<Value> {
    try Statechart(
      Value(), definition, options: ChartOptions(transitionLimit: 20, performsEffects: false))
  }
}

private enum OwnersGate: Replayable {
  static func make() throws -> Statechart<NoChartValue> {
    try Statechart {
      On("pushed", goTo: "open"); ChartState("open")
    }
  }
}

private enum DictionaryGate: Replayable {
  static func make() throws -> Statechart<NoChartValue> {
    try Statechart(chart: ["root": ["pushed": "root"]])
  }
}

private enum BrokenGate: Replayable {
  static func make() throws -> Statechart<NoChartValue> {
    try Statechart(
      NoChartValue(),
      ChartDefinition {
        On("pushed", goTo: "opne"); ChartState("open")
      })
  }
}

@Suite("Replaying: statechart")
struct StatechartKindTests {
  @Test("any run of messages can be replayed, including errors", arguments: 0..<12)
  func property(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let chart = try Gate.make()
    if seed % 4 != 0 { try chart.start() }
    let run = try RecordedRun(StatechartAppearance<Gate.Value>(), of: chart.kernel)
    var past = [chart.state]
    let plain = [
      "reset", "to open", "to idle", "to bounce", "lock", "chatter", "endless", "unhandled",
    ]
    for _ in 0..<40 {
      run.thins = generator.chance(0.1)
      run.loses = generator.chance(0.03)
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: chart.restore(past.randomElement(using: &generator)!)
      case 1: _ = try? chart.send("measured", Int.random(in: 0..<9, using: &generator))
      case 2, 3:
        if chart.current == "locked" {
          // Encoded like an integer; only the state's handler has the real type.
          try chart.send("measured", 2.0)
        } else {
          _ = try? chart.send("unhandled", ["payload": [1, 2]])
        }
      default: _ = try? chart.send(plain.randomElement(using: &generator)!)
      }
      past.append(chart.state)
    }
    run.thins = false
    run.loses = false
    _ = try? chart.send("reset")
    try run.expectReplays(by: Replay(of: Gate.self), "seed \(seed)")
  }

  @Test("a recording begins after the start, and has the entered and exited states")
  func shape() throws {
    let replayer = try Replay(of: Gate.self).makeReplayer()
    let first = try replayer.begin()
    #expect(
      first.state.map { String(decoding: $0, as: UTF8.self) }
        == #"{"path":["root"],"value":{"count":0,"notes":["up"]}}"#)
    #expect(
      first.outputState.map { String(decoding: $0, as: UTF8.self) }
        == #"{"visits":[{"entered":"root"}]}"#)
    let message = PlannedStep(seq: 1, t: 0, action: .reduce(try JSONSlice(#"{"lock":{}}"#)))
    _ = try replayer.run(message)
    let locked = try replayer.snapshot()
    #expect(
      locked.outputs == [
        "visits": [["entered": "closed"], ["entered": "locked"]], "handler": ["root"],
        "effects": [["pitch": 1]],
      ])
    let measured = #"{"measured":{"_0":2}}"#
    _ = try replayer.run(PlannedStep(seq: 2, t: 0, action: .reduce(try JSONSlice(measured))))
    let after = try replayer.snapshot()
    #expect(after.state["value"]?["notes"] == ["up", "2.0"])
    #expect(
      after.outputs == ["handler": ["root", "closed", "locked"], "effects": [["words": ["hey"]]]])
    #expect(replayer.outputKinds.map(\.kind) == ["navigation", "data", "data"])
  }

  @Test("a message from a chart's closure has its own entry, and is handled once")
  func ownMessages() throws {
    let chart = try Gate.make()
    try chart.start()
    let run = try RecordedRun(StatechartAppearance<Gate.Value>(), of: chart.kernel)
    try chart.send("to open")
    #expect(
      run.drafts.compactMap(\.eventText) == [
        #"{"to open":{}}"#, #"{"measured":{"_0":2,"chained":2}}"#,
      ])
    #expect(run.drafts.last?.origin == .other("chart"))
    let replayer = try Replay(of: Gate.self).makeReplayer()
    _ = try replayer.begin()
    _ = try replayer.run(
      PlannedStep(seq: 1, t: 0, action: .reduce(try JSONSlice(#"{"to open":{}}"#))))
    let notes = try replayer.snapshot().state["value"]
    #expect(notes == ["count": 0, "notes": ["up", "queued"]])
  }

  @Test("a payload that the handler cannot accept is undecodable")
  func payload() throws {
    let replayer = try Replay(of: Gate.self).makeReplayer()
    _ = try replayer.begin()
    for event in [#"{"measured":{"_0":"two"}}"#, "[]", "7", #"{"a":{},"b":{}}"#, #"{"lock":3}"#] {
      let step = PlannedStep(seq: 1, t: 0, action: .reduce(try JSONSlice(event)))
      let error = #expect(throws: ReplayError.self) { _ = try replayer.run(step) }
      if case .undecodableEvent? = error?.reason {} else { Issue.record("\(error as Any)") }
    }
    let huge = #"{"lock":{"chained":9223372036854775807}}"#
    let draft = try replayer.run(
      PlannedStep(seq: 1, t: 0, action: .reduce(try JSONSlice(huge))))
    #expect(draft.error?.contains("More than 20 transitions") == true)
  }

  @Test("charts that cannot be run here say why")
  func refused() throws {
    for (replay, word) in [
      (Replay(of: OwnersGate.self), "belong to the actor that made it"),
      (Replay(of: DictionaryGate.self), "viewed, not replayed"),
      (Replay(of: BrokenGate.self), "opne"),
    ] {
      let error = #expect(throws: ReplayError.self) { _ = try replay.makeReplayer() }
      #expect("\(try #require(error))".contains(word))
      #expect(replay.kind == .statechart)
    }
  }
}
