/// What all kinds of machine have in common: a kernel, and so a state that can be observed, held,
/// and restored.
///
/// Each kind adds its own way to send. A machine belongs to its creator: it is a plain class
/// without locks, confined to its owner's isolation.
///
/// ```swift
/// func printing(_ machine: some StateMachine<Int, FormInput<Int, Never>>) {
///   machine.subscribe { print($0) }
/// }
/// printing(StateForm(state: 0))
/// ```
public protocol StateMachine<State, Input>: AnyObject {
  /// The complete state: the next one follows from it and the input alone.
  associatedtype State
  /// What is sent to the machine.
  associatedtype Input

  /// What the machine runs on.
  var kernel: Kernel<State, Input> { get }
}

extension StateMachine {
  /// The current state.
  @inlinable public var state: State { kernel.state }

  /// Whether the machine is held: it refuses or queues inputs, and observers that act are not
  /// called.
  public var isHeld: Bool { kernel.isHeld }

  /// The number of queued inputs.
  public var waitingCount: Int { kernel.waitingCount }

  /// Adds middleware: it sees every step, before the observers do, in the order of registration.
  ///
  /// ```swift
  /// struct Count<State, Input>: Middleware {
  ///   func handled(_ step: Step<State, Input>) { print("step", step.number) }
  /// }
  /// StateForm(state: 0).use(Count())
  /// ```
  @inlinable
  @discardableResult
  public func use(_ middleware: some Middleware<State, Input>) -> Subscription {
    kernel.use { middleware.handled($0) }
  }

  /// Replaces the state without an input: for time travel.
  ///
  /// Observers that render are called, with ``Occasion/Reason/restored``; those that act are not.
  ///
  /// ```swift
  /// let form = StateForm(state: 0)
  /// form.restore(42)
  /// assert(form.state == 42)
  /// ```
  public func restore(_ state: State, file: StaticString = #fileID, line: UInt32 = #line) {
    kernel.restore(state, at: CallSite(file: file, line: line))
  }

  /// Holds the machine: until ``resume()``, it refuses or queues inputs, and nothing acts.
  ///
  /// ```swift
  /// let form = StateForm(state: 0)
  /// form.hold(.queue(limit: 100))
  /// form.apply { $0 += 1 }
  /// form.restore(41)
  /// form.resume()
  /// assert(form.state == 42)
  /// ```
  public func hold(_ policy: HoldPolicy) {
    kernel.hold(policy)
  }

  /// Resumes a held machine: it handles the queued inputs, in order, starting from the current
  /// state.
  ///
  /// Resuming a machine that is not held does nothing.
  public func resume() {
    kernel.resume()
  }
}
