/// The kind of a machine.
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
  /// A reducer that another library calls.
  case reducer
}
