/// A state with its events and a pure function from one state to the next.
///
/// It keeps its data private, lists its events in an enum, and exposes computed outputs. Conforming
/// types and their events belong to no actor, even in a package whose default isolation is the main
/// actor, so that they can run anywhere.
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
  /// What can happen, as verbs in the past tense: `tappedSearch`, `wentOffline`.
  associatedtype Event

  /// Returns the state after `event`; it depends on nothing else and has no side effects.
  static func reduce(state: Self, event: Event) -> Self

  /// The named values the outside renders or reacts to. Default: none.
  @OutputsBuilder<Self> static var outputs: Outputs<Self> { get }
}

extension Reducible {
  /// No outputs.
  public static var outputs: Outputs<Self> { Outputs([]) }
}
