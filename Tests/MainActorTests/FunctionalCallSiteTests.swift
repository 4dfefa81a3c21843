import StatesCore
import Testing

// As in `CallSiteTests.swift`: everything here is on the main actor, as nothing says otherwise.

class SearchView: Stateful {
  var keyword = ""
  var isEnabled = true
  private(set) lazy var state = Dispatcher(for: self)

  static func awaiting(with keyword: String) -> State {
    state(keyword) {
      $0.keyword = keyword
      $0.isEnabled = true
    }
  }

  class func locked() -> State {
    state { $0.isEnabled = false }
  }
}

final class TitledSearchView: SearchView {
  override class func locked() -> State {
    state {
      $0.isEnabled = false
      $0.keyword = "locked"
    }
  }
}

final class Panel: Stateful {
  var alpha = 0.0
  private(set) lazy var state = Dispatcher(for: self)

  static func shown(at alpha: Double) -> State { state(alpha) { $0.alpha = alpha }.alsoOnUpdate() }
  static func hidden() -> State { state { $0.alpha = 0 } }

  static var defaultOnSetTransition: Transition {
    { panel, mutations, completion in
      panel.alpha = 0
      mutations()
      panel.alpha /= 2
      completion(true)
    }
  }

  static var dispatchable: [Dispatchable] {
    [Dispatchable(hidden), Dispatchable("shown(at:)", shown(at:))]
  }
}

@Suite("Functional states, on the main actor by default")
struct FunctionalCallSiteTests {
  @Test("an object applies its states as documented")
  func objectAppliesStatesAsDocumented() {
    let view = SearchView()
    view.state.apply { $0.awaiting(with: "something") }
    view.state.apply { $0.awaiting(with: "another value") }
    #expect(view.keyword == "something")
    var isFinished = false
    view.state.apply(SearchView.locked()) { finished in isFinished = finished }
    #expect(isFinished && !view.isEnabled)
    let titled: SearchView = TitledSearchView()
    titled.state.apply { $0.locked() }
    #expect(titled.keyword == "locked")
  }

  @Test("transitions of type, call and state are used as documented")
  func transitionsAreUsedAsDocumented() throws {
    let panel = Panel()
    panel.state.apply { $0.shown(at: 1) }
    #expect(panel.alpha == 0.5)
    panel.state.apply { $0.shown(at: 1) }.apply(via: Transitions.instant(), Panel.hidden())
    #expect(panel.alpha == 0 && panel.state.current?.name == "hidden()")
    panel.state.apply(try Panel.dispatchableState(named: "hidden()", arguments: nil))

    var complete: (Bool) -> Void = { _ in }
    let slow: Panel.Transition = { _, mutations, completion in
      mutations()
      complete = completion
    }
    var phases = 0
    var errors: [DispatchError] = []
    panel.state.onTransition { _, _ in phases += 1 }
    panel.state.onError { errors.append($0) }
    panel.state.apply(via: slow, Panel.shown(at: 0.3), timeLimit: TransitionTimeLimit(.seconds(9)))
    panel.state.apply(Panel.hidden()) { finished, error in #expect(!finished && error != nil) }
    #expect(panel.state.pending.map(\.name) == ["hidden()"])
    #expect(panel.state.clearPending() == 1)
    guard case .inTransition = panel.state.phase else {
      Issue.record("the transition is under way")
      return
    }
    complete(false)
    complete(true)
    #expect(panel.state.current?.title == "shown" && errors.count == 1 && phases > 0)
  }

  @Test("a transition that waits is used as documented")
  func transitionThatWaitsIsUsedAsDocumented() async throws {
    let panel = Panel()
    let fade: Panel.Transition = Transitions.asynchronous { panel, mutations in
      await Task.yield()
      mutations()
      return true
    }
    #expect(try await panel.state.applied(via: fade) { $0.shown(at: 0.8) })
    #expect(panel.alpha == 0.8)
  }
}
