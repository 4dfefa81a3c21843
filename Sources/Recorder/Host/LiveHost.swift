import HostProcesses
import JSONCore
import Replaying
import Synchronization
import Timelines
package import Wire

/// Runs reducers inside the live app, on a separate thread.
///
/// It needs no support in the app's code, and never uses a live machine. But a reducer that traps
/// on an edited event ends the app, and one that never returns cannot be ended: its request is
/// answered with `limit`, and its thread is abandoned.
package final class LiveHost: ReducerRunner {
  private struct Request {
    let reduce: ToRecorder.Reduce
    let answer: CommandAnswer
    let number: Int
  }

  private struct State {
    var waiting: [Request] = []
    /// The current request, its deadline, and the entry that it runs.
    var current: (request: Request, deadline: ContinuousClock.Instant, seq: Int64)?
    /// Whether the current request was canceled.
    var isCurrentCanceled = false
    var count = 0
    var hasThread = false
    var isStopped = false
    /// Distinguishes the current thread from abandoned ones.
    var generation = 0
    var abandoned = 0
  }

  /// The number of abandoned threads after which no more requests are run.
  private static let abandonedLimit = 3

  /// How long a request may exceed its time: enough for one event.
  private static let grace = Duration.milliseconds(500)

  private let machines: @Sendable () -> HostedMachines
  private let limits: HostLimits
  private let state = ForkSafeMutex(State())
  private let work: Waker?
  private let guardian: Waker?

  /// Creates a host for the machines that `machines` returns at the time of each request.
  package init(
    limits: HostLimits = HostLimits(), machines: @escaping @Sendable () -> HostedMachines
  ) {
    self.machines = machines
    self.limits = limits
    work = Waker()
    guardian = Waker()
  }

  package var offer: FromRecorder.HostOffer {
    FromRecorder.HostOffer {
      $0.place = .live
      $0.makes = machines().makes
    }
  }

  package func reduce(_ reduce: ToRecorder.Reduce, answer: CommandAnswer) {
    enum Step { case start(Int), wake, refuse(String) }
    let step: Step = state.withLock { state in
      guard !state.isStopped else { return .refuse("The recorder has ended.") }
      guard state.abandoned < Self.abandonedLimit else {
        return .refuse(
          """
          \(state.abandoned) reducers that never returned are still running inside the app. \
          To fix, call ReducerHost.runIfAsked(…) first in main, so that they run in another process.
          """)
      }
      guard state.waiting.count < 64 else {
        return .refuse("\(state.waiting.count) requests are already waiting.")
      }
      state.count += 1
      state.waiting.append(Request(reduce: reduce, answer: answer, number: state.count))
      guard !state.hasThread else { return .wake }
      state.hasThread = true
      return .start(state.generation)
    }
    switch step {
    case .refuse(let sentence): answer.error(.failed, sentence)
    case .wake: wakeThreads()
    case .start(let generation): start(generation)
    }
  }

  private func start(_ generation: Int) {
    if work != nil, guardian != nil, HostThread.start({ self.work(generation) }),
      HostThread.start({ self.watch(generation) })
    {
      return
    }
    let waiting = state.withLock { state in
      state.hasThread = false
      state.generation += 1
      let waiting = state.waiting
      state.waiting = []
      return waiting
    }
    wakeThreads()
    for request in waiting {
      request.answer.error(.failed, "No thread could be started for the reducer.")
    }
  }

  private func wakeThreads() {
    work?.wake()
    guardian?.wake()
  }

  package func cancel(_ request: RequestID) {
    let waiting = state.withLock { state -> Request? in
      if state.current?.request.answer.id == request { state.isCurrentCanceled = true }
      guard let place = state.waiting.firstIndex(where: { $0.answer.id == request }) else {
        return nil
      }
      return state.waiting.remove(at: place)
    }
    waiting?.answer.error(.canceled, "The request was canceled.")
  }

  package func cancelAll() {
    state.withLock { state in
      state.waiting = []
      state.isCurrentCanceled = true
    }
  }

  package func stop() {
    cancelAll()
    state.withLock { $0.isStopped = true }
    wakeThreads()
  }

  // MARK: The working thread

  private func work(_ generation: Int) {
    while true {
      let next = state.withLock { state -> (Request?, goesOn: Bool) in
        guard state.generation == generation, !state.isStopped else { return (nil, false) }
        guard !state.waiting.isEmpty else { return (nil, true) }
        let request = state.waiting.removeFirst()
        let time = min(max(0, request.reduce.milliseconds ?? .max), limits.milliseconds)
        state.current = (
          request, .now + .milliseconds(time) + Self.grace, request.reduce.seq
        )
        state.isCurrentCanceled = false
        return (request, true)
      }
      guard next.goesOn else { return }
      if let request = next.0 { run(request) } else { work?.wait(nil) }
    }
  }

  private func run(_ request: Request) {
    let start = ContinuousClock.now
    var limits = limits
    limits.messageBytes = min(limits.messageBytes, request.answer.maxMessage)
    var environment = HostSessionEnvironment(
      now: { ContinuousClock.now - start }, memory: { ProcessMemory.resident() },
      isCancelled: { _ in self.isUnwanted(request) })
    environment.willRun = { _, seq in
      self.state.withLock { state in
        if state.current?.request.number == request.number { state.current?.seq = seq }
      }
    }
    let session = HostSession(machines(), limits: limits, environment: environment)
    guard let id = request.answer.id else { return }
    session.reduce(request.reduce, id: id) { message in
      // Ignore the results of an abandoned thread.
      let isCurrent = self.state.withLock { $0.current?.request.number == request.number }
      guard isCurrent else { return }
      switch message {
      case .reduced(let reduced): request.answer.reduced(reduced)
      case .error(let error): request.answer.error(error.code, error.message, path: error.path)
      case .hello, .open, .append, .close, .confirmed, .done, .released: break
      }
    }
    state.withLock { state in
      if state.current?.request.number == request.number { state.current = nil }
    }
  }

  /// Whether a request was canceled or abandoned. Compares numbers, because a new connection reuses
  /// request ids.
  private func isUnwanted(_ request: Request) -> Bool {
    state.withLock { state in
      state.current?.request.number != request.number || state.isCurrentCanceled
    }
  }

  // MARK: The watching thread

  /// Answers for a reducer that does not return, and abandons its thread.
  private func watch(_ generation: Int) {
    while true {
      let isBusy = state.withLock { $0.current != nil || !$0.waiting.isEmpty }
      // A tenth of a second is soon enough to detect a reducer that has hung for seconds.
      guardian?.wait(isBusy ? .milliseconds(100) : nil)
      let (goesOn, given, next) = state.withLock { state -> (Bool, (Request, Int64)?, Int?) in
        guard state.generation == generation, !state.isStopped else { return (false, nil, nil) }
        guard let current = state.current else {
          return (true, nil, nil)
        }
        guard current.deadline < .now else { return (true, nil, nil) }
        state.current = nil
        state.abandoned += 1
        state.generation += 1
        state.hasThread = !state.waiting.isEmpty && state.abandoned < Self.abandonedLimit
        return (false, (current.request, current.seq), state.hasThread ? state.generation : nil)
      }
      if let (request, seq) = given {
        request.answer.reduced(
          FromRecorder.Reduced {
            $0.ended = EarlyEnd {
              $0.why = .limit
              $0.seq = seq
              $0.message = "The reducer did not return; its thread inside the app was abandoned."
            }
          })
      }
      if let next { start(next) }
      guard goesOn else { return }
    }
  }
}
