import Recorder
import StatesCore

struct CoinState: Reducible, Codable, Sendable {
  var isHeads = true
  enum Event: String, Codable, Sendable { case flipped }

  static func reduce(state: CoinState, event: Event) -> CoinState {
    CoinState(isHeads: !state.isHeads)
  }
  static var outputs: Outputs<CoinState> {
    Output("side") { $0.isHeads ? "Heads" : "Tails" }
  }
}

let recorder = StateRecorder(app: "Coin")
let coin = recorder.record(Machine(CoinState()), as: "coin")

for _ in 1...5 { coin.send(.flipped) }
print(coin.state.isHeads ? "Heads" : "Tails")
recorder.close()
