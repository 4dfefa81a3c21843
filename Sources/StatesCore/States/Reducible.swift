/// A state with its events and a pure function from one state to the next.
///
/// It holds its data privately, lists its events in an enum, and shows computed outputs to the
/// outside. Conforming types and their events stay free of actors, also in a package whose default
/// isolation is the main actor, so that they can be run anywhere.
///
/// ```swift
/// struct CoinState: Reducible {
///   private var isHeads = true
///
///   enum Event {
///     case flipToHeads
///     case flipToTails
///   }
///
///   static func reduce(state: CoinState, event: Event) -> CoinState {
///     var result = state
///     switch event {
///     case .flipToHeads: result.isHeads = true
///     case .flipToTails: result.isHeads = false
///     }
///     return result
///   }
///
///   var coinSide: String { isHeads ? "Heads" : "Tails" }
///
///   static var outputs: Outputs<CoinState> {
///     Output("coinSide", \.coinSide)
///   }
/// }
/// ```
public protocol Reducible: SendableMetatype {
  /// What can happen, as verbs in the past: `tappedSearch`, `wentOffline`.
  associatedtype Event

  /// The state after `event`; it depends on nothing else, and does nothing else.
  static func reduce(state: Self, event: Event) -> Self

  /// The named values the outside renders or reacts to. Default: none.
  @OutputsBuilder<Self> static var outputs: Outputs<Self> { get }
}

extension Reducible {
  /// No outputs.
  public static var outputs: Outputs<Self> { Outputs([]) }
}
