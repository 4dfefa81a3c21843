import JSONCore
import Replaying
import StatesCore
import TestSupport
import Testing
import Timelines

/// An object whose transitions the test completes.
private final class Gate: Stateful {
  var level = 0
  private(set) lazy var state = Dispatcher(for: self)

  static func open(to level: Int, word: String?) -> State {
    state(level, word) { $0.level = level }.onUpdate { $0.level = level }
  }
  static func shut() -> State { state { $0.level = 0 } }
}

@Suite("Replaying: functional state")
struct FunctionalKindTests {
  @Test("any run of states and completions can be replayed without the object", arguments: 0..<12)
  func property(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let gate = Gate()
    let run = try RecordedRun(FunctionalAppearance<Gate>(), of: gate.state.kernel)
    var completions: [(Bool) -> Void] = []
    let slow: FunctionalTransition<Gate> = { _, mutations, completion in
      mutations()
      completions.append(completion)
    }
    let rude: FunctionalTransition<Gate> = { _, _, completion in
      completion(false)
      completion(true)
    }
    var past = [gate.state.state]
    for _ in 0..<50 {
      run.thins = generator.chance(0.1)
      run.loses = generator.chance(0.03)
      let number = Int.random(in: 0..<100, using: &generator)
      switch number % 10 {
      case 0, 1: gate.state.apply(via: slow, Gate.open(to: number, word: "w\(number)"))
      case 2: gate.state.apply { $0.open(to: number, word: nil) }
      case 3: gate.state.apply(via: rude, Gate.shut())
      case 4: gate.state.apply { $0.shut() }
      case 5: gate.state.clearPending()
      case 7 where number < 50:
        try? gate.state.update(Gate.open(to: number, word: nil))
      case 7: _ = try? gate.state.reset()
      case 6 where number > 80: gate.state.restore(past.randomElement(using: &generator)!)
      default: if !completions.isEmpty { completions.removeFirst()(number % 2 == 0) }
      }
      past.append(gate.state.state)
    }
    run.thins = false
    run.loses = false
    gate.state.apply { $0.shut() }
    try run.expectReplays(by: Replay(functional: Gate.self), "seed \(seed)")
  }

  @Test("the error of a transition is in the event, and in the computed entry")
  func errors() throws {
    let gate = Gate()
    let run = try RecordedRun(FunctionalAppearance<Gate>(), of: gate.state.kernel)
    gate.state.apply(via: { _, _, completion in completion(true) }, Gate.shut())
    let completed = try #require(run.drafts.last)
    #expect(
      completed.eventText == """
        {"completed":{"id":1,"finished":true,\
        "error":{"mutationsNeverRun":{"state":"shut()"}}}}
        """)
    #expect(completed.error?.contains("without its mutations") == true)
    try run.expectReplays(by: Replay(functional: Gate.self), "one error")
  }

  @Test(
    "an event without an effect is an error with an empty patch",
    arguments: [
      #"{"began":{}}"#, #"{"cleared":{}}"#, #"{"reset":{}}"#,
      #"{"completed":{"id":4,"finished":true}}"#,
    ])
  func misfits(event: String) throws {
    let replayer = try Replay(functional: Gate.self).makeReplayer()
    _ = try replayer.begin()
    let draft = try replayer.run(PlannedStep(seq: 1, t: 0, action: .reduce(try JSONSlice(event))))
    #expect(draft.error?.hasPrefix("This event has no effect") == true)
    #expect(draft.patchText == "[]")
    let unknown = try JSONSlice(#"{"exploded":{}}"#)
    #expect(throws: ReplayError.self) {
      _ = try replayer.run(PlannedStep(seq: 2, t: 0, action: .reduce(unknown)))
    }
  }

  @Test("arguments of any type are preserved")
  func arguments() throws {
    let replayer = try Replay(functional: Gate.self).makeReplayer()
    _ = try replayer.begin()
    let list = #"[1,-0.5,18446744073709551615,"x",null,true,{"a":{"b":[]}}]"#
    let event = #"{"apply":{"name":"open(to:word:)","arguments":\#(list),"updates":true}}"#
    _ = try replayer.run(PlannedStep(seq: 1, t: 0, action: .reduce(try JSONSlice(event))))
    #expect(
      try replayer.snapshot().state["target"]?["arguments"] == JSON(parsing: list))
  }
}
