import StatesCore
import Testing

@Suite("Functional state: changing the current state in place, and giving it up")
struct DispatcherUpdateTests {
  private func failure(_ body: () throws(DispatchError) -> Void) -> DispatchError? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("an update gets the argument, changes it, and runs the state's update with it")
  func updateGetsAndChangesArgument() throws {
    let valve = Valve()
    valve.state.apply { $0.open(3) }
    try valve.state.update(Valve.open) { $0 += 4 }
    try valve.state.update(Valve.open) { $0 += 1 }
    #expect(valve.log == ["open 3", "widen 7", "widen 8"])
    #expect(valve.state.current?.arguments?.values.first as? Int == 8)
    #expect(valve.state.checkInvariants() == [])
  }

  @Test("an update throws, and changes nothing, when another state is current")
  func otherState() {
    let valve = Valve()
    #expect(
      failure { () throws(DispatchError) in try valve.state.update(Valve.open(1)) }
        == .notCurrent(state: "open(_:)", current: nil))
    valve.state.apply { $0.shut() }
    var steps = 0
    valve.state.onTransition { _, _ in steps += 1 }
    #expect(
      failure { () throws(DispatchError) in try valve.state.update(Valve.open) { $0 += 1 } }
        == .notCurrent(state: "The state of Int", current: "shut()"))
    #expect(
      failure { () throws(DispatchError) in try valve.state.update(Valve.open(1)) }
        == .notCurrent(state: "open(_:)", current: "shut()"))
    #expect(
      failure { () throws(DispatchError) in try valve.state.update(Valve.shut()) }
        == .doesNotUpdate(state: "shut()"))
    #expect(valve.log == ["shut"])
    #expect(steps == 0)
  }

  @Test("an update does not run its change with the argument of another state")
  func argumentOfOtherState() {
    let gauge = Gauge()
    gauge.state.apply { $0.low(3) }
    var arguments: [Int] = []
    #expect(
      failure { () throws(DispatchError) in
        try gauge.state.update(Gauge.high) { arguments.append($0) }
      } == .notCurrent(state: "high(_:)", current: "low(_:)"))
    #expect(arguments == [])
  }

  @Test("an update and a reset throw while a transition is under way")
  func underWay() {
    let valve = Valve()
    let hand = HandMade()
    valve.state.apply { $0.open(1) }.apply(via: hand.transition, Valve.shut())
    #expect(
      failure { () throws(DispatchError) in try valve.state.update(Valve.open) { $0 += 1 } }
        == .inTransition(to: "shut()"))
    #expect(
      failure { () throws(DispatchError) in try valve.state.reset() } == .inTransition(to: "shut()")
    )
    hand.complete()
    #expect(describe(valve.state.phase) == "ready shut")
  }

  @Test(
    "an update from an observer comes to nothing, and is reported, when its state is gone by then")
  func updateFromObserverComesToNothing() {
    let valve = Valve()
    var errors: [DispatchError] = []
    valve.state.onError { errors.append($0) }
    valve.state.apply { $0.open(1) }
    var isFirst = true
    valve.state.onTransition { _, new in
      guard case .ready = new.phase, isFirst else { return }
      isFirst = false
      _ = try? valve.state.reset()
      try? valve.state.update(Valve.open(2))
    }
    try? valve.state.update(Valve.open(5))
    #expect(errors == [.notCurrent(state: "open(_:)", current: nil)])
    valve.state.apply { $0.shut() }
    #expect(valve.state.checkInvariants() == [])
    #expect(!valve.log.contains("widen 2"))
    #expect(describe(valve.state.phase) == "ready shut")
  }

  @Test("a reset leaves no current state and the object as it is; the same state is a set again")
  func resetLeavesNoCurrentState() throws {
    let valve = Valve()
    #expect(try !valve.state.reset())
    valve.state.apply { $0.open(1) }
    #expect(try valve.state.reset())
    #expect(valve.state.current == nil)
    valve.state.apply { $0.open(2) }
    #expect(valve.log == ["open 1", "open 2"])
  }

  @Test("a held dispatcher refuses both")
  func heldDispatcherRefusesBoth() {
    let valve = Valve()
    valve.state.apply { $0.open(1) }
    valve.state.hold(.refuse)
    #expect(
      failure { () throws(DispatchError) in try valve.state.update(Valve.open) { $0 += 1 } }
        == .refused(state: "open(_:)"))
    #expect(
      failure { () throws(DispatchError) in try valve.state.reset() }
        == .refused(state: "open(_:)"))
    valve.state.resume()
    #expect(valve.log == ["open 1"])
    #expect(valve.state.current?.title == "open")
  }
}

/// An object with two states whose arguments have the same type.
private final class Gauge: Stateful {
  private(set) lazy var state = Dispatcher(for: self)

  static func low(_ level: Int) -> State { state(level) { _ in }.alsoOnUpdate() }

  static func high(_ level: Int) -> State { state(level) { _ in }.alsoOnUpdate() }
}
