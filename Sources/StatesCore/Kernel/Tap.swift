/// The recorder's slot in a kernel.
///
/// One concrete slot instead of an entry in a list of observers: measured, a recorded `send` stays
/// near the cost of its parts, where a generic list costs five times as much.
@usableFromInline
package final class Tap<State, Input> {
  /// Called before an input is handled, for the clock and the slot a crash handler looks into.
  ///
  /// Called with nil when an input came to nothing: there will be no step for it.
  @usableFromInline package let willHandle: (Input?) -> Void
  /// Called with each step as soon as the state is replaced; the input is nil after a restore.
  ///
  /// The state before is that of the step before: who wants it keeps it.
  @usableFromInline package let didHandle: (Input?, _ after: State, StepDetails) -> Void

  /// Called instead of ``didHandle`` with a step that the app led to, without an error, of a machine
  /// that is not held: as most steps are.
  @usableFromInline let didHandlePlainly: (Input, _ after: State, Int, Cause?, CallSite) -> Void

  /// Makes a tap.
  ///
  /// The closures are no optionals: those are called through two more functions, which pass each
  /// argument through memory.
  @usableFromInline package init(
    willHandle: @escaping (Input?) -> Void,
    didHandle: @escaping (Input?, _ after: State, StepDetails) -> Void,
    didHandlePlainly: @escaping (Input, _ after: State, _ number: Int, Cause?, CallSite) -> Void
  ) {
    self.willHandle = willHandle
    self.didHandle = didHandle
    self.didHandlePlainly = didHandlePlainly
  }

  /// Makes a tap to which no step is plain.
  package convenience init(
    willHandle: @escaping (Input?) -> Void,
    didHandle: @escaping (Input?, _ after: State, StepDetails) -> Void
  ) {
    self.init(willHandle: willHandle, didHandle: didHandle) { input, after, number, cause, site in
      didHandle(input, after, StepDetails(plainly: number, cause: cause, callSite: site))
    }
  }
}
