import StatesTesting
import Testing

@testable import Machines

// As debugd exports it; others go beside it.
@Suite("coin")
struct CoinTests {
  @Test("shows its other side, and heads when it is laid on them")
  func sides() throws {
    let coin = try ReplayedMachine(reducible: CoinState.self, from: ["isHeads": true, "flips": 0])
    try coin.send(.flipped).toChange(outputs: ["side": "Tails"])
    try coin.send(.laidOnHeads).toChange(outputs: ["side": "Heads"])
  }
}
