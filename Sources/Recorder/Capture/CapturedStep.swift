public import StatesCore

/// One step as the machine's thread left it for the recorder's: values, and nothing encoded.
///
/// `Payload` is what is kept of the input: the input itself, or its part that may leave the machine's
/// isolation.
struct CapturedStep<State: Sendable, Payload: Sendable>: Sendable {
  /// What was handled; nil when the state was replaced.
  var payload: Payload? = nil
  /// The state that a function was called with; nil for machines, which remember their own.
  var before: State? = nil
  /// The state after the step; nil when the step was captured without its state.
  var after: State? = nil
  /// The number of the step, where the machine counts.
  var number = 0
  var callSite = CallSite()
  var extra: StepExtra? = nil
  /// Nanoseconds of the recorder's clock when the step was made.
  var time: UInt64 = 0
  /// Nanoseconds inside the reducer; nil where that was not measured.
  var duration: UInt64? { extra.flatMap { $0.duration == 0 ? nil : $0.duration } }

  /// The details of the step, with the number that it has by now.
  func details(number: Int) -> StepDetails {
    StepDetails(
      number: number, cause: extra?.cause, origin: extra?.origin ?? .app, callSite: callSite,
      error: extra?.error, isHeld: extra?.isHeld ?? false)
  }
}

/// What is known of a step besides its event and its state, and of those after it without a note: they
/// have the next numbers, no extra, and the rest as it is here.
///
/// Leaving a step is mostly writing bytes, so a burst has a note for one in sixteen; and what few
/// steps have is in objects of their own.
@usableFromInline
struct StepNote: Sendable {
  @usableFromInline let extra: StepExtra?
  @usableFromInline var number: Int
  @usableFromInline let time: UInt64
  @usableFromInline let callSite: CallSite
  /// The place of the step in its block.
  @usableFromInline let index: UInt32
  /// Whether the step has a state.
  @usableFromInline let hasState: Bool
  /// Whether this tells of a state before the step, and of nothing else.
  @usableFromInline let isBefore: Bool

  @inlinable
  @inline(__always)
  init(
    hasState: Bool, extra: StepExtra?, number: Int, time: UInt64, callSite: CallSite, index: Int,
    isBefore: Bool = false
  ) {
    self.hasState = hasState
    self.extra = extra
    self.number = number
    self.time = time
    self.callSite = callSite
    self.index = UInt32(truncatingIfNeeded: index)
    self.isBefore = isBefore
  }

  /// What is known before the first step.
  @inlinable static var none: StepNote {
    StepNote(hasState: false, extra: nil, number: 0, time: 0, callSite: CallSite(), index: 0)
  }

  /// That there is a state before the step of that place.
  @inlinable
  static func before(_ index: Int) -> StepNote {
    StepNote(
      hasState: true, extra: nil, number: 0, time: 0, callSite: CallSite(), index: index,
      isBefore: true)
  }
}

/// What only some steps have: a measured duration, a cause, an origin other than the app, an error, a
/// hold.
@usableFromInline
package final class StepExtra: Sendable {
  let cause: Cause?
  let origin: Origin
  package let error: (any Error)?
  let isHeld: Bool
  /// Nanoseconds inside the reducer; 0 where that was not measured.
  let duration: UInt64

  init(_ details: StepDetails, duration: UInt64) {
    self.duration = duration
    cause = details.cause
    origin = details.origin
    error = details.error
    isHeld = details.isHeld
  }

  init(cause: Cause?, duration: UInt64) {
    self.duration = duration
    self.cause = cause
    origin = .app
    error = nil
    isHeld = false
  }

  /// What a step has besides the plain ones; nil for a plain one.
  @usableFromInline
  static func extra(of details: StepDetails, duration: UInt64 = 0) -> StepExtra? {
    details.isPlain && details.cause == nil && duration == 0
      ? nil : StepExtra(details, duration: duration)
  }

  /// What a plain step has besides; nil for most.
  @inlinable
  @inline(__always)
  static func extra(cause: Cause?, duration: UInt64 = 0) -> StepExtra? {
    cause == nil && duration == 0 ? nil : make(cause, duration)
  }

  @usableFromInline
  static func make(_ cause: Cause?, _ duration: UInt64) -> StepExtra {
    StepExtra(cause: cause, duration: duration)
  }
}
