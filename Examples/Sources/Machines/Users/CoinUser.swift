import StatesCore

/// A simulated user who flips a coin.
@MainActor
package func flip(_ coin: Machine<CoinState>, _ pace: Pace, times: Int) async {
  for _ in 0..<times {
    await pace.rest()
    if pace.pick(8) == 0 {
      coin.send(.laidOnHeads)
    } else {
      coin.send(.flipped)
    }
  }
}
