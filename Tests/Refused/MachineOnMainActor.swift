import StatesCore

struct Coin: Reducible {
  static func reduce(state: Coin, event: Bool) -> Coin { state }
}

@MainActor
final class Screen {
  let machine = Machine(Coin())

  func tapped() {
    machine.send(true)
    Task { machine.send(true) }
  }
}

nonisolated func fromElsewhere(_ screen: Screen) {
  screen.machine.send(true)  // refused: main actor-isolated
}

func fromAnotherTask(_ screen: Screen) async {
  await screen.tapped()
  await Task.detached {
    _ = screen.machine.send(true)  // refused: cannot exit main actor-isolated context
  }.value
}
