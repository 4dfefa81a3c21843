import StatesCore

struct Coin: Reducible {
  static func reduce(state: Coin, event: Bool) -> Coin { state }
}

final class Screen {
  let machine = Machine(Coin())

  func tapped() {
    machine.send(true)
    let machine = machine
    Task.detached { machine.send(true) }  // refused: risks causing data races
  }
}
