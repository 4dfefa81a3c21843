public import StatesCore

/// One step as the machine's thread wrote it for the recorder's: values, nothing encoded.
///
/// `Payload` is the input, or the part of it that may leave the machine's isolation.
struct CapturedStep<State: Sendable, Payload: Sendable>: Sendable {
  /// The input; nil if the state was replaced.
  var payload: Payload? = nil
  /// The state that a function was called with; nil for machines, which keep their own.
  var before: State? = nil
  /// The state after the step; nil if the step was captured without its state.
  var after: State? = nil
  /// The number of the step, if the machine counts its steps.
  var number = 0
  var callSite = CallSite()
  var extra: StepExtra? = nil
  /// The recorder's clock when the step was made.
  var time: UInt64 = 0
  /// Nanoseconds inside the reducer; nil if that was not measured.
  var duration: UInt64? { extra.flatMap { $0.duration == 0 ? nil : $0.duration } }

  /// The details of the step, with its final number.
  func details(number: Int) -> StepDetails {
    StepDetails(
      number: number, cause: extra?.cause, origin: extra?.origin ?? .app, callSite: callSite,
      error: extra?.error, isHeld: extra?.isHeld ?? false)
  }
}

/// What is known about a step besides its event and its state. Later steps without a note of their
/// own have the next numbers, no extra, and otherwise the same values.
///
/// Capturing a step is mostly writing bytes, so in a burst only one step in sixteen has a note, and
/// rare details are in objects of their own.
@usableFromInline
struct StepNote: Sendable {
  @usableFromInline let extra: StepExtra?
  @usableFromInline var number: Int
  @usableFromInline let time: UInt64
  @usableFromInline let callSite: CallSite
  /// The index of the step in its block.
  @usableFromInline let index: UInt32
  @usableFromInline let hasState: Bool
  /// Whether this note only announces a state before the step.
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

  /// The note before the first step.
  @inlinable static var none: StepNote {
    StepNote(hasState: false, extra: nil, number: 0, time: 0, callSite: CallSite(), index: 0)
  }

  /// A note that the step at this index has a state before it.
  @inlinable
  static func before(_ index: Int) -> StepNote {
    StepNote(
      hasState: true, extra: nil, number: 0, time: 0, callSite: CallSite(), index: index,
      isBefore: true)
  }
}

/// Rare details of a step: a measured duration, a cause, an origin other than the app, an error, a
/// hold.
@usableFromInline
package final class StepExtra: Sendable {
  let cause: Cause?
  let origin: Origin
  package let error: (any Error)?
  let isHeld: Bool
  /// Nanoseconds inside the reducer; 0 if that was not measured.
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

  /// The rare details of a step; nil if it has none.
  @usableFromInline
  static func extra(of details: StepDetails, duration: UInt64 = 0) -> StepExtra? {
    details.isPlain && details.cause == nil && duration == 0
      ? nil : StepExtra(details, duration: duration)
  }

  /// The rare details of a plain step; nil for most.
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
