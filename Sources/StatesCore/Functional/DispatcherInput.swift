/// What a ``Dispatcher`` handles, as its middleware sees it.
///
/// ```swift
/// final class Lamp {}
/// func describe(_ input: DispatcherInput<Lamp>) -> String {
///   if let event = input.event { "\(event)" } else { "nothing" }
/// }
/// ```
public struct DispatcherInput<Subject: AnyObject> {
  /// What happened; nil for an input that has no effect, and so is never a step.
  public let event: DispatcherEvent<FunctionalArguments>?
  /// What went wrong with it.
  public let error: DispatchError?
  /// The closures of a state that is applied.
  let application: Application<Subject>?

  /// Makes an input without the closures of a state, as a recording has it.
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

/// The parts of an applied state that are not data.
struct Application<Subject: AnyObject> {
  let state: FunctionalState<Subject>
  /// The transition for this one application.
  let transition: FunctionalTransition<Subject>?
  let timeLimit: TransitionTimeLimit?
  /// Called exactly once.
  let completion: (Bool, DispatchError?) -> Void
  /// Whether it has no effect unless its state is the current one.
  var isUpdateOnly = false

  /// What to do and how; nil if an update does nothing.
  func mutation(
    updating: Bool
  ) -> (mutations: (Subject) -> Void, transition: FunctionalTransition<Subject>)? {
    guard let mutation = updating ? state.onUpdate : state.onSet else { return nil }
    // The most specific transition wins: the call's, then the state's, then the type's.
    return (mutation.mutations, transition ?? mutation.transition ?? mutation.typeTransition)
  }
}
