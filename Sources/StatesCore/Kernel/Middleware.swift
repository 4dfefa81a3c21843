/// Receives every step of a machine before the observers do.
///
/// Middleware is called in the order in which it was added, also for restored states. What it sends
/// to the machine waits until the step is over.
///
/// ```swift
/// struct Log<State, Input>: Middleware {
///   func handled(_ step: Step<State, Input>) {
///     print(step.number, step.input.map { "\($0)" } ?? "restored", "at", step.callSite)
///   }
/// }
/// let form = StateForm(state: 0)
/// form.use(Log())
/// form.apply { $0 += 1 }
/// ```
public protocol Middleware<State, Input> {
  /// The state of the machines it can be added to.
  associatedtype State
  /// The input of the machines it can be added to.
  associatedtype Input

  /// Called with each step, right after it was made.
  func handled(_ step: Step<State, Input>)
}
