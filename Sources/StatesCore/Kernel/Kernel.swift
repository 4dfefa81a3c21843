/// What every kind of machine runs on: it holds a state, takes inputs, and runs each to completion,
/// first in first out.
///
/// An input that is sent while another is being handled (from an observer, a hook, an effect) waits
/// until every observer has seen the current step. So there is no recursion and no reordering.
///
/// A kernel belongs to whoever made it: it is a plain class without locks, confined to its owner's
/// isolation.
///
/// **How a kind is built on it.** A kind is a final class with a `kernel` that conforms to
/// ``StateMachine``; that gives it `state`, `subscribe`, `onTransition`, `react`, `use`, `restore`,
/// `hold` and `resume`. It adds its own way to send:
///
/// ```swift
/// final class Tally: StateMachine {
///   let kernel: Kernel<Int, String>
///
///   init() {
///     kernel = Kernel(0) { kernel, input in
///       guard input != "" else { return nil }  // came to nothing: no step, answer is refused
///       return kernel.state + input.count
///     }
///   }
///
///   @discardableResult
///   func say(_ word: String, file: StaticString = #fileID, line: UInt32 = #line) -> SendAnswer {
///     kernel.send(word, at: CallSite(file: file, line: line))
///   }
/// }
/// let tally = Tally()
/// tally.say("three")
/// assert(tally.state == 5)
/// ```
///
/// The transition gets the kernel, because it may
/// - read `kernel.state`, the state before; the state is replaced by what the transition returns;
/// - run user code that sends: `isBusy` is true, so such inputs wait;
/// - schedule `kernel.perform { … }`: an effect, run after the observers, never while held;
/// - report `kernel.fail(error)`: the step carries the error, and the kind's own throwing `send`
///   takes it with `takeFailure()` when its answer was `.handled`;
/// - replace `kernel.handling` by a completed input, when what is recorded is only known now;
/// - return nil, when the input comes to nothing.
public final class Kernel<State, Input> {
  /// Computes the next state, or nil when the input comes to nothing.
  public typealias Transition = (Kernel<State, Input>, Input) -> State?

  /// An input or a restored state that waits for its turn.
  @usableFromInline
  struct Waiting {
    @usableFromInline enum Work {
      case input(Input)
      case restore(State)
    }

    @usableFromInline let work: Work
    @usableFromInline let callSite: CallSite
    @usableFromInline let origin: Origin
    @usableFromInline let cause: Cause?
    @usableFromInline let evenWhileHeld: Bool

    @inlinable
    init(
      work: Work, callSite: CallSite, origin: Origin, cause: Cause?, evenWhileHeld: Bool
    ) {
      self.work = work
      self.callSite = callSite
      self.origin = origin
      self.cause = cause
      self.evenWhileHeld = evenWhileHeld
    }
  }

  /// The current state.
  @inlinable public var state: State { _state }

  /// How many steps there were; the start is 0. Restored states count.
  @inlinable public var number: Int { _number }

  /// The input that is being handled, until it is done; a crash handler finds it here.
  ///
  /// A transition may replace it by a completed one: that is what the step then holds.
  public var handling: Input? {
    @inlinable get { _handling }
    @inlinable set { if _handling != nil { _handling = newValue } }
  }

  /// Whether something is being handled, so that inputs wait.
  @inlinable public var isBusy: Bool { mode.has(.busy) }

  /// Unique in this process; causes name the machine by it.
  public let identity = Cause.makeMachineIdentity()

  // Safe: the fields of the hot path are read and replaced whole, never lent, so there is
  // nothing for the dynamic exclusivity check to find; without it a send costs a third less.
  @exclusivity(unchecked) @usableFromInline var _state: State
  @exclusivity(unchecked) @usableFromInline var _handling: Input?
  @exclusivity(unchecked) @usableFromInline var _number = 0
  @exclusivity(unchecked) @usableFromInline var mode = KernelMode.idle
  @exclusivity(unchecked) @usableFromInline var _tap: Tap<State, Input>?
  // Safe: always the tap above, which keeps it alive.
  @exclusivity(unchecked) @usableFromInline var tapReference: Unmanaged<Tap<State, Input>>?
  @usableFromInline let transition: Transition
  @usableFromInline var queue = WaitingQueue<Waiting>()
  @usableFromInline var observers: [Observer<State, Input>] = []
  @usableFromInline var middleware: [Observer<State, Input>] = []
  @usableFromInline var effects: [() -> Void] = []
  @usableFromInline var failure: (any Error)?
  @usableFromInline var unclaimedFailure: (any Error)?
  @usableFromInline var holdPolicy = HoldPolicy.refuse
  /// Whether who holds the machine is still there; nil where it is held until it is resumed.
  @usableFromInline var isStillHeld: (() -> Bool)?

  /// The recorder's slot; nil when nobody records.
  @usableFromInline package var tap: Tap<State, Input>? {
    get { _tap }
    set {
      // Safe: the tap is kept beside it.
      tapReference = newValue.map(Unmanaged.passUnretained)
      _tap = newValue
      if newValue == nil { mode.remove(.tapped) } else { mode.insert(.tapped) }
    }
  }

  /// Calls the recorder's slot, without counting references to it twice for each step.
  @inlinable
  @inline(__always)
  func withTap(_ body: (Tap<State, Input>) -> Void) {
    // Safe: only who records replaces the tap, and a tap that is called does not; so the kernel keeps
    // it alive until it returns.
    tapReference?._withUnsafeGuaranteedRef(body)
  }

  /// Makes a kernel that computes its states with `transition`.
  public init(_ initial: State, transition: @escaping Transition) {
    _state = initial
    self.transition = transition
  }

  deinit {
    for observer in observers + middleware { observer.detach() }
  }

  /// Schedules an effect of the current step, from inside a transition.
  ///
  /// It runs after the observers, before the next input, and not at all while the machine is held.
  public func perform(_ effect: @escaping () -> Void) {
    effects.append(effect)
    mode.insert(.eventful)
  }

  /// Reports that something went wrong in the current step, from inside a transition.
  ///
  /// The first report counts. The step is made nevertheless, with what the transition returns.
  public func fail(_ error: any Error) {
    guard failure == nil else { return }
    failure = error
    mode.insert(.eventful)
  }

  /// The first error since the last call that was reported in a step.
  ///
  /// The outermost sender asks, when its answer was not `.queued`: its run includes the steps of
  /// inputs that were queued meanwhile.
  public func takeFailure() -> (any Error)? {
    unclaimedFailure.take()
  }
}
