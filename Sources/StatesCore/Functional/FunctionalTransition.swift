/// How the mutations of a state are applied to an object: immediately, in an animation, after a
/// fade.
///
/// It must run the mutations once and complete once; complete with `false` if it was interrupted.
/// Inside a ``Stateful`` class its type is called `Transition`.
///
/// ```swift
/// final class Panel: Stateful {
///   var alpha = 1.0
///   private(set) lazy var state = Dispatcher(for: self)
///   static func shown() -> State { state { _ in } }
/// }
/// let fadingIn: FunctionalTransition<Panel> = { panel, mutations, completion in
///   panel.alpha = 0
///   mutations()
///   panel.alpha = 1
///   completion(true)
/// }
/// Panel().state.apply(via: fadingIn, Panel.shown())
/// ```
public typealias FunctionalTransition<Subject> = (
  _ subject: Subject, _ mutations: @escaping () -> Void, _ completion: @escaping (Bool) -> Void
) -> Void

/// Ready-made transitions.
///
/// ```swift
/// final class Panel: Stateful {
///   private(set) lazy var state = Dispatcher(for: self)
///   static func shown() -> State { state { _ in } }
/// }
/// Panel().state.apply(via: Transitions.instant(), Panel.shown())
/// ```
public enum Transitions {
  /// Runs the mutations and completes immediately.
  public static func instant<Subject>() -> FunctionalTransition<Subject> {
    { _, mutations, completion in
      mutations()
      completion(true)
    }
  }

  /// An asynchronous transition: `body` runs the mutations and returns whether it finished.
  ///
  /// It runs on the actor on which it is made; you cannot make one outside an actor.
  ///
  /// ```swift
  /// @MainActor final class Panel {
  ///   var alpha = 1.0
  ///   func animate(_ changes: () -> Void) async -> Bool { changes(); return true }
  /// }
  /// @MainActor func makeFade() -> FunctionalTransition<Panel> {
  ///   Transitions.asynchronous { panel, mutations in
  ///     panel.alpha = 0
  ///     mutations()
  ///     return await panel.animate { panel.alpha = 1 }
  ///   }
  /// }
  /// ```
  public static func asynchronous<Subject>(
    isolation: isolated any Actor = #isolation,
    _ body: @escaping (_ subject: Subject, _ mutations: () -> Void) async -> Bool
  ) -> FunctionalTransition<Subject> {
    { subject, mutations, completion in
      Task {
        // Capturing the actor makes the task run on it.
        _ = isolation
        completion(await body(subject, mutations))
      }
    }
  }
}
