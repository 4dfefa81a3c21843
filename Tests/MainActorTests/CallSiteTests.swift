import StatesCore
import StatesTesting
import Testing

// Nothing in this file says where it runs: the target's default isolation is the main actor, as in
// an app made from a current template.

struct Coin: Reducible, Equatable, Codable, Sendable {
  private(set) var isHeads = true
  private(set) var toasts = Pending<String>()

  enum Event: Codable, Sendable {
    case flipped, producedOutput
  }

  static func reduce(state: Coin, event: Event) -> Coin {
    var result = state
    switch event {
    case .flipped:
      result.isHeads.toggle()
      result.toasts.add("flipped")
    case .producedOutput: result.toasts.acknowledge()
    }
    return result
  }

  var side: String { isHeads ? "Heads" : "Tails" }
  var showToast: Pending<String>.Item? { toasts.first }
  var ring: Void? { isHeads ? nil : () }

  static var outputs: Outputs<Coin> {
    Output("side", \.side)
    Output("ring") { $0.ring }
    Output("showToast", as: .navigation, \.showToast)
  }
}

struct Log<State, Input>: Middleware {
  let lines: Lines
  func handled(_ step: Step<State, Input>) { lines.texts.append("#\(step.number)") }
}

final class Lines {
  var texts: [String] = []
}

final class NameLabel: FormComponent {
  var text = ""
  func setup(with state: String) { text = state }
  func update(state: String) { text = state }
}

final class Screen {
  let machine = Machine(Coin())
  let subscriptions = SubscriptionScope()
  private(set) var title = ""
  private(set) var sounds = 0

  init() {
    machine.subscribe(owner: self) { screen, coin in screen.title = coin.side }
    machine.react(to: \.ring, owner: self) { $0.sounds += 1 }
    machine.react(to: \.showToast) { [weak self] toast in
      self?.title += " " + toast.value
      self?.machine.send(.producedOutput)
    }
    machine.subscribe { [weak self] coin, occasion in
      if occasion.reason == .restored { self?.title = "back to \(coin.side)" }
    }
    .store(in: subscriptions)
  }
}

func increased(state: Int, event: Bool) -> Int { event ? state + 1 : state }

@Suite("In a package whose default isolation is the main actor")
struct CallSiteTests {
  @Test("a machine of states is used as documented")
  func machineOfStatesIsUsedAsDocumented() async {
    let screen = Screen()
    let lines = Lines()
    screen.machine.use(Log(lines: lines))
    #expect(screen.machine.send(.flipped) == .handled)
    #expect((screen.title, screen.sounds) == ("Tails", 1))
    #expect(screen.machine.state.toasts.isEmpty)
    screen.machine.hold(.queue(limit: 1))
    #expect(screen.machine.send(.flipped) == .queued)
    screen.machine.restore(Coin())
    #expect(screen.title == "back to Heads")
    screen.machine.resume()
    #expect(screen.machine.state.side == "Tails")
    #expect(lines.texts == ["#1", "#2", "#3", "#4", "#5"])
    screen.machine.onTransition { old, new in screen.subscriptions.cancelAll() }
    screen.machine.subscribe(path: \.isHeads) { old, new in #expect(old != new) }
    _ = await Task { screen.machine.send(.flipped) }.value
    #expect(screen.machine.state.isHeads)
  }

  @Test("a form is used as documented")
  func formIsUsedAsDocumented() {
    let form = StateForm(state: "Ada")
    let label = NameLabel()
    form.subscribe(label)
    form.apply { $0 = "Augusta" }
    #expect(label.text == "Augusta")
    #expect(form.undo() && label.text == "Ada")
    let child = form.child(\.self)
    child.apply { $0 += "!" }
    child.subscribe(label)
    child.subscribe(path: \.count) { _, _ in }

    let counter = StateForm(state: 0, reducer: increased)
    counter.apply(true)
    counter.undoGroup { counter.apply(true) }
    #expect(counter.state == 2)
  }

  @Test("a state is tested as documented")
  func stateIsTestedAsDocumented() throws {
    try expect(Coin()).after(.flipped).toTurn { $0.side == "Tails" }
      .to(\.side, equal: "Tails").to(output: "side", equal: "Tails").toFire("ring")
      .after(.producedOutput).to(\.showToast, equal: nil)
  }

  @Test("a reducible state can be reduced off the main actor")
  func reducibleStateCanBeReducedOffMainActor() async {
    let coin = await Task.detached {
      (Coin.reduce(state: Coin(), event: .flipped), Coin.outputs.count)
    }.value
    #expect((coin.0.side, coin.1) == ("Tails", 3))
  }
}
