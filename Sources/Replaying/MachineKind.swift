/// The five kinds of machine, and what has another shape.
///
/// ```swift
/// assert(MachineKind.statechart.rawValue == "statechart")
/// ```
public enum MachineKind: String, Hashable, Sendable, CaseIterable {
  /// A `Machine` of a `Reducible` state.
  case states
  /// A `StateForm`.
  case form
  /// A `Statechart`.
  case statechart
  /// A `Stateful` object's dispatcher.
  case functional
  /// A run of a `FeedbackSystem`.
  case feedback
  /// A function from state and event to state that somebody else calls.
  case reducer
}
