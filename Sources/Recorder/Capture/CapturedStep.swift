public import StatesCore

/// One step as the machine's thread left it for the recorder's: values, and nothing encoded.
///
/// `Payload` is what is kept of the input: the input itself, or its part that may leave the machine's
/// isolation.
@usableFromInline
package struct CapturedStep<State: Sendable, Payload: Sendable>: Sendable {
  /// What was handled; nil when the state was replaced.
  @usableFromInline var payload: Payload?
  /// The state that a function was called with; nil for machines, which remember their own.
  @usableFromInline var before: State?
  /// The state after the step; nil when the step was captured without its state.
  @usableFromInline var after: State?
  /// Everything else.
  @usableFromInline var details: StepDetails
  /// Nanoseconds of the recorder's clock when the step was made; 0 for shortly before it was taken.
  @usableFromInline var time: UInt64
  /// Nanoseconds inside the reducer; nil where that was not measured.
  @usableFromInline var duration: UInt64?

  @inlinable
  init(
    payload: Payload?, before: State?, after: State?, details: StepDetails, time: UInt64,
    duration: UInt64?
  ) {
    self.payload = payload
    self.before = before
    self.after = after
    self.details = details
    self.time = time
    self.duration = duration
  }

  /// The step without its states.
  @inlinable
  var thinned: CapturedStep {
    CapturedStep(
      payload: payload, before: nil, after: nil, details: details, time: time, duration: duration)
  }
}
