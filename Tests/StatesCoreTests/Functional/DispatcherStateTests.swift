import Foundation
import StatesCore
import Testing

/// The dispatcher without its object: what a recording holds, and how it is run again.
@Suite("Functional state: dispatcher as data")
struct DispatcherStateTests {
  private typealias State = DispatcherState<[String]>

  private func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("a state reads as current, phase, target and queue")
  func stateIsEncodedWithItsParts() throws {
    var state = State()
    #expect(try text(state) == #"{"applied":0,"current":null,"phase":"ready","queue":[]}"#)
    for event: DispatcherEvent<[String]> in [
      .apply(name: "shut()", arguments: nil, updates: false),
      .completed(id: 1, finished: true),
      .apply(name: "open(_:)", arguments: ["5"], updates: true),
      .apply(name: "shut()", arguments: nil, updates: false),
    ] {
      state = try #require(state.handling(event))
    }
    #expect(
      try text(state) == """
        {"applied":3,"current":{"id":1,"name":"shut()","updates":false},"phase":"inTransition",\
        "queue":[{"id":3,"name":"shut()","updates":false}],\
        "target":{"arguments":["5"],"id":2,"name":"open(_:)","updates":true}}
        """)
    let back = try JSONDecoder().decode(State.self, from: Data(try text(state).utf8))
    #expect(back == state)
  }

  @Test("events read as what happened")
  func eventsReadAsWhatHappened() throws {
    let events: [DispatcherEvent<[String]>] = [
      .apply(name: "a", arguments: ["x"], updates: true), .began,
      .completed(id: 1, finished: false), .cleared, .failed(error: .tooLate(state: "a")),
    ]
    #expect(
      try text(events) == """
        [{"apply":{"arguments":["x"],"name":"a","updates":true}},{"began":{}},\
        {"completed":{"finished":false,"id":1}},{"cleared":{}},\
        {"failed":{"error":{"tooLate":{"state":"a"}}}}]
        """)
    let data = Data(try text(events).utf8)
    #expect(try JSONDecoder().decode([DispatcherEvent<[String]>].self, from: data) == events)
  }

  @Test("events that do not fit the state have no effect")
  func eventsThatDoNotFitStateHaveNoEffect() {
    #expect(State().handling(.began) == nil)
    #expect(State().handling(.cleared) == nil)
    #expect(State().handling(.completed(id: 1, finished: true)) == nil)
    let busy = State().handling(.apply(name: "a", arguments: nil, updates: false))
    #expect(busy?.handling(.completed(id: 2, finished: true)) == nil)
    #expect(busy?.handling(.began) == nil)
  }

  @Test("the events of any run, handled again without the object, give the same states")
  func replayGivesSameStates() throws {
    let actions: [(Valve, HandMade) -> Void] = [
      { valve, hand in valve.state.apply(via: hand.transition, Valve.open(1)) },
      { valve, hand in valve.state.apply(via: hand.idle, Valve.shut()) },
      { valve, _ in valve.state.apply { $0.moved(to: "a", at: 1) } },
      { _, hand in hand.complete() },
      { _, hand in hand.complete(false) },
      { valve, _ in valve.state.clearPending() },
    ]
    let choices = Array(actions.indices)
    var sequences: [[Int]] = [[]]
    for _ in 0..<4 { sequences = sequences.flatMap { start in choices.map { start + [$0] } } }
    for sequence in sequences {
      let valve = Valve()
      let hand = HandMade()
      let record = Record()
      valve.state.use(record)
      for choice in sequence { actions[choice](valve, hand) }
      var state = DispatcherState<FunctionalArguments>()
      for (event, after) in record.entries {
        state = try #require(state.handling(event), "\(sequence)")
        try #require(try text(state) == text(after), "\(sequence)")
      }
      try #require(try text(state) == text(valve.state.state), "\(sequence)")
    }
  }
}

/// Middleware that keeps what a recording would hold.
private final class Record: Middleware {
  typealias State = DispatcherState<FunctionalArguments>

  private(set) var entries: [(DispatcherEvent<FunctionalArguments>, State)] = []

  func handled(_ step: Step<State, DispatcherInput<Valve>>) {
    if let event = step.input?.event { entries.append((event, step.after)) }
  }
}
