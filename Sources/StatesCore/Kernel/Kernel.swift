/// What every kind of machine runs on: it holds a state, receives inputs, and runs each to
/// completion, first in, first out.
///
/// An input that is sent while another is being handled (from an observer, a hook, an effect) waits
/// until every observer has seen the current step. This rules out recursion and reordering.
///
/// A kernel belongs to its creator: it is a plain class without locks, confined to its owner's
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
///       guard input != "" else { return nil }  // no effect: no step, the answer is .refused
///       return kernel.state + input.count
///     }
///   }
///
///   @discardableResult
///   func count(_ word: String, file: StaticString = #fileID, line: UInt32 = #line) -> SendAnswer {
///     kernel.send(word, at: CallSite(file: file, line: line))
///   }
/// }
/// let tally = Tally()
/// tally.count("three")
/// assert(tally.state == 5)
/// ```
///
/// The transition receives the kernel, because it may
/// - read `kernel.state`, the state before; the kernel replaces it by what the transition returns;
/// - run user code that sends: `isBusy` is true, so such inputs wait;
/// - schedule `kernel.perform { … }`: an effect, run after the observers, never while held;
/// - report `kernel.fail(error)`: the step carries the error, and the kind's own throwing `send`
///   retrieves it with `consumeFailure()` when its answer was `.handled`;
/// - replace `kernel.handling` by a completed input, when what to record is only known now;
/// - return nil, when the input has no effect.
public final class Kernel<State, Input> {
  /// Computes the next state, or nil when the input has no effect.
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

  /// The number of steps so far, not counting the start. Restored states count.
  @inlinable public var number: Int { _number }

  /// The input that is being handled, until its step is over; a crash handler finds it here.
  ///
  /// A transition may replace it by a completed input, which the step then holds.
  public var handling: Input? {
    @inlinable get { _handling }
    @inlinable set { if _handling != nil { _handling = newValue } }
  }

  /// Whether an input is being handled, so that others wait.
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
  /// Whether the holder still exists; nil if only `resume()` ends the hold.
  @usableFromInline var isStillHeld: (() -> Bool)?

  /// The recorder's slot; nil when the machine is not recorded.
  @usableFromInline package var tap: Tap<State, Input>? {
    get { _tap }
    set {
      // Safe: `_tap` keeps it alive.
      tapReference = newValue.map(Unmanaged.passUnretained)
      _tap = newValue
      if newValue == nil { mode.remove(.tapped) } else { mode.insert(.tapped) }
    }
  }

  /// Calls the recorder's slot, without counting references to it twice for each step.
  @inlinable
  @inline(__always)
  func withTap(_ body: (Tap<State, Input>) -> Void) {
    // Safe: only the recorder replaces the tap, and never from inside a call to it, so the kernel
    // keeps it alive until it returns.
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
  /// It runs after the observers and before the next input, and never while the machine is held.
  public func perform(_ effect: @escaping () -> Void) {
    effects.append(effect)
    mode.insert(.eventful)
  }

  /// Reports an error in the current step, from inside a transition.
  ///
  /// The first report counts. The step is still made, with what the transition returns.
  public func fail(_ error: any Error) {
    guard failure == nil else { return }
    failure = error
    mode.insert(.eventful)
  }

  /// Returns and clears the first error that a step reported since the last call.
  ///
  /// The outermost sender calls this when its answer was not `.queued`: its run includes the steps
  /// of inputs that were queued during it.
  public func consumeFailure() -> (any Error)? {
    unclaimedFailure.take()
  }
}
