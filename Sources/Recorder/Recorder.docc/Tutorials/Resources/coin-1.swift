import StatesCore

struct CoinState: Reducible {
  var isHeads = true
  enum Event: String { case flipped }

  static func reduce(state: CoinState, event: Event) -> CoinState {
    CoinState(isHeads: !state.isHeads)
  }
}

let coin = Machine(CoinState())

for _ in 1...5 { coin.send(.flipped) }
print(coin.state.isHeads ? "Heads" : "Tails")
