/// What a ``Dispatcher`` handles, as its middleware sees it.
///
/// ```swift
/// final class Lamp {}
/// func describe(_ input: DispatcherInput<Lamp>) -> String {
///   if let event = input.event { "\(event)" } else { "nothing" }
/// }
/// ```
public struct DispatcherInput<Subject: AnyObject> {
  /// What happened; nil for what comes to nothing, and is never a step.
  public let event: DispatcherEvent<FunctionalArguments>?
  /// What went wrong with it.
  public let error: DispatchError?
  /// The closures of a state that is applied.
  let application: Application<Subject>?

  /// What happened, without the closures of the state: as a recording has it.
  package init(happened event: DispatcherEvent<FunctionalArguments>?, error: DispatchError?) {
    self.init(event, error: error)
  }

  init(
    _ event: DispatcherEvent<FunctionalArguments>?, error: DispatchError? = nil,
    application: Application<Subject>? = nil
  ) {
    self.event = event
    self.error = error
    self.application = application
  }
}

/// A state that is applied: everything about it that is not data.
struct Application<Subject: AnyObject> {
  let state: FunctionalState<Subject>
  /// The transition for this one application.
  let transition: FunctionalTransition<Subject>?
  let timeLimit: TransitionTimeLimit?
  /// Called once, whatever happens.
  let completion: (Bool, DispatchError?) -> Void
  /// Whether it comes to nothing unless its state is the current one.
  var isUpdateOnly = false

  /// What to do and how; nil when an update does nothing.
  func mutation(
    updating: Bool
  ) -> (mutations: (Subject) -> Void, transition: FunctionalTransition<Subject>)? {
    guard let mutation = updating ? state.onUpdate : state.onSet else { return nil }
    // The nearest wins: the call, the state, the type.
    return (mutation.mutations, transition ?? mutation.transition ?? mutation.typeTransition)
  }
}
