/// Runs a ``Reducible`` state: it handles events and notifies observers.
///
/// A machine belongs to its creator; it is not `Sendable`, and the compiler keeps other threads and
/// actors away from it. You can send from inside an observer: the event is handled after every
/// observer has seen the current step.
///
/// ```swift
/// struct Counter: Reducible {
///   var value = 0
///   enum Event { case increased, decreased }
///   static func reduce(state: Counter, event: Event) -> Counter {
///     switch event {
///     case .increased: Counter(value: state.value + 1)
///     case .decreased: Counter(value: state.value - 1)
///     }
///   }
/// }
/// let machine = Machine(Counter())
/// machine.subscribe { print("now", $0.value) }
/// machine.onTransition { old, new in print(old.value, "became", new.value) }
/// machine.send(.increased)
/// assert(machine.state.value == 1)
/// ```
public final class Machine<State: Reducible>: StateMachine {
  /// What you send to the machine.
  public typealias Input = State.Event

  /// What the machine runs on.
  public let kernel: Kernel<State, State.Event>

  /// Makes a machine that starts with `initial`.
  @inlinable
  public init(_ initial: State) {
    kernel = Kernel(initial) { kernel, event in
      State.reduce(state: kernel.state, event: event)
    }
  }

  /// Handles an event and everything that observers send in response, or queues or refuses it.
  ///
  /// Without observers, nothing is allocated.
  @inlinable
  @discardableResult
  public func send(
    _ event: State.Event, file: StaticString = #fileID, line: UInt32 = #line
  ) -> SendAnswer {
    kernel.send(event, at: CallSite(file: file, line: line)) { state, event in
      State.reduce(state: state, event: event)
    }
  }
}
