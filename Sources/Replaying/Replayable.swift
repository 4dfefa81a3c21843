/// Names a machine and makes a new one, in a host, for a branch, or in an exported test.
///
/// Write one small type for each machine to run again that does not have a `Reducible` state:
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
/// It is nonisolated, even where the default isolation is the main actor. There, declare the types
/// of states and events that are not `Reducible` as `nonisolated`, so that they can be decoded
/// anywhere.
public protocol Replayable: SendableMetatype {
  /// The machine.
  associatedtype Replayed

  /// Makes a machine that has not handled any event.
  static func make() throws -> Replayed
}
