/// What became of an input that was sent to a machine.
///
/// The answer can be ignored; a program that sends while the machine may be held looks at it.
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
  /// The input waits: behind the one being handled, or until the machine is resumed.
  case queued
  /// The input was not taken; it will never be handled.
  case refused
}
