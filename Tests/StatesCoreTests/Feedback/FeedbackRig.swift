import StatesCore

/// A run on a manual executor and a manual clock, whose states are noted.
final class FeedbackRig<State: Sendable, Event: Sendable>: Sendable {
  let executor: ManualExecutor
  let clock: ManualClock
  let states = FeedbackLog<State>()
  let run: FeedbackRun<State, Event>
  /// "ended", or the error that was thrown.
  let outcome = FeedbackLog<String>()
  private let task: Task<Void, Never>

  init(
    _ initialState: State, options: FeedbackOptions = FeedbackOptions(),
    reduce: @escaping @Sendable (State, Event) -> State,
    _ make: (ManualExecutor, ManualClock) -> [Feedback<State, Event>]
  ) {
    let executor = ManualExecutor()
    let clock = ManualClock()
    let system = FeedbackSystem(
      initialState: initialState, reduce: reduce, executor: executor, clock: clock,
      options: options, feedback: make(executor, clock))
    self.executor = executor
    self.clock = clock
    run = system.makeRun()
    task = Task(executorPreference: executor) { [run, states, outcome] in
      do {
        for try await state in run { states(state) }
        outcome("ended")
      } catch {
        outcome("\(error)")
      }
    }
    executor.drain()
  }

  convenience init(
    _ initialState: State, options: FeedbackOptions = FeedbackOptions(),
    reduce: @escaping @Sendable (State, Event) -> State, _ loops: Feedback<State, Event>...
  ) {
    self.init(initialState, options: options, reduce: reduce) { _, _ in loops }
  }

  /// Sends events one behind the other, then lets everything happen.
  func send(_ events: Event...) {
    for event in events { run.send(event) }
    executor.drain()
  }

  func advance(by duration: Duration) {
    clock.advance(by: duration, draining: executor)
  }

  func cancel() {
    task.cancel()
    executor.drain()
  }
}

extension FeedbackRig where State == Event {
  /// A run whose events are its next states.
  convenience init(
    setting initialState: State, options: FeedbackOptions = FeedbackOptions(),
    _ loops: Feedback<State, Event>...
  ) {
    self.init(initialState, options: options, reduce: { _, event in event }) { _, _ in loops }
  }
}
