import StatesCore

@MainActor
final class Panel: @MainActor Stateful {
  var alpha = 0.0
  private(set) lazy var state = Dispatcher(for: self)
  static func shown() -> State { state { $0.alpha = 1 } }

  func show() { state.apply { $0.shown() } }
}

nonisolated func fromElsewhere(_ panel: Panel) async {
  await panel.show()
  panel.state.apply { $0.shown() }  // refused: main actor-isolated
}
