import StatesCore
import TestSupport
import Testing

/// Every sequence of what can happen to a dispatcher, against a model without closures or queues of
/// inputs.
@Suite("Functional state: small worlds")
struct DispatcherModelTests {
  enum Action: CaseIterable {
    /// A state with an update, applied by a transition that is completed by hand.
    case openSlowly
    /// A state without an update, by hand.
    case shutSlowly
    /// The same, at once.
    case shutInstantly
    case complete, interrupt, completeAgain, clear
    case update, reset
  }

  @Test("all sequences of four actions, and random longer ones, match the model")
  func allSequencesMatchModel() throws {
    var sequences: [[Action]] = [[]]
    for _ in 0..<4 {
      sequences = sequences.flatMap { start in Action.allCases.map { start + [$0] } }
    }
    #expect(sequences.count == 6561)
    var generator = SeededGenerator(seed: 1859)
    for _ in 0..<1500 {
      sequences.append(
        (0..<10).compactMap { _ in Action.allCases.randomElement(using: &generator) })
    }
    for sequence in sequences { try check(sequence) }
  }

  private func check(_ sequence: [Action]) throws {
    let valve = Valve()
    let hand = HandMade()
    var completions: [String] = []
    var errors = 0
    var model = Model()
    var last: HandMade.Run?
    valve.state.onError { if case .completedTwice = $0 { errors += 1 } }
    for (number, action) in sequence.enumerated() {
      func apply(_ state: FunctionalState<Valve>, via transition: FunctionalTransition<Valve>?) {
        valve.state.apply(via: transition, state) { finished, error in
          completions.append("\(number) \(finished) \(error == nil)")
        }
      }
      switch action {
      case .openSlowly: apply(Valve.open(number), via: hand.transition)
      case .shutSlowly: apply(Valve.shut(), via: hand.transition)
      case .shutInstantly: apply(Valve.shut(), via: nil)
      case .complete, .interrupt:
        last = hand.runs.first ?? last
        hand.complete(action == .complete)
      case .completeAgain: last?.complete(true)
      case .clear: valve.state.clearPending()
      case .update:
        do {
          try valve.state.update(Valve.open) { $0 = number }
          completions.append("\(number) true true")
        } catch {
          completions.append("\(number) false false")
        }
      case .reset:
        let isReset = try? valve.state.reset()
        completions.append("\(number) \(isReset ?? false) \(isReset != nil)")
      }
      model.handle(action, number)
      try #require(describe(valve.state.phase) == model.phase, "\(sequence)")
      try #require(valve.state.pending.map(\.title) == model.waiting, "\(sequence)")
      try #require(valve.log == model.log, "\(sequence)")
      try #require(completions == model.completions, "\(sequence)")
      try #require(errors == model.errors, "\(sequence)")
      try #require(valve.state.checkInvariants() == [], "\(sequence)")
    }
  }
}

/// A model of a dispatcher with plain lists.
private struct Model {
  struct Item {
    let number: Int
    let isOpen: Bool
    let isSlow: Bool
    var title: String { isOpen ? "open" : "shut" }
  }

  var current: Item?
  var underWay: Item?
  var queue: [Item] = []
  var log: [String] = []
  var completions: [String] = []
  var errors = 0
  var hasCompletedOne = false

  var waiting: [String] { queue.map(\.title) }
  var phase: String {
    underWay.map { "\(current?.title ?? "-") to \($0.title)" } ?? "ready \(current?.title ?? "-")"
  }

  mutating func handle(_ action: DispatcherModelTests.Action, _ number: Int) {
    switch action {
    case .openSlowly: queue.append(Item(number: number, isOpen: true, isSlow: true))
    case .shutSlowly: queue.append(Item(number: number, isOpen: false, isSlow: true))
    case .shutInstantly: queue.append(Item(number: number, isOpen: false, isSlow: false))
    case .complete, .interrupt:
      guard let item = underWay else { break }
      hasCompletedOne = true
      completions.append("\(item.number) \(action == .complete) true")
      current = item
      underWay = nil
    case .completeAgain: if hasCompletedOne { errors += 1 }
    case .clear:
      for item in queue { completions.append("\(item.number) false false") }
      queue = []
    case .update:
      let isReady = underWay == nil && current?.isOpen == true
      if isReady { log.append("widen \(number)") }
      completions.append("\(number) \(isReady) \(isReady)")
    case .reset:
      completions.append("\(number) \(underWay == nil && current != nil) \(underWay == nil)")
      if underWay == nil { current = nil }
    }
    startNext()
  }

  private mutating func startNext() {
    while underWay == nil, !queue.isEmpty {
      let item = queue.removeFirst()
      let isUpdate = current?.title == item.title
      if item.isOpen {
        log.append(isUpdate ? "widen \(item.number)" : "open \(item.number)")
      } else if !isUpdate {
        log.append("shut")
      }
      if item.isSlow, item.isOpen || !isUpdate {
        underWay = item
      } else {
        completions.append("\(item.number) true true")
        current = item
      }
    }
  }
}
