import StatesCore

/// A coin: the smallest machine there is.
public struct CoinState: Reducible, Codable, Sendable {
  var isHeads = true
  var flips = 0

  /// Heads, not flipped yet.
  public init() {}

  /// An event of a coin.
  public enum Event: String, Codable, Sendable { case flipped, laidOnHeads }

  /// The coin after an event.
  public static func reduce(state: CoinState, event: Event) -> CoinState {
    var result = state
    switch event {
    case .flipped:
      result.isHeads.toggle()
      result.flips += 1
    case .laidOnHeads: result.isHeads = true
    }
    return result
  }

  /// The side, and a celebration at every tenth flip.
  public static var outputs: Outputs<CoinState> {
    Output("side") { $0.isHeads ? "Heads" : "Tails" }
    Output("celebrate") { $0.flips > 0 && $0.flips.isMultiple(of: 10) ? () : nil }
  }
}
