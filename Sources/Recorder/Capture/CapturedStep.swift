public import StatesCore

/// One step as the machine's thread left it for the recorder's: values, and nothing encoded.
///
/// `Payload` is what is kept of the input: the input itself, or its part that may leave the machine's
/// isolation. What most steps do not have is in an object of its own, so that the others are short:
/// leaving a step is mostly copying it.
@usableFromInline
package struct CapturedStep<State: Sendable, Payload: Sendable>: Sendable {
  /// What was handled; nil when the state was replaced.
  @usableFromInline var payload: Payload?
  /// The state that a function was called with; nil for machines, which remember their own.
  @usableFromInline var before: State?
  /// The state after the step; nil when the step was captured without its state.
  @usableFromInline var after: State?
  /// The number of the step, where the machine counts.
  @usableFromInline var number: Int
  /// What led to it; a machine of 0 is none.
  @usableFromInline var cause: Cause
  @usableFromInline var callSite: CallSite
  @usableFromInline var extra: StepExtra?
  /// Nanoseconds of the recorder's clock when the step was made; 0 for shortly before it was taken.
  @usableFromInline var time: UInt64
  /// Nanoseconds inside the reducer; 0 where that was not measured.
  @usableFromInline var duration: UInt64

  @inlinable
  @inline(__always)
  init(
    payload: Payload?, before: State?, after: State?, details: StepDetails, time: UInt64,
    duration: UInt64
  ) {
    self.payload = payload
    self.before = before
    self.after = after
    number = details.number
    cause = details.cause ?? .none
    callSite = details.callSite
    extra = details.isPlain ? nil : StepExtra(details)
    self.time = time
    self.duration = duration
  }

  /// The details of the step, with the number that it has by now.
  func details(number: Int) -> StepDetails {
    StepDetails(
      number: number, cause: cause.machine == 0 ? nil : cause, origin: extra?.origin ?? .app,
      callSite: callSite, error: extra?.error, isHeld: extra?.isHeld ?? false)
  }
}

/// What only some steps have: an origin other than the app, an error, a hold.
@usableFromInline
package final class StepExtra: Sendable {
  let origin: Origin
  package let error: (any Error)?
  let isHeld: Bool

  @usableFromInline
  init(_ details: StepDetails) {
    origin = details.origin
    error = details.error
    isHeld = details.isHeld
  }
}

extension Cause {
  /// No cause; machines are numbered from 1.
  @usableFromInline static var none: Cause { Cause(machine: 0, number: 0) }
}
