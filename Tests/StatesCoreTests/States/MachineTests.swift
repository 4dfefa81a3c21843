import Testing

@testable import StatesCore

private struct Commute: Reducible, Equatable {
  private(set) var isOnline = true
  private(set) var query: String?
  private(set) var refreshes = 0
  private(set) var toasts = Pending<String>()

  enum Event: Equatable {
    case wentOffline, typed(String?), pulledToRefresh, refreshed, acknowledged(Int)
  }

  static func reduce(state: Commute, event: Event) -> Commute {
    var result = state
    switch event {
    case .wentOffline:
      result.isOnline = false
      result.toasts.add("You are offline")
    case .typed(let text): result.query = text
    case .pulledToRefresh: result.refreshes += 1
    case .refreshed: result.refreshes = 0
    case .acknowledged(let ticket): result.toasts.acknowledge(ticket)
    }
    return result
  }

  var refresh: Void? { refreshes > 0 ? () : nil }
  var opaque: () -> Bool { { isOnline } }
  var showToast: Pending<String>.Item? { toasts.first }

  static var outputs: Outputs<Commute> {
    Output("isOnline", \.isOnline)
    Output("loadResults", \.query)
    Output("refresh", \.refresh)
    if true { Output("showStop", as: .navigation) { $0.query.map { "stop \($0)" } } }
    for number in 1...2 { Output("number\(number)") { _ in number } }
    Output("opaque", \.opaque)
  }
}

@Suite("A machine of states")
struct MachineTests {
  @Test("subscribe delivers the current state synchronously once, then each step")
  func subscribeDeliversCurrentStateSynchronouslyOnce() {
    let machine = Machine(Commute())
    var seen: [Bool] = []
    machine.subscribe { seen.append($0.isOnline) }
    #expect(seen == [true])
    machine.send(.wentOffline)
    #expect(seen == [true, false])
  }

  @Test("every step notifies, also when the state is equal")
  func equalStates() {
    let machine = Machine(Commute())
    var count = 0
    machine.onTransition { old, new in
      #expect(old == new)
      count += 1
    }
    machine.send(.typed(nil))
    machine.send(.typed(nil))
    #expect(count == 2)
  }

  @Test("observers that render can tell the first state, steps, restores and being held apart")
  func observersThatRenderReceiveReasons() {
    let machine = Machine(Commute())
    var seen: [Occasion] = []
    machine.subscribe { _, occasion in seen.append(occasion) }
    machine.onTransition { _, _, occasion in seen.append(occasion) }
    machine.send(.wentOffline)
    machine.hold(.refuse)
    machine.restore(Commute())
    #expect(
      seen.map(\.reason) == [.subscribed, .step, .step, .restored, .restored])
    #expect(seen.map(\.isHeld) == [false, false, false, true, true])
    #expect(seen.map(\.number) == [0, 1, 1, 2, 2])
  }

  @Test("react acts on steps of input only, when the value changed, never while held")
  func reactActsOnStepsOfInputOnly() {
    let machine = Machine(Commute())
    var plain: [Bool] = []
    var optional: [String] = []
    var fired = 0
    machine.react(to: \.isOnline) { plain.append($0) }
    machine.react(to: \.query) { optional.append($0) }
    machine.react(to: \.refresh) { fired += 1 }
    let events: [Commute.Event] = [
      .typed("a"), .typed("a"), .typed(nil), .typed("a"), .pulledToRefresh, .pulledToRefresh,
      .refreshed, .pulledToRefresh, .wentOffline, .wentOffline,
    ]
    for event in events { machine.send(event) }
    #expect(plain == [false])
    #expect(optional == ["a", "a"])
    #expect(fired == 2)

    machine.restore(Commute())
    machine.hold(.queue(limit: 9))
    machine.kernel.send(.wentOffline, at: CallSite(), evenWhileHeld: true)
    #expect(plain == [false])
    machine.send(.typed("b"))
    machine.resume()
    #expect(optional == ["a", "a", "b"])
  }

  @Test("react can act on the value there is, unless the machine is held")
  func reactInitially() {
    let machine = Machine(Commute())
    var seen: [Bool] = []
    machine.react(to: \.isOnline, initially: true) { seen.append($0) }
    #expect(seen == [true])
    machine.hold(.refuse)
    machine.react(to: \.isOnline, initially: true) { seen.append($0) }
    #expect(seen == [true])
  }

  @Test("key-path observers fire only when the value changed, with old and new, restores too")
  func keyPaths() {
    let machine = Machine(Commute())
    var seen: [String] = []
    machine.subscribe(path: \.query) { seen.append("\($0 ?? "-") \($1 ?? "-")") }
    machine.send(.typed("a"))
    machine.send(.pulledToRefresh)
    machine.restore(Commute())
    #expect(seen == ["- a", "a -"])
  }

  @Test("an event sent by a reducer's own impurity still runs to completion, in order")
  func impureReducerRunsToCompletion() {
    let machine = Machine(Impure())
    var seen: [Int] = []
    let answer = machine.send(
      Trick(value: 10) {
        machine.onTransition { seen.append($1.value) }
        #expect(machine.send(Trick(value: 1) {}) == .queued)
      })
    #expect(answer == .handled)
    #expect(seen == [10, 11])
    #expect(machine.kernel.checkInvariants() == [])
  }

  @Test("outputs have names, uses and values")
  func outputsHaveNamesUsesAndValues() {
    let outputs = Commute.outputs
    #expect(
      outputs.map(\.name) == [
        "isOnline", "loadResults", "refresh", "showStop", "number1", "number2", "opaque",
      ])
    #expect(
      outputs.map(\.use) == [.ui, .data, .data, .navigation, .ui, .ui, .ui])
    let state = Commute.reduce(state: Commute(), event: .pulledToRefresh)
    func isFired(_ value: OutputValue?) -> Bool { if case .fired? = value { true } else { false } }
    func hasNoValue(_ value: OutputValue?) -> Bool {
      if case .none? = value { true } else { false }
    }
    #expect(isFired(outputs["refresh"]?.value(in: state)))
    #expect(hasNoValue(outputs["refresh"]?.value(in: Commute())))
    #expect(hasNoValue(outputs["loadResults"]?.value(in: state)))
    if case .value(let value)? = outputs["isOnline"]?.value(in: state) {
      #expect(value as? Bool == true)
    } else {
      Issue.record("isOnline has a value")
    }
    if case .reflected? = outputs["opaque"]?.value(in: state) {
    } else {
      Issue.record("a closure can only be reflected")
    }
  }

  @Test("of outputs with one name the first counts")
  func duplicateOutputs() {
    let outputs = Outputs<Int>([Output("a", \.self), Output("a") { $0 + 1 }])
    #expect((outputs.count, outputs.duplicates) == (1, ["a"]))
  }

  @Test("one-shot outputs wait for their acknowledgement, equal ones too")
  func oneShotOutputsWaitForAcknowledgement() {
    let machine = Machine(Commute())
    var shown: [Int] = []
    machine.send(.wentOffline)
    machine.send(.wentOffline)
    machine.react(to: \.showToast, initially: true) { toast in
      shown.append(toast.ticket)
      machine.send(.acknowledged(toast.ticket))
      machine.send(.acknowledged(toast.ticket))
    }
    #expect(shown == [0, 1])
    #expect(machine.state.toasts.isEmpty && machine.state.toasts.count == 0)
  }
}

@Test("acknowledging without a ticket removes the first, and nothing when nothing waits")
func pendingWithoutTickets() {
  var pending = Pending<String>()
  pending.acknowledge()
  pending.add("a")
  pending.add("a")
  #expect(pending.first == Pending.Item(ticket: 0, value: "a"))
  pending.acknowledge()
  #expect(pending.items.map(\.ticket) == [1])
}

/// An event that makes its reducer do what it should not.
private struct Trick {
  let value: Int
  let body: () -> Void
}

private struct Impure: Reducible {
  var value = 0

  static func reduce(state: Impure, event: Trick) -> Impure {
    event.body()
    return Impure(value: state.value + event.value)
  }
}
