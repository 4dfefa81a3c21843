/// Applies states to an object, one transition at a time.
///
/// A state that is applied during a transition waits. When its turn comes it is decided what it
/// is: an *update* when it is the current state already, else a *set*. On a set only the state's
/// own closure runs, on an update only the one of `onUpdate`; a state without one completes at
/// once.
///
/// ```swift
/// final class Door: Stateful {
///   var isOpen = false
///   private(set) lazy var state = Dispatcher(for: self)
///   static func open() -> State { state { $0.isOpen = true } }
///   static func closed() -> State { state { $0.isOpen = false } }
/// }
/// let door = Door()
/// assert(door.state.current == nil)
/// door.state.onTransition { _, new in
///   switch new.phase {
///   case .ready(let current): print("is", current?.title ?? "in no state")
///   case .inTransition(_, let to): print("on the way to", to.title)
///   }
/// }
/// door.state.apply { $0.open() }.apply { $0.closed() }
/// assert(door.state.current?.title == "closed")
/// ```
///
/// When a transition is over, the dispatcher is ready with the new state, then the completion is
/// called, then the next state in the queue has its turn. An interrupted transition
/// (`finished == false`) makes its state the current one like any other.
///
/// **Errors.** A transition that runs its mutations never or twice, completes twice, or takes longer
/// than its time limit, is reported to ``onError(_:)``, and the queue goes on. Every completion is
/// called exactly once; when its state could not be applied, with an error.
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
  /// The current state; during a transition still the one before it.
  public var current: Item? { kernel.state.current }
  /// What waits for the transition under way, in order.
  public var pending: [Item] { kernel.state.queue }

  /// Forgets what waits; each completion is called with an error. Answers how many there were.
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

  /// Ends the transition under way if its time limit is over.
  ///
  /// For owners without an actor; others do not have to call it.
  public func endOverdueTransition() {
    engine.reconcile()
  }

  /// Calls `observer` for everything that goes wrong, as it happens.
  @discardableResult
  public func onError(_ observer: @escaping (DispatchError) -> Void) -> Subscription {
    kernel.observe(acts: false) { step in
      if let error = step.error as? DispatchError { observer(error) }
      return true
    }
  }

  /// Applies a state on behalf of somebody who inspects the object.
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

  /// Sends an application; a held dispatcher that refuses it calls its completion with an error.
  func send(_ application: Application<Subject>, at site: CallSite) {
    engine.reconcile()
    if kernel.send(Self.input(application), at: site) == .refused {
      application.completion(false, .refused(state: application.state.name))
    }
    // The errors are in their steps; nobody asks the kernel for them.
    if !kernel.isBusy { _ = kernel.takeFailure() }
  }

  /// Applies a state on behalf of somebody who inspects the object, also while it is held; what
  /// goes wrong is in the steps.
  @discardableResult
  package func dispatch(
    _ state: FunctionalState<Subject>, at site: CallSite, origin: Origin
  ) -> SendAnswer {
    engine.reconcile()
    let application = Application(
      state: state, transition: nil, timeLimit: nil, completion: { _, _ in })
    let answer = kernel.send(
      Self.input(application), at: site, origin: origin, evenWhileHeld: true)
    if !kernel.isBusy { _ = kernel.takeFailure() }
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

  /// Sentences about what should hold between two calls and does not; for tests.
  package func checkInvariants() -> [String] {
    kernel.checkInvariants() + engine.checkInvariants()
  }
}
