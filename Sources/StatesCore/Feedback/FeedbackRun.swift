import Synchronization

/// One run of a system: its states, and a handle to send, hold, and restore.
///
/// It starts when you iterate over it, which you can do once; a second iteration is empty.
///
/// ```swift
/// let system = FeedbackSystem(initialState: 0, reduce: { $0 + $1 }, feedback: [])
/// let run = system.makeRun()
/// run.send(42)
/// for try await state in run where state == 42 { break }
/// ```
public final class FeedbackRun<State: Sendable, Event: Sendable>: Sendable {
  let system: FeedbackSystem<State, Event>
  let inbox: FeedbackInbox<State, Event>
  let outside: BoundedChannel<State>
  let ended = Latch()
  let isRecorded = Atomic<Bool>(false)
  let outcome = Mutex<(any Error)?>(nil)
  let reportError: AsyncStream<UnhandledFeedbackError>.Continuation
  private let isStarted = Latch()
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let bodies = Atomic<Int>(0)

  /// Unique in this process; causes name the run by it.
  public let identity = Cause.makeMachineIdentity()

  /// Errors that no policy turned into an event: ignored errors, lost events, and the error that
  /// stops the run.
  ///
  /// It has a single consumer, buffers the newest 64, and ends with the run.
  public let errors: AsyncStream<UnhandledFeedbackError>

  init(of system: FeedbackSystem<State, Event>) {
    self.system = system
    inbox = FeedbackInbox(limit: system.options.eventLimit, overflow: system.options.overflow)
    outside = BoundedChannel(limit: system.options.states.limit)
    (errors, reportError) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
  }

  /// Whether the run is held: it refuses or queues events, and starts or cancels no effects.
  public var isHeld: Bool { inbox.isHeld }

  /// The number of effects and loops that are running now.
  ///
  /// It is zero once the run has ended.
  public var runningCount: Int { bodies.load(ordering: .acquiring) }

  /// Sends an event from outside, to the end of the queue.
  ///
  /// The answer is `.queued`, or `.refused` if the queue is full or the run is over.
  @discardableResult
  public func send(
    _ event: Event, file: StaticString = #fileID, line: UInt32 = #line
  ) -> SendAnswer {
    send(event, at: CallSite(file: file, line: line), origin: .app)
  }

  /// Sends an event from outside; with `evenWhileHeld` a held run handles it too.
  @discardableResult
  package func send(
    _ event: Event, at callSite: CallSite, origin: Origin, cause: Cause? = nil,
    evenWhileHeld: Bool = false
  ) -> SendAnswer {
    answer(
      to: FeedbackInbox.Entry(
        work: .event(event), origin: origin, cause: cause ?? currentCause, callSite: callSite,
        evenWhileHeld: evenWhileHeld))
  }

  /// Replaces the state without an event: for time travel, also of a held run.
  ///
  /// Listeners receive the state. Effects are neither started nor canceled until the next event, or
  /// until a held run resumes.
  public func restore(_ state: State, file: StaticString = #fileID, line: UInt32 = #line) {
    restore(state, at: CallSite(file: file, line: line), origin: .app)
  }

  /// Replaces the state without an event.
  package func restore(
    _ state: State, at callSite: CallSite, origin: Origin, cause: Cause? = nil
  ) {
    inbox.insert(
      FeedbackInbox.Entry(
        work: .restore(state), origin: origin, cause: cause ?? currentCause, callSite: callSite,
        evenWhileHeld: true))
  }

  /// Holds the run: it refuses or queues events, and starts or cancels no effects.
  public func hold(_ policy: HoldPolicy) { inbox.hold(policy) }

  /// Holds the run as long as the condition is true, for a holder that may disappear without
  /// resuming it. The condition is checked whenever an event arrives.
  package func hold(_ policy: HoldPolicy, while condition: @escaping @Sendable () -> Bool) {
    inbox.hold(policy, while: condition)
  }

  /// Resumes a held run: it reconciles the effects with the current state, then handles the queued
  /// events, in order. Resuming a run that is not held does nothing.
  public func resume() { inbox.resume() }

  /// Ends the run and everything it started.
  ///
  /// A run that was not started stays empty.
  public func cancel() {
    inbox.finish()
    if isStarted.open() { finish(nil) }
    task.withLock { $0 }?.cancel()
  }

  /// Runs inside the current task, and calls `body` with each state.
  ///
  /// See ``FeedbackSystem/forEachState(_:)``.
  public func forEachState(_ body: (State) async throws -> Void) async throws {
    guard isStarted.open() else { return }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        if let executor = system.executor {
          await withTaskExecutorPreference(executor) { await FeedbackEngine(run: self).run() }
        } else {
          await FeedbackEngine(run: self).run()
        }
      }
      defer { group.cancelAll() }
      while let state = await outside.next() { try await body(state) }
    }
    if let error = outcome.withLock({ $0 }) { throw error }
  }

  /// The cause of what is sent now; looked up only when the run is recorded.
  var currentCause: Cause? {
    isRecorded.load(ordering: .acquiring) ? Cause.current : nil
  }

  /// Queues an event, and reports a lost one.
  func answer(to entry: FeedbackInbox<State, Event>.Entry) -> SendAnswer {
    switch inbox.send(entry) {
    case .queued: return .queued
    case .refused: return .refused
    case .lost(let origin):
      let error = FeedbackError.queueIsFull(limit: system.options.eventLimit)
      report(error, of: origin, stopsTheRun: false)
      return system.options.overflow == .dropNewest ? .refused : .queued
    }
  }

  func report(_ error: any Error, of origin: Origin, stopsTheRun: Bool) {
    let name = origin.rawValue
    let loop = name.hasPrefix("loop:") ? String(name.dropFirst(5)) : name
    reportError.yield(
      UnhandledFeedbackError(loop: loop, error: error, stopsTheRun: stopsTheRun))
  }

  /// Ends the streams of the run, after everything it started has ended.
  func finish(_ error: (any Error)?) {
    outcome.withLock { $0 = error }
    reportError.finish()
    outside.finish()
    ended.open()
  }

  func countBodies(_ change: Int) {
    bodies.wrappingAdd(change, ordering: .acquiringAndReleasing)
  }

  /// Starts the run's task, once.
  fileprivate func start() -> Bool {
    guard isStarted.open() else { return false }
    let engine = FeedbackEngine(run: self)
    task.withLock { task in
      task = Task(executorPreference: system.executor) { await engine.run() }
    }
    return true
  }
}

extension FeedbackRun: AsyncSequence {
  /// The elements are states.
  public typealias Element = State
  /// A loop can stop a run with an error.
  public typealias Failure = any Error

  /// Starts the run.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// The iteration over a run; the run is canceled when the iterator is released.
  public struct Iterator: AsyncIteratorProtocol {
    private final class Owner {
      let run: FeedbackRun

      init(_ run: FeedbackRun) { self.run = run }

      deinit { run.cancel() }
    }

    private var owner: Owner?

    fileprivate init(_ run: FeedbackRun) {
      owner = run.start() ? Owner(run) : nil
    }

    /// The next state; nil when the task is canceled. Throws what stopped the run.
    public mutating func next() async throws -> State? {
      try await next(isolation: #isolation)
    }

    /// The next state; nil when the task is canceled. Throws what stopped the run.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> State? {
      guard let run = owner?.run else { return nil }
      if let state = await run.outside.next() { return state }
      run.cancel()
      // When the iteration is over, everything the run started has ended.
      await run.ended.wait()
      owner = nil
      if let error = run.outcome.withLock({ $0 }), !Task.isCancelled { throw error }
      return nil
    }
  }
}
