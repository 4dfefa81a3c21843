import StatesCore
import Testing

@Suite("Functional state: transitions that break the rules")
struct TransitionGuardTests {
  /// An object whose errors are written down, and a transition that is driven by hand.
  private func makeValve() -> (Valve, HandMade, Errors) {
    let valve = Valve()
    let errors = Errors()
    valve.state.onError { errors.all.append($0) }
    return (valve, HandMade(), errors)
  }

  private final class Errors { var all: [DispatchError] = [] }

  @Test("the dispatcher runs mutations that were never run, and reports that")
  func neverMutated() {
    let (valve, hand, errors) = makeValve()
    var reported: DispatchError?
    valve.state.apply(via: hand.idle, Valve.open(1)) { finished, error in
      #expect(finished)
      reported = error
    }
    valve.state.apply { $0.shut() }
    hand.complete()
    #expect(reported == .mutationsNeverRun(state: "open(_:)"))
    #expect(errors.all == [.mutationsNeverRun(state: "open(_:)")])
    #expect(valve.log == ["open 1", "shut"])
  }

  @Test("mutations that are run twice are ignored the second time and reported")
  func mutatedTwice() {
    let (valve, hand, errors) = makeValve()
    valve.state.apply(via: hand.transition) { $0.open(1) }.apply { $0.shut() }
    let run = hand.runs[0]
    run.mutate()
    hand.complete()
    run.mutate()
    #expect(
      errors.all == [
        .mutationsRunTwice(state: "open(_:)"), .mutationsRunTwice(state: "open(_:)"),
      ])
    #expect(valve.log == ["open 1", "shut"])
    #expect(valve.state.checkInvariants() == [])
  }

  @Test("completing twice is ignored and reported", arguments: [true, false])
  func completedTwice(second: Bool) {
    let (valve, hand, errors) = makeValve()
    var completions = 0
    valve.state.apply(via: hand.transition, Valve.open(1)) { _ in completions += 1 }
    valve.state.apply(via: hand.transition) { $0.shut() }
    let run = hand.runs[0]
    hand.complete()
    run.complete(second)
    #expect(completions == 1)
    #expect(errors.all == [.completedTwice(state: "open(_:)")])
    // The second completion of the first is not taken for one of the second.
    #expect(describe(valve.state.phase) == "open to shut")
    hand.complete()
    #expect(describe(valve.state.phase) == "ready shut")
    #expect(valve.state.checkInvariants() == [])
  }

  @Test("a transition that releases its completion is reported, and the queue continues")
  func neverCompleted() {
    let (valve, hand, errors) = makeValve()
    valve.state.apply(via: { _, mutations, _ in mutations() }) { $0.open(1) }
    #expect(errors.all == [.neverCompleted(state: "open(_:)")])
    #expect(describe(valve.state.phase) == "ready open")
    valve.state.apply(via: hand.idle) { $0.shut() }.apply { $0.open(2) }
    hand.drop()
    #expect(errors.all.last == .neverCompleted(state: "shut()"))
    #expect(valve.log == ["open 1", "shut", "open 2"])
    #expect(valve.state.checkInvariants() == [])
  }

  @Test("the time limit ends a transition; what it does later is ignored and reported")
  @MainActor
  func timeLimit() async throws {
    let (valve, hand, errors) = makeValve()
    let clock = ManualClock()
    let limit = TransitionTimeLimit(.seconds(2), clock: clock)
    let outcome = await withCheckedContinuation { continuation in
      valve.state.apply(via: hand.idle, Valve.open(1), timeLimit: limit) { finished, error in
        continuation.resume(returning: error)
        #expect(!finished)
      }
      valve.state.apply { $0.shut() }
      Task {
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: .seconds(1))
        #expect(describe(valve.state.phase) == "- to open")
        clock.advance(by: .seconds(1))
      }
    }
    #expect(outcome == .timeLimitExceeded(state: "open(_:)"))
    #expect(valve.log == ["open 1", "shut"])
    let run = hand.runs[0]
    run.mutate()
    run.complete(true)
    #expect(
      errors.all == [
        .timeLimitExceeded(state: "open(_:)"), .tooLate(state: "open(_:)"),
        .tooLate(state: "open(_:)"),
      ])
    #expect(valve.log == ["open 1", "shut"])
    #expect(valve.state.checkInvariants() == [])
  }

  @Test("without an actor the next application, or a look, ends an overdue transition")
  func timeLimitWithoutActor() {
    let (valve, hand, errors) = makeValve()
    let clock = ManualClock()
    let limit = TransitionTimeLimit(.seconds(2), clock: clock)
    valve.state.apply(via: hand.transition, Valve.open(1), timeLimit: limit)
    clock.advance(by: .milliseconds(1999))
    valve.state.endOverdueTransition()
    #expect(errors.all.isEmpty)
    clock.advance(by: .milliseconds(1))
    valve.state.apply { $0.shut() }
    #expect(errors.all == [.timeLimitExceeded(state: "open(_:)")])
    #expect(valve.state.current?.title == "shut")
    valve.state.apply(via: hand.transition, Valve.open(1).limited(to: limit))
    clock.advance(by: .seconds(2))
    valve.state.endOverdueTransition()
    #expect(valve.state.current?.title == "open")
    #expect(errors.all.count == 2)
  }

  @Test("a transition within its time limit is left alone")
  @MainActor
  func withinTimeLimit() {
    let (valve, hand, errors) = makeValve()
    let clock = ManualClock()
    let limit = TransitionTimeLimit(.seconds(2), clock: clock)
    valve.state.apply(via: hand.transition, Valve.open(1), timeLimit: limit)
    hand.complete()
    clock.advance(by: .seconds(5))
    valve.state.endOverdueTransition()
    #expect(errors.all.isEmpty && valve.state.current?.title == "open")
  }

  @Test("of the time limits of call, state and type the nearest wins")
  func nearestTimeLimit() {
    let (clock, hand) = (Limited.clock, HandMadeTransitions())
    func isOver(_ seconds: Int, _ state: Limited.State, _ limit: TransitionTimeLimit?) -> Bool {
      let object = Limited()
      object.state.apply(via: hand.transition(), state, timeLimit: limit)
      clock.advance(by: .milliseconds(seconds * 1_000 - 1))
      object.state.endOverdueTransition()
      guard case .inTransition = object.state.phase else { return false }
      clock.advance(by: .milliseconds(1))
      object.state.endOverdueTransition()
      guard case .ready = object.state.phase else { return false }
      return true
    }
    let two = TransitionTimeLimit(.seconds(2), clock: clock)
    let one = TransitionTimeLimit(.seconds(1), clock: clock)
    #expect(isOver(3, Limited.plain(), nil))
    #expect(isOver(2, Limited.plain().limited(to: two), nil))
    #expect(isOver(1, Limited.plain().limited(to: two), one))
  }

  @Test("an asynchronous transition runs on the owner's actor, and the next one waits for it")
  @MainActor
  func asynchronousTransitionRunsOnOwnerActor() async throws {
    let valve = Valve()
    let transition: FunctionalTransition<Valve> = Transitions.asynchronous { valve, mutations in
      MainActor.assertIsolated()
      valve.log.append("before")
      await Task.yield()
      mutations()
      await Task.yield()
      valve.log.append("after")
      return false
    }
    var outcome: Bool?
    valve.state.apply(via: transition, Valve.open(1)) { outcome = $0 }
    #expect(outcome == nil)
    #expect(try await valve.state.applied { $0.shut() })
    #expect(outcome == false)
    #expect(valve.log == ["before", "open 1", "after", "shut"])
  }

  @Test("the waiting form throws what went wrong")
  @MainActor
  func appliedThrows() async {
    let valve = Valve()
    await #expect(throws: DispatchError.neverCompleted(state: "shut()")) {
      try await valve.state.applied(via: { _, mutations, _ in mutations() }) { $0.shut() }
    }
    #expect(valve.state.current?.title == "shut")
  }

  @Test("a transition that applies states from inside queues them")
  func applyInside() {
    let valve = Valve()
    valve.state.apply(via: { valve, mutations, completion in
      valve.state.apply { $0.shut() }
      mutations()
      valve.state.apply { $0.moved(to: "a", at: 1) }
      completion(true)
      valve.state.apply { $0.open(9) }
    }) { $0.open(1) }
    #expect(valve.log == ["open 1", "shut", "moved to a", "open 9"])
    #expect(valve.state.checkInvariants() == [])
  }

  @Test("every error says what happened, and where there is something to do, what")
  func everyErrorSaysWhatHappened() {
    let errors: [DispatchError] = [
      .objectIsGone(state: "s"), .cleared(state: "s"), .refused(state: "s"),
      .superseded(state: "s"), .mutationsNeverRun(state: "s"), .mutationsRunTwice(state: "s"),
      .completedTwice(state: "s"), .neverCompleted(state: "s"), .timeLimitExceeded(state: "s"),
      .tooLate(state: "s"), .notDispatchable(state: "s", type: "T"),
      .argumentsDoNotFit(state: "s", reason: "r"),
      .notCurrent(state: "s", current: "t"), .notCurrent(state: "s", current: nil),
      .doesNotUpdate(state: "s"), .inTransition(to: "s"),
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
    #expect(errors.filter { $0.description.contains("To fix, ") }.count == 11)
  }
}

/// A class whose transitions may take three seconds.
private final class Limited: Stateful {
  static let clock = ManualClock()
  private(set) lazy var state = Dispatcher(for: self)

  static func plain() -> State { state { _ in } }
  static var transitionTimeLimit: TransitionTimeLimit? {
    TransitionTimeLimit(.seconds(3), clock: clock)
  }
}

/// Transitions that never complete, retained so that they do not count as released.
private final class HandMadeTransitions {
  private var completions: [(Bool) -> Void] = []

  func transition() -> FunctionalTransition<Limited> {
    { [self] _, mutations, completion in
      mutations()
      completions.append(completion)
    }
  }
}
