/// The recorder's slot in a kernel.
///
/// One concrete slot instead of an entry in a list of observers: a recorded `send` costs about as
/// much as its parts, while a generic list measured five times as much.
@usableFromInline
package final class Tap<State, Input> {
  /// Called before an input is handled, for the clock and the slot that a crash handler reads.
  ///
  /// Called with nil when an input had no effect: there will be no step for it.
  @usableFromInline package let willHandle: (Input?) -> Void
  /// Called with each step as soon as the state is replaced; the input is nil after a restore.
  ///
  /// The state before is that of the previous step; a recorder that needs it stores it.
  @usableFromInline package let didHandle: (Input?, _ after: State, StepDetails) -> Void

  /// Called instead of ``didHandle`` for plain steps: sent by the app, without an error, while the
  /// machine is not held. Most steps are plain.
  @usableFromInline let didHandlePlainStep: (Input, _ after: State, Int, Cause?, CallSite) -> Void

  /// Makes a tap.
  ///
  /// The closures are not optional: Swift calls an optional closure through two more functions,
  /// which pass each argument through memory.
  @usableFromInline package init(
    willHandle: @escaping (Input?) -> Void,
    didHandle: @escaping (Input?, _ after: State, StepDetails) -> Void,
    didHandlePlainStep: @escaping (Input, _ after: State, _ number: Int, Cause?, CallSite) -> Void
  ) {
    self.willHandle = willHandle
    self.didHandle = didHandle
    self.didHandlePlainStep = didHandlePlainStep
  }

  /// Makes a tap that does not treat plain steps differently.
  package convenience init(
    willHandle: @escaping (Input?) -> Void,
    didHandle: @escaping (Input?, _ after: State, StepDetails) -> Void
  ) {
    self.init(willHandle: willHandle, didHandle: didHandle) { input, after, number, cause, site in
      didHandle(input, after, StepDetails(plainly: number, cause: cause, callSite: site))
    }
  }
}
