/// How a ``Statechart`` treats messages and transitions.
///
/// ```swift
/// let options = ChartOptions(dispatch: .immediate, transitionLimit: 20)
/// assert(options.bubbles)
/// ```
public struct ChartOptions: Hashable, Sendable {
  /// When a `goTo` inside a hook runs. Default: `.queued`.
  public var dispatch: ChartDispatch
  /// Whether a message that the current state does not handle goes to its ancestors. Default: true.
  public var bubbles: Bool
  /// How many transitions one operation may make. Default: 100, like StateKit.
  ///
  /// With `.immediate` dispatch no more than 100 of them may be inside one another, whatever this
  /// says.
  public var transitionLimit: Int
  /// What is checked when the chart is made. Default: everything.
  public var checks: ChartChecks
  /// Whether `perform` blocks run; a chart that is replayed runs without. Default: true.
  public var performsEffects: Bool

  /// How many transitions may be under way, one inside another, with `.immediate` dispatch.
  ///
  /// Each takes some kilobytes of a stack without optimisation, and the smallest stacks, those of
  /// threads made by hand on Apple's systems, have half a megabyte.
  static let nestingLimit = 100

  /// Makes options; what is not given has its default.
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
/// In a message handler a `goTo` always runs at once: no transition is under way there.
///
/// ```swift
/// assert(ChartOptions().dispatch == ChartDispatch.queued)
/// ```
public enum ChartDispatch: String, Hashable, Sendable, Codable {
  /// After the transition that is under way has reached its target, in the order of the calls.
  case queued
  /// At once, as StateKit does; the transition under way then goes on from wherever the chart is.
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
  /// Without it the name of several states means the first one found breadth-first from the root.
  /// Two children of one state never have the same name.
  public static let duplicateNames = ChartChecks(rawValue: 1)
  /// Every target that is declared is the name of a state.
  public static let danglingTargets = ChartChecks(rawValue: 2)
  /// Every state can be entered, as far as targets are declared.
  ///
  /// A closure that does not say `mayGoTo:` may go anywhere.
  public static let unreachableStates = ChartChecks(rawValue: 4)
  /// Everything that can be checked.
  public static let all: ChartChecks = [.duplicateNames, .danglingTargets, .unreachableStates]
}
