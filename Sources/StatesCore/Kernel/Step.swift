/// One step of a machine: an input, and what it did to the state.
///
/// Middleware and observers receive steps in order, each exactly once. A step without an input is a
/// ``StateMachine/restore(_:file:line:)``.
///
/// ```swift
/// func describe(_ step: Step<Int, String>) -> String {
///   "#\(step.number) \(step.input ?? "restored"): \(step.before) -> \(step.after)"
/// }
/// ```
public struct Step<State, Input> {
  /// What was sent; nil when the state was restored.
  public let input: Input?
  /// The state before.
  public let before: State
  /// The state after.
  public let after: State
  /// Everything else that is known about the step.
  public let details: StepDetails

  @inlinable
  init(input: Input?, before: State, after: State, details: StepDetails) {
    self.input = input
    self.before = before
    self.after = after
    self.details = details
  }

  /// The position of the step in the machine's life; the start is 0, the first step 1.
  @inlinable public var number: Int { details.number }
  /// The step that led to this one, if known.
  @inlinable public var cause: Cause? { details.cause }
  /// The sender of the input.
  @inlinable public var origin: Origin { details.origin }
  /// Where the input was sent.
  @inlinable public var callSite: CallSite { details.callSite }
  /// The error that occurred while the input was handled; the state after is still valid.
  @inlinable public var error: (any Error)? { details.error }
  /// Whether the machine was held when the step was made.
  @inlinable public var isHeld: Bool { details.isHeld }
  /// Whether the state was replaced instead of computed.
  @inlinable public var isRestored: Bool { input == nil }
}

extension Step: Sendable where State: Sendable, Input: Sendable {}

/// What is known about a step besides its input and its states.
///
/// ```swift
/// func place(of details: StepDetails) -> String {
///   "\(details.origin.rawValue) at \(details.callSite)"
/// }
/// ```
public struct StepDetails: Sendable {
  /// The position of the step in the machine's life; the start is 0, the first step 1.
  public let number: Int
  /// The step that led to this one, if known.
  public let cause: Cause?
  /// The sender of the input.
  public let origin: Origin
  /// Where the input was sent.
  public let callSite: CallSite
  /// The error that occurred while the input was handled.
  public let error: (any Error)?
  /// Whether the machine was held when the step was made.
  public let isHeld: Bool
  /// Whether the app sent the input, nothing went wrong, and the machine was not held. Most steps
  /// are plain; computing this once saves the comparisons later.
  @usableFromInline package let isPlain: Bool

  @inlinable
  package init(
    number: Int, cause: Cause?, origin: Origin, callSite: CallSite, error: (any Error)?,
    isHeld: Bool
  ) {
    self.number = number
    self.cause = cause
    self.origin = origin
    self.callSite = callSite
    self.error = error
    self.isHeld = isHeld
    isPlain = !isHeld && error == nil && origin == .app
  }

  /// The details of a plain step: sent by the app, without an error, while the machine is not held.
  @inlinable
  init(plainly number: Int, cause: Cause?, callSite: CallSite) {
    self.number = number
    self.cause = cause
    self.callSite = callSite
    origin = .app
    error = nil
    isHeld = false
    isPlain = true
  }
}
