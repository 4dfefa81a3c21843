/// Applies states to an object, one transition at a time.
///
/// A state that is applied during a transition waits. When its turn comes, the dispatcher decides
/// what it is: an *update* if it is already the current state, otherwise a *set*. A set runs only
/// the state's own closure, an update only its `onUpdate` closure; a state without one completes
/// immediately.
///
/// ```swift
/// final class Gate: Stateful {
///   var isOpen = false
///   private(set) lazy var state = Dispatcher(for: self)
///   static func open() -> State { state { $0.isOpen = true } }
///   static func closed() -> State { state { $0.isOpen = false } }
/// }
/// let gate = Gate()
/// assert(gate.state.current == nil)
/// gate.state.onTransition { _, new in
///   switch new.phase {
///   case .ready(let current): print("is", current?.title ?? "in no state")
///   case .inTransition(_, let to): print("on the way to", to.title)
///   }
/// }
/// gate.state.apply { $0.open() }.apply { $0.closed() }
/// assert(gate.state.current?.title == "closed")
/// ```
///
/// When a transition completes, the dispatcher makes the new state current, then calls the
/// completion, then starts the next state in the queue. An interrupted transition
/// (`finished == false`) makes its state the current one like any other.
///
/// **Errors.** If a transition runs its mutations never or twice, completes twice, or exceeds its
/// time limit, the dispatcher reports that to ``onError(_:)`` and continues with the queue. Every
/// completion is called exactly once, with an error if its state could not be applied.
public final class Dispatcher<Subject: AnyObject>: StateMachine {
  /// A state that was applied, as data.
  public typealias Item = DispatcherState<FunctionalArguments>.Item
  /// What a dispatcher is doing.
  public typealias Phase = DispatcherState<FunctionalArguments>.Phase

  /// What the dispatcher runs on.
  public let kernel: Kernel<DispatcherState<FunctionalArguments>, DispatcherInput<Subject>>

  private let engine: DispatcherEngine<Subject>
  private let type: Subject.Type

  /// Makes a dispatcher for an object; it does not keep the object alive.
  public init(for subject: Subject) {
    let engine = DispatcherEngine(subject: subject)
    kernel = Kernel(DispatcherState()) { kernel, input in engine.handle(input, in: kernel) }
    engine.kernel = kernel
    self.engine = engine
    type = Swift.type(of: subject)
  }

  /// What the dispatcher is doing.
  public var phase: Phase { kernel.state.phase }
  /// The current state; during a transition, the one before it.
  public var current: Item? { kernel.state.current }
  /// The states that wait for the running transition to complete, in order.
  public var pending: [Item] { kernel.state.queue }

  /// Removes the waiting states, and calls each completion with an error. Returns how many there
  /// were.
  ///
  /// ```swift
  /// final class Lamp: Stateful {
  ///   private(set) lazy var state = Dispatcher(for: self)
  ///   static func on() -> State { state { _ in } }
  ///   static func off() -> State { state { _ in } }
  /// }
  /// let lamp = Lamp()
  /// var complete: (Bool) -> Void = { _ in }
  /// lamp.state.apply(via: { _, mutations, completion in
  ///   mutations()
  ///   complete = completion
  /// }, Lamp.on())
  /// lamp.state.apply(Lamp.off()) { _, error in print(error ?? "applied") }
  /// assert(lamp.state.clearPending() == 1)
  /// complete(true)
  /// assert(lamp.state.current?.title == "on")
  /// ```
  @discardableResult
  public func clearPending(file: StaticString = #fileID, line: UInt32 = #line) -> Int {
    let count = pending.count
    let answer = kernel.send(
      DispatcherInput(.cleared), at: CallSite(file: file, line: line))
    return answer == .refused ? 0 : count
  }

  /// Ends the running transition if it has exceeded its time limit.
  ///
  /// Call this only if the owner has no actor.
  public func endOverdueTransition() {
    engine.reconcile()
  }

  /// Calls `observer` with each error as it occurs.
  @discardableResult
  public func onError(_ observer: @escaping (DispatchError) -> Void) -> Subscription {
    kernel.observe(acts: false) { step in
      if let error = step.error as? DispatchError { observer(error) }
      return true
    }
  }

  /// Applies a state on behalf of an inspector.
  @discardableResult
  package func dispatch(
    _ state: FunctionalState<Subject>, at site: CallSite, origin: Origin, evenWhileHeld: Bool
  ) -> SendAnswer {
    engine.reconcile()
    let application = Application(
      state: state, transition: nil, timeLimit: nil, completion: { _, _ in })
    return kernel.send(
      Self.input(application), at: site, origin: origin, evenWhileHeld: evenWhileHeld)
  }

  /// Sends an application; if a held dispatcher refuses it, its completion is called with an error.
  func send(_ application: Application<Subject>, at site: CallSite) {
    engine.reconcile()
    if kernel.send(Self.input(application), at: site) == .refused {
      application.completion(false, .refused(state: application.state.name))
    }
    // The steps carry the errors, so no caller will ask the kernel for them.
    if !kernel.isBusy { _ = kernel.consumeFailure() }
  }

  /// Applies a state on behalf of an inspector, even while held; the steps carry the errors.
  @discardableResult
  package func dispatch(
    _ state: FunctionalState<Subject>, at site: CallSite, origin: Origin
  ) -> SendAnswer {
    engine.reconcile()
    let application = Application(
      state: state, transition: nil, timeLimit: nil, completion: { _, _ in })
    let answer = kernel.send(
      Self.input(application), at: site, origin: origin, evenWhileHeld: true)
    if !kernel.isBusy { _ = kernel.consumeFailure() }
    return answer
  }

  /// Makes a state for the object's own class.
  func makeState(
    _ make: (Subject.Type) -> FunctionalState<Subject>
  ) -> FunctionalState<Subject> {
    make(type)
  }

  private static func input(_ application: Application<Subject>) -> DispatcherInput<Subject> {
    let state = application.state
    return DispatcherInput(
      .apply(name: state.name, arguments: state.arguments, updates: state.onUpdate != nil),
      application: application)
  }

  /// The invariants that do not hold, as sentences; for tests, between two calls.
  package func checkInvariants() -> [String] {
    kernel.checkInvariants() + engine.checkInvariants()
  }
}
