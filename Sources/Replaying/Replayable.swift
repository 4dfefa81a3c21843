/// Names a machine, and makes a fresh one: in a host, for a branch, in an exported test.
///
/// One small type for each machine that is to be run again and is not a `Reducible` state:
///
/// ```swift
/// enum PageFlow: Replayable {
///   static func make() throws -> Statechart<NoChartValue> {
///     try Statechart(NoChartValue(), ChartDefinition { On("pushed", goTo: "open"); ChartState("open") })
///   }
/// }
/// let recipe = Replay(of: PageFlow.self)
/// let first = try recipe.makeReplayer().begin()
/// assert(first.state != nil)
/// ```
///
/// It stays free of actors, also where the default isolation is the main actor. There the types of
/// states and events that are not `Reducible` say `nonisolated struct`, so that they can be decoded
/// anywhere.
public protocol Replayable: SendableMetatype {
  /// The machine.
  associatedtype Replayed

  /// Makes a machine that has handled nothing.
  static func make() throws -> Replayed
}
