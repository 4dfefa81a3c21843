public import StatesCore

/// One step as the machine's thread left it for the recorder's: values, and nothing encoded.
///
/// `Payload` is what is kept of the input: the input itself, or its part that may leave the machine's
/// isolation.
struct CapturedStep<State: Sendable, Payload: Sendable>: Sendable {
  /// What was handled; nil when the state was replaced.
  var payload: Payload?
  /// The state that a function was called with; nil for machines, which remember their own.
  var before: State?
  /// The state after the step; nil when the step was captured without its state.
  var after: State?
  /// The number of the step, where the machine counts.
  var number: Int
  var callSite: CallSite
  var extra: StepExtra?
  /// Nanoseconds of the recorder's clock when the step was made.
  var time: UInt64
  /// Nanoseconds inside the reducer; 0 where that was not measured.
  var duration: UInt64

  /// The details of the step, with the number that it has by now.
  func details(number: Int) -> StepDetails {
    StepDetails(
      number: number, cause: extra?.cause, origin: extra?.origin ?? .app, callSite: callSite,
      error: extra?.error, isHeld: extra?.isHeld ?? false)
  }
}

/// What lies beside the event of a step, in most steps.
///
/// Leaving a step is mostly writing these bytes: what few steps have is in objects of their own.
@usableFromInline
struct StepNote<State: Sendable>: Sendable {
  /// The state after the step, or the one that a function was called with; nil when there was no
  /// room for it.
  @usableFromInline let state: State?
  @usableFromInline let extra: StepExtra?
  @usableFromInline let number: Int
  @usableFromInline let time: UInt64
  @usableFromInline let duration: UInt64
  @usableFromInline let callSite: CallSite
  /// The place of the step in its block.
  @usableFromInline let index: UInt32
  /// Whether the state is the one before; another note of the same step follows.
  @usableFromInline let isBefore: Bool

  @inlinable
  init(
    state: State?, extra: StepExtra?, number: Int, time: UInt64, duration: UInt64,
    callSite: CallSite, index: Int, isBefore: Bool = false
  ) {
    self.state = state
    self.extra = extra
    self.number = number
    self.time = time
    self.duration = duration
    self.callSite = callSite
    self.index = UInt32(truncatingIfNeeded: index)
    self.isBefore = isBefore
  }
}

/// What only some steps have: a cause, an origin other than the app, an error, a hold.
@usableFromInline
package final class StepExtra: Sendable {
  let cause: Cause?
  let origin: Origin
  package let error: (any Error)?
  let isHeld: Bool

  init(_ details: StepDetails) {
    cause = details.cause
    origin = details.origin
    error = details.error
    isHeld = details.isHeld
  }

  @usableFromInline
  init(cause: Cause) {
    self.cause = cause
    origin = .app
    error = nil
    isHeld = false
  }

  /// What a step has besides the plain ones; nil for a plain one.
  @usableFromInline
  static func extra(of details: StepDetails) -> StepExtra? {
    details.isPlain && details.cause == nil ? nil : StepExtra(details)
  }
}
