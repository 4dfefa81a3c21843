/// A state, the events that change it, and feedback loops that turn states into events.
///
/// The state says what should happen; loops see it, do it, and respond with events. Iterating over
/// a system starts a run: a sequence of states that begins with the initial one. Each run is
/// independent of others, and continues until it is canceled or a loop stops it with an error.
///
/// ```swift
/// struct Search {
///   var query: String?
///   var results: [String] = []
/// }
/// enum Event { case typed(String), found([String]) }
///
/// let (typing, keyboard) = AsyncStream.makeStream(of: Event.self)
/// let system = FeedbackSystem(
///   initialState: Search(),
///   reduce: { (state: Search, event: Event) in
///     switch event {
///     case .typed(let text): Search(query: text)
///     case .found(let results): Search(query: nil, results: results)
///     }
///   },
///   feedback:
///     bind("keyboard") { _ in Bindings(events: [.from(typing)]) },
///     react("load", request: { $0.query }) { query, emit in
///       emit(.found(["\(query) 1", "\(query) 2"]))
///     })
/// keyboard.yield(.typed("tea"))
/// for try await state in system where !state.results.isEmpty {
///   assert(state.results == ["tea 1", "tea 2"])
///   break
/// }
/// ```
///
/// **Order.** The loops are started in the order of the array before any of them receives the
/// initial state. The outside receives the initial state first; each later state goes to the loops
/// first, in their order, then to the outside. `react` has acted on it by then; other loops handle
/// it in tasks of their own. The events of all loops form one queue, first in, first out; each is
/// handled after the loops have seen the state before it. Equal states are not skipped.
///
/// **Ending.** Canceling the task that iterates ends the run, and the iteration waits until
/// everything the run started has ended, so an effect should respond to cancellation. Leaving the
/// iteration in another way, as with `break`, also cancels the run, without waiting.
public struct FeedbackSystem<State: Sendable, Event: Sendable>: Sendable {
  /// The state that follows from a state and an event.
  public typealias Reduce = @Sendable (State, Event) -> State

  let store: FeedbackStore<State>?
  /// The initial state of each run; nil if the state is stored elsewhere.
  package let initialState: State?
  /// Computes the next state; a replay uses it too.
  package let reduce: Reduce
  let executor: (any TaskExecutor)?
  let clock: any Clock<Duration>
  let options: FeedbackOptions
  let loops: [Feedback<State, Event>]
  var makeTap: (@Sendable (FeedbackRun<State, Event>) -> FeedbackTap<State, Event>?)?

  /// Makes a system from loops.
  ///
  /// `executor` runs everything (default: the shared thread pool). `clock` measures the loops'
  /// delays.
  public init(
    initialState: State, reduce: @escaping Reduce, executor: (any TaskExecutor)? = nil,
    clock: any Clock<Duration> = ContinuousClock(), options: FeedbackOptions = FeedbackOptions(),
    feedback: Feedback<State, Event>...
  ) {
    self.init(initialState, nil, reduce, executor, clock, options, feedback)
  }

  /// Makes a system from arrays of loops.
  ///
  /// ```swift
  /// let loops = [Feedback<Int, Int>("first") { _, emit in emit(1) }]
  /// let system = FeedbackSystem(initialState: 0, reduce: { $0 + $1 }, feedback: loops + [])
  /// ```
  public init(
    initialState: State, reduce: @escaping Reduce, executor: (any TaskExecutor)? = nil,
    clock: any Clock<Duration> = ContinuousClock(), options: FeedbackOptions = FeedbackOptions(),
    feedback: [Feedback<State, Event>]...
  ) {
    self.init(initialState, nil, reduce, executor, clock, options, feedback.flatMap(\.self))
  }

  /// Makes a system from loops, with a state that is stored elsewhere.
  public init(
    state: FeedbackStore<State>, reduce: @escaping Reduce, executor: (any TaskExecutor)? = nil,
    clock: any Clock<Duration> = ContinuousClock(), options: FeedbackOptions = FeedbackOptions(),
    feedback: Feedback<State, Event>...
  ) {
    self.init(nil, state, reduce, executor, clock, options, feedback)
  }

  /// Makes a system from arrays of loops, with a state that is stored elsewhere.
  public init(
    state: FeedbackStore<State>, reduce: @escaping Reduce, executor: (any TaskExecutor)? = nil,
    clock: any Clock<Duration> = ContinuousClock(), options: FeedbackOptions = FeedbackOptions(),
    feedback: [Feedback<State, Event>]...
  ) {
    self.init(nil, state, reduce, executor, clock, options, feedback.flatMap(\.self))
  }

  private init(
    _ initialState: State?, _ store: FeedbackStore<State>?, _ reduce: @escaping Reduce,
    _ executor: (any TaskExecutor)?, _ clock: any Clock<Duration>, _ options: FeedbackOptions,
    _ loops: [Feedback<State, Event>]
  ) {
    self.initialState = initialState
    self.store = store
    self.reduce = reduce
    self.executor = executor
    self.clock = clock
    self.options = options
    self.loops = Self.withUniqueNames(loops)
  }

  /// The names of the loops, in their order; a repeated name ends with a number.
  ///
  /// ```swift
  /// let system = FeedbackSystem(
  ///   initialState: 0, reduce: { $0 + $1 },
  ///   feedback: Feedback<Int, Int>("a") { _, _ in }, Feedback<Int, Int>("a") { _, _ in })
  /// assert(system.loopNames == ["a", "a.2"])
  /// ```
  public var loopNames: [String] { loops.map(\.name) }

  /// Makes a run without starting it, so that you can send, hold, or restore.
  ///
  /// Iterate over it to start it.
  public func makeRun() -> FeedbackRun<State, Event> { FeedbackRun(of: self) }

  /// Runs the system inside the current task, and calls `body` with each state.
  ///
  /// It starts only child tasks, and all of them have ended when it returns. It returns when the
  /// task is canceled, and throws the error that stops the run or that `body` throws.
  ///
  /// ```swift
  /// struct Enough: Error {}
  /// let system = FeedbackSystem(
  ///   initialState: 0, reduce: { $0 + $1 },
  ///   feedback: react("up", request: { $0 }) { _, emit in emit(1) })
  /// do {
  ///   try await system.forEachState { if $0 == 3 { throw Enough() } }
  /// } catch is Enough {}
  /// ```
  public func forEachState(_ body: (State) async throws -> Void) async throws {
    let run = makeRun()
    try await run.forEachState(body)
  }

  private static func withUniqueNames(
    _ loops: [Feedback<State, Event>]
  ) -> [Feedback<State, Event>] {
    var taken = Set(loops.map(\.name))
    var seen: Set<String> = []
    return loops.map { loop in
      guard !seen.insert(loop.name).inserted else { return loop }
      var number = 2
      while !taken.insert("\(loop.name).\(number)").inserted { number += 1 }
      return loop.named("\(loop.name).\(number)")
    }
  }
}

extension FeedbackSystem: AsyncSequence {
  /// The elements are states.
  public typealias Element = State
  /// A loop can stop a run with an error.
  public typealias Failure = any Error
  /// An iteration over a run.
  public typealias AsyncIterator = FeedbackRun<State, Event>.Iterator

  /// Starts a run.
  public func makeAsyncIterator() -> AsyncIterator { makeRun().makeAsyncIterator() }
}
