/// How a ``Statechart`` treats messages and transitions.
///
/// ```swift
/// let options = ChartOptions(dispatch: .immediate, transitionLimit: 20)
/// assert(options.bubbles)
/// ```
public struct ChartOptions: Hashable, Sendable {
  /// When a `goTo` inside a hook runs (default: `.queued`).
  public var dispatch: ChartDispatch
  /// Whether a message that the current state does not handle goes to its ancestors (default:
  /// true).
  public var bubbles: Bool
  /// The maximum number of transitions in one operation (default: 100, like StateKit).
  ///
  /// With `.immediate` dispatch, at most 100 of them may be nested, whatever this limit is.
  public var transitionLimit: Int
  /// What is checked when the chart is made (default: everything).
  public var checks: ChartChecks
  /// Whether `perform` blocks run (default: true). A replay turns this off.
  public var performsEffects: Bool

  /// The maximum nesting depth of transitions with `.immediate` dispatch.
  ///
  /// Without optimization each takes a few kilobytes of stack, and the smallest stacks, those of
  /// manually created threads on Apple platforms, have half a megabyte.
  static let nestingLimit = 100

  /// Makes options.
  public init(
    dispatch: ChartDispatch = .queued, bubbles: Bool = true, transitionLimit: Int = 100,
    checks: ChartChecks = .all, performsEffects: Bool = true
  ) {
    self.dispatch = dispatch
    self.bubbles = bubbles
    self.transitionLimit = transitionLimit
    self.checks = checks
    self.performsEffects = performsEffects
  }
}

/// When a `goTo` inside an enter or exit hook runs.
///
/// In a message handler a `goTo` always runs immediately, because no transition is running.
///
/// ```swift
/// assert(ChartOptions().dispatch == ChartDispatch.queued)
/// ```
public enum ChartDispatch: String, Hashable, Sendable, Codable {
  /// After the running transition has reached its target, in the order of the calls.
  case queued
  /// Immediately, as in StateKit; the running transition then continues from wherever the chart is.
  case immediate
}

/// What is checked when a chart is made, besides that it has a root.
///
/// ```swift
/// let lenient = ChartOptions(checks: [.danglingTargets])
/// assert(!lenient.checks.contains(.unreachableStates))
/// ```
public struct ChartChecks: OptionSet, Hashable, Sendable {
  /// The checks as bits.
  public let rawValue: UInt8

  /// Makes a set of checks from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No two states have the same name.
  ///
  /// Without this check, an ambiguous name means the first state found breadth-first from the root.
  /// Two children of one state never have the same name.
  public static let duplicateNames = ChartChecks(rawValue: 1)
  /// Every target that is declared is the name of a state.
  public static let danglingTargets = ChartChecks(rawValue: 2)
  /// Every state can be entered, as far as targets are declared.
  ///
  /// A closure without `mayGoTo:` may go anywhere.
  public static let unreachableStates = ChartChecks(rawValue: 4)
  /// All checks.
  public static let all: ChartChecks = [.duplicateNames, .danglingTargets, .unreachableStates]
}
