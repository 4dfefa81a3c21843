import StatesCore
import Testing

@Suite("Functional state: dispatcher")
struct DispatcherTests {
  @Test("states that are applied during a transition wait in order")
  func statesThatAreAppliedDuringTransitionWaitInOrder() {
    let valve = Valve()
    let hand = HandMade()
    valve.state.apply(via: hand.transition) { $0.open(1) }.apply { $0.shut() }
    valve.state.apply { $0.moved(to: "a", at: 1) }
    #expect(describe(valve.state.phase) == "- to open")
    #expect(valve.state.pending.map(\.title) == ["shut", "moved"])
    #expect(valve.log == ["open 1"])
    hand.complete()
    #expect(valve.log == ["open 1", "shut", "moved to a"])
    #expect(describe(valve.state.phase) == "ready moved")
    #expect(valve.state.checkInvariants() == [])
  }

  @Test("phases can be observed, each once and in order")
  func phasesCanBeObserved() {
    let valve = Valve()
    let hand = HandMade()
    var seen: [String] = []
    valve.state.subscribe { seen.append(describe($0.phase)) }
    valve.state.apply(via: hand.transition, Valve.open(1)).apply { $0.shut() }
    hand.complete()
    #expect(
      seen == [
        "ready -", "- to open", "- to open", "ready open", "open to shut", "ready shut",
      ])
  }

  @Test("thousands of states, each applied in the completion of the one before, need no stack")
  func noRecursion() {
    let valve = Valve()
    var left = 20_000
    func next() {
      guard left > 0 else { return }
      left -= 1
      valve.state.apply(left.isMultiple(of: 2) ? Valve.shut() : Valve.open(1)) { _ in next() }
    }
    next()
    #expect(left == 0 && valve.log.count == 20_000 && valve.log.last == "shut")
    #expect(valve.state.checkInvariants() == [])
  }

  @Test("set or update is decided when the item is taken from the queue")
  func setOrUpdateIsDecidedWhenItemIsTaken() {
    let valve = Valve()
    let hand = HandMade()
    valve.state.apply(via: hand.transition) { $0.open(1) }
    // While it was applied, nothing was current; in its turn, open is.
    valve.state.apply { $0.open(2) }
    valve.state.apply { $0.shut() }.apply { $0.open(3) }
    hand.complete()
    #expect(valve.log == ["open 1", "widen 2", "shut", "open 3"])
  }

  @Test("a state without an update closure completes at once and runs no transition")
  func updateWithoutClosure() {
    let valve = Valve()
    let hand = HandMade()
    valve.state.apply { $0.shut() }
    var outcome: Bool?
    valve.state.apply(via: hand.transition, Valve.shut()) { outcome = $0 }
    #expect(outcome == true)
    #expect(hand.runs.isEmpty && valve.log == ["shut"])
  }

  @Test("the most specific transition of call, state, and type wins")
  func mostSpecificTransitionWins() {
    let plain = Levels()
    plain.state.apply { $0.plain() }.apply { $0.plain() }
    #expect(plain.used == ["type set", "type update"])
    let own = Levels()
    own.state.apply { $0.own() }.apply { $0.own() }
    #expect(own.used == ["state set", "state update"])
    let called = Levels()
    called.state.apply(via: Levels.marking("call"), Levels.own())
    called.state.apply(via: Levels.marking("call")) { $0.own() }
    #expect(called.used == ["call", "call"])
    let also = Levels()
    also.state.apply { $0.also() }.apply { $0.also() }
    #expect(also.used == ["state set", "state set"])
    // The type's default of a class that has none is instant.
    let valve = Valve()
    valve.state.apply { $0.shut() }
    #expect(valve.state.current?.title == "shut")
  }

  @Test("at completion: ready, then the completion, then the next in the queue")
  func completionRunsBetweenReadyAndNext() {
    let valve = Valve()
    let hand = HandMade()
    var events: [String] = []
    valve.state.apply(via: hand.transition, Valve.open(1)) { _ in
      events.append("completion in \(describe(valve.state.phase))")
      events.append("waiting: \(valve.state.pending.map(\.title))")
      events.append("log: \(valve.log)")
      valve.state.apply { $0.moved(to: "c", at: 1) }
    }
    valve.state.apply { $0.shut() }
    valve.state.onTransition { _, new in events.append(describe(new.phase)) }
    hand.complete()
    #expect(
      events == [
        "ready open", "completion in ready open", #"waiting: ["shut"]"#, #"log: ["open 1"]"#,
        "open to shut", "open to shut", "ready shut", "shut to moved", "ready moved",
      ])
    #expect(valve.log == ["open 1", "shut", "moved to c"])
  }

  @Test("an interrupted transition reports that, and its state still becomes current")
  func interruptedTransitionReports() {
    let valve = Valve()
    let hand = HandMade()
    var outcomes: [Bool] = []
    valve.state.apply(via: hand.transition, Valve.open(1)) { outcomes.append($0) }
    valve.state.apply(Valve.shut()) { outcomes.append($0) }
    hand.complete(false)
    #expect(outcomes == [false, true])
    #expect(valve.log == ["open 1", "shut"])
    #expect(valve.state.current?.title == "shut")
  }

  @Test("waiting states can be cleared; their completions are called with an error")
  func waitingStatesCanBeCleared() {
    let valve = Valve()
    let hand = HandMade()
    var errors: [DispatchError?] = []
    valve.state.apply(via: hand.transition, Valve.open(1)) { _, error in errors.append(error) }
    valve.state.apply(Valve.shut()) { _, error in errors.append(error) }
    valve.state.apply({ $0.open(2) }, completion: { _, error in errors.append(error) })
    #expect(valve.state.clearPending() == 2)
    #expect(errors == [.cleared(state: "shut()"), .cleared(state: "open(_:)")])
    #expect(valve.state.pending.isEmpty)
    #expect(valve.state.clearPending() == 0)
    hand.complete()
    #expect(errors.count == 3 && errors.last == .some(nil))
    #expect(valve.log == ["open 1"])
    #expect(valve.state.checkInvariants() == [])
  }

  @Test("when the object goes during a transition, every completion is called with an error")
  func goneDuringTransition() {
    var valve: Valve? = Valve()
    let dispatcher = valve!.state
    let hand = HandMade()
    var errors: [DispatchError?] = []
    dispatcher.apply(via: hand.idle, Valve.open(1)) { finished, error in
      #expect(!finished)
      errors.append(error)
    }
    dispatcher.apply(Valve.shut()) { _, error in errors.append(error) }
    valve = nil
    hand.runs.first?.mutate()
    hand.complete()
    #expect(errors == [.objectIsGone(state: "open(_:)"), .objectIsGone(state: "shut()")])
    dispatcher.apply(Valve.shut()) { _, error in errors.append(error) }
    #expect(errors.last == .objectIsGone(state: "shut()"))
    #expect(dispatcher.checkInvariants() == [])
  }

  @Test("when object and dispatcher go during a transition, no completion is forgotten either")
  func everythingGone() {
    var valve: Valve? = Valve()
    let hand = HandMade()
    var errors: [DispatchError?] = []
    valve?.state.apply(via: hand.idle, Valve.open(1)) { _, error in errors.append(error) }
    valve?.state.apply(Valve.shut()) { _, error in errors.append(error) }
    valve = nil
    #expect(errors.isEmpty)
    hand.complete()
    #expect(errors == [.objectIsGone(state: "open(_:)"), .objectIsGone(state: "shut()")])
  }

  @Test("a dispatcher keeps neither its object nor itself alive")
  func noCycle() {
    weak var gone: Valve?
    weak var goneDispatcher: Dispatcher<Valve>?
    do {
      let valve = Valve()
      valve.state.apply { $0.shut() }.apply { $0.open(1) }
      gone = valve
      goneDispatcher = valve.state
    }
    #expect(gone == nil && goneDispatcher == nil)
  }

  @Test("a held dispatcher queues or refuses states, and the end of a transition waits too")
  func heldDispatcherQueuesOrRefusesStates() {
    let valve = Valve()
    let hand = HandMade()
    valve.state.apply(via: hand.transition) { $0.open(1) }
    valve.state.hold(.refuse)
    var error: DispatchError?
    valve.state.apply(Valve.shut()) { error = $1 }
    #expect(error == .refused(state: "shut()"))
    hand.complete()
    #expect(describe(valve.state.phase) == "- to open")
    valve.state.hold(.queue(limit: 10))
    valve.state.apply { $0.moved(to: "a", at: 1) }
    #expect(valve.log == ["open 1"])
    valve.state.resume()
    #expect(valve.log == ["open 1", "moved to a"])
    #expect(valve.state.checkInvariants() == [])
  }

  @Test("an observer that holds delays what the step asked for until the dispatcher is resumed")
  func heldByObserver() {
    let valve = Valve()
    var outcomes: [Bool] = []
    let subscription = valve.state.onTransition { _, _ in valve.state.hold(.queue(limit: 10)) }
    valve.state.apply(Valve.shut()) { outcomes.append($0) }
    #expect(valve.log.isEmpty && outcomes.isEmpty)
    valve.state.resume()
    #expect(valve.log == ["shut"])
    subscription.cancel()
    valve.state.resume()
    #expect(outcomes == [true])
    #expect(valve.state.checkInvariants() == [])
  }

  @Test("an inspector applies a state while held; the object follows when it is resumed")
  func dispatchWhileHeld() {
    let valve = Valve()
    valve.state.hold(.refuse)
    let site = CallSite()
    #expect(
      valve.state.dispatch(Valve.shut(), at: site, origin: .inspector, evenWhileHeld: true)
        == .handled)
    #expect(describe(valve.state.phase) == "- to shut")
    #expect(valve.log.isEmpty)
    valve.state.resume()
    #expect(valve.log == ["shut"] && describe(valve.state.phase) == "ready shut")
    #expect(valve.state.checkInvariants() == [])
  }

  @Test("after another moment was restored, the queue goes on and completions are called")
  func queueContinuesAfterRestore() {
    let valve = Valve()
    let hand = HandMade()
    valve.state.apply { $0.shut() }
    let calm = valve.state.state
    var errors: [DispatchError?] = []
    valve.state.apply(via: hand.transition, Valve.open(1)) { errors.append($1) }
    valve.state.apply(Valve.moved(to: "a", at: 1)) { errors.append($1) }
    let busy = valve.state.state
    valve.state.restore(calm)
    #expect(describe(valve.state.phase) == "ready shut")
    // Nothing waits any more, and the number of what is under way is given again.
    valve.state.apply { $0.open(5) }
    #expect(valve.log.last == "open 5")
    #expect(
      errors == [.superseded(state: "moved(to:at:)"), .superseded(state: "open(_:)")])
    hand.complete()
    #expect(errors.count == 2)
    #expect(describe(valve.state.phase) == "ready open")
    // A transition without a run ends with the next application.
    valve.state.restore(busy)
    valve.state.apply { $0.shut() }
    #expect(describe(valve.state.phase) == "ready shut")
    #expect(valve.state.checkInvariants() == [])
  }

  @Test("a transition that ends after another moment was restored completes with an error")
  func restoreDuringTransition() {
    let valve = Valve()
    let hand = HandMade()
    valve.state.apply { $0.shut() }
    let calm = valve.state.state
    valve.state.apply { $0.open(0) }.apply { $0.shut() }
    var errors: [DispatchError?] = []
    valve.state.apply(via: hand.transition, Valve.open(1)) { errors.append($1) }
    valve.state.restore(calm)
    hand.complete()
    #expect(errors == [.superseded(state: "open(_:)")])
    #expect(describe(valve.state.phase) == "ready shut")
    #expect(valve.state.checkInvariants() == [])
  }

  @Test("the steps hold what a recording needs")
  func stepsHoldWhatRecordingNeeds() {
    let valve = Valve()
    let hand = HandMade()
    var events: [String] = []
    valve.state.use(Events { events.append($0) })
    valve.state.apply(via: hand.transition) { $0.open(1) }.apply { $0.shut() }
    hand.complete(false)
    #expect(
      events == [
        "apply open(_:) (1) true", "apply shut() (-) false", "completed 1 false", "began",
        "completed 2 true",
      ])
  }
}

/// A class with transitions at every level.
private final class Levels: Stateful {
  var used: [String] = []
  private(set) lazy var state = Dispatcher(for: self)

  static func marking(_ mark: String) -> Transition {
    { object, mutations, completion in
      object.used.append(mark)
      mutations()
      completion(true)
    }
  }

  static var defaultOnSetTransition: Transition { marking("type set") }
  static var defaultOnUpdateTransition: Transition { marking("type update") }

  static func plain() -> State { state { _ in }.onUpdate { _ in } }
  static func own() -> State {
    state(via: marking("state set")) { _ in }.onUpdate(via: marking("state update")) { _ in }
  }
  static func also() -> State { state(via: marking("state set")) { _ in }.alsoOnUpdate() }
}

/// Middleware that writes the events of a dispatcher in words.
private struct Events: Middleware {
  let write: (String) -> Void

  init(_ write: @escaping (String) -> Void) { self.write = write }

  func handled(
    _ step: Step<DispatcherState<FunctionalArguments>, DispatcherInput<Valve>>
  ) {
    switch step.input?.event {
    case .apply(let name, let arguments, let updates):
      write("apply \(name) (\(arguments?.description ?? "-")) \(updates)")
    case .began: write("began")
    case .completed(let id, let finished): write("completed \(id) \(finished)")
    case .cleared: write("cleared")
    case .reset: write("reset")
    case .failed(let error): write("failed \(error)")
    case nil: write("restored")
    }
  }
}
