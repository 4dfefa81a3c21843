import StatesCore
import Testing

@Suite("Functional state: states")
struct FunctionalStateTests {
  @Test("starts without a current state")
  func startsWithoutCurrentState() {
    let valve = Valve()
    #expect(valve.state.current == nil)
    #expect(describe(valve.state.phase) == "ready -")
    #expect(valve.state.pending.isEmpty)
  }

  @Test("the documented sample: the second application of a state without update has no effect")
  func documentedSampleUpdatesOnce() {
    let valve = Valve()
    valve.state.apply { $0.shut() }
    valve.state.apply { $0.shut() }
    #expect(valve.log == ["shut"])
    var finished: Bool?
    valve.state.apply(via: Transitions.instant(), Valve.open(1)) { finished = $0 }
    #expect(finished == true)
    valve.state.apply { $0.shut() }
    #expect(valve.log == ["shut", "open 1", "shut"])
  }

  @Test("identity is the function's name with its labels, arguments are not part of it")
  func identityIsFunctionNameWithLabels() {
    let valve = Valve()
    valve.state.apply { $0.open(1) }.apply { $0.open(2) }
    #expect(valve.log == ["open 1", "widen 2"])
    #expect(valve.state.current?.name == "open(_:)")
    #expect(valve.state.current?.title == "open")
    valve.state.apply { $0.moved(to: "a", at: 1) }
    #expect(valve.state.current?.name == "moved(to:at:)")
  }

  @Test("named arguments are recorded, others are not")
  func namedArgumentsAreRecorded() {
    let valve = Valve()
    valve.state.apply { $0.moved(to: "a", at: 1.5) }
    #expect(valve.state.current?.arguments?.description == "a, 1.5")
    #expect(valve.state.current?.arguments?.values.count == 2)
    valve.state.apply { $0.shut() }
    #expect(valve.state.current?.arguments == nil)
  }

  @Test("an update without effect keeps the arguments that are in effect")
  func argumentsInEffect() {
    final class Label: Stateful {
      var text = ""
      private(set) lazy var state = Dispatcher(for: self)
      static func showing(_ text: String) -> State { state(text) { $0.text = text } }
    }
    let label = Label()
    label.state.apply { $0.showing("a") }.apply { $0.showing("b") }
    #expect(label.text == "a")
    #expect(label.state.current?.arguments?.description == "a")
  }

  @Test("alsoOnUpdate does the same on updates")
  func alsoOnUpdate() {
    let valve = Valve()
    valve.state.apply { $0.moved(to: "a", at: 1) }.apply { $0.moved(to: "b", at: 1) }
    #expect(valve.log == ["moved to a", "moved to b"])
  }

  @Test("a subclass overrides a state function, and its objects use it")
  func subclassOverridesStateFunction() {
    final class Tap: Valve {
      override class func shut() -> State { state(name: "shut()") { $0.log.append("drip") } }
    }
    let tap = Tap()
    tap.state.apply { $0.shut() }
    #expect(tap.log == ["drip"])
    let valve = Valve()
    valve.state.apply { $0.shut() }
    #expect(valve.log == ["shut"])
  }

  @Test("states of a main-actor class use its members")
  @MainActor
  func mainActor() {
    let view = MainActorView()
    view.state.apply { $0.locked() }
    #expect(!view.isEnabled && view.alpha == 1)
    #expect(view.transitions == 1)
  }

  @Test("what a type lists can be made by name and arguments as data")
  func whatTypeListsCanBeMadeByName() throws {
    let valve = Valve()
    valve.state.apply(try Valve.dispatchableState(named: "shut()", arguments: nil))
    #expect(valve.state.current?.name == "shut()")
    let data = ListDecoder(["a", "2"])
    valve.state.apply(try Valve.dispatchableState(named: "moved(to:at:)", arguments: data))
    #expect(valve.log == ["shut", "moved to a"])
    #expect(Valve.dispatchable.map { $0.argumentTypes.count } == [0, 2])
  }

  @Test("what a type does not list is refused with the sentence that says what to add")
  func notDispatchable() {
    let expected = DispatchError.notDispatchable(state: "open(_:)", type: "Valve")
    #expect(throws: expected) { try Valve.dispatchableState(named: "open(_:)", arguments: nil) }
    #expect(expected.description.contains("static var dispatchable"))
  }

  @Test("arguments that do not fit are refused")
  func wrongArguments() {
    for decoder in [nil, ListDecoder(["a"]), ListDecoder(["a", "fast"])] {
      let thrown = #expect(throws: DispatchError.self) {
        try Valve.dispatchableState(named: "moved(to:at:)", arguments: decoder)
      }
      guard case .argumentsDoNotFit("moved(to:at:)", let reason) = thrown else {
        Issue.record("unexpected \(String(describing: thrown))")
        continue
      }
      #expect(!reason.isEmpty)
    }
  }
}

/// A view of the main actor with a stored default transition, as the documentation has it.
@MainActor
private final class MainActorView: @MainActor Stateful {
  var alpha = 0.0
  var isEnabled = true
  var transitions = 0

  private(set)
    lazy var state: Dispatcher = Dispatcher(for: self)

  static var defaultOnSetTransition: Transition = { (view, mutations, completion) in
    view.transitions += 1
    view.alpha = 0
    mutations()
    view.alpha = 1
    completion(true)
  }

  static func locked() -> State {
    return state {
      $0.isEnabled = false
    }
  }
}
