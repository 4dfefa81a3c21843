/// What became of an input that was sent to a machine.
///
/// You can ignore the answer unless the machine may be held while you send.
///
/// ```swift
/// struct Counter: Reducible {
///   var value = 0
///   enum Event { case increased }
///   static func reduce(state: Counter, event: Event) -> Counter {
///     Counter(value: state.value + 1)
///   }
/// }
/// let machine = Machine(Counter())
/// machine.hold(.refuse)
/// assert(machine.send(.increased) == .refused)
/// ```
public enum SendAnswer: Hashable, Sendable {
  /// The input was handled, and every observer has seen what it did.
  case handled
  /// The input waits for the current step to end, or for the machine to be resumed.
  case queued
  /// The input was not accepted; it will never be handled.
  case refused
}
