/// Why an observer that renders is called.
///
/// Accept it as a second argument where rendering differs, for example to skip an animation while
/// the user travels through time.
///
/// ```swift
/// struct Page: Reducible {
///   var number = 1
///   enum Event { case turned }
///   static func reduce(state: Page, event: Event) -> Page { Page(number: state.number + 1) }
/// }
/// let machine = Machine(Page())
/// machine.subscribe { page, occasion in
///   let animated = occasion.reason == .step && !occasion.isHeld
///   print("page \(page.number)", animated ? "slides in" : "appears")
/// }
/// ```
public struct Occasion: Hashable, Sendable {
  /// The reasons to call an observer.
  public enum Reason: Hashable, Sendable {
    /// The observer was just added: this is the state it starts with.
    case subscribed
    /// An input was handled.
    case step
    /// The state was replaced by a restored one.
    case restored
  }

  /// Why the observer is called.
  public let reason: Reason
  /// The number of the step that led to the state; 0 is the machine's start.
  public let number: Int
  /// Whether the machine is held: the user is looking at a moment of their choice.
  public let isHeld: Bool

  @inlinable
  init(reason: Reason, number: Int, isHeld: Bool) {
    self.reason = reason
    self.number = number
    self.isHeld = isHeld
  }

  @inlinable
  init<State, Input>(of step: Step<State, Input>) {
    self.init(
      reason: step.isRestored ? .restored : .step, number: step.number, isHeld: step.isHeld)
  }
}
