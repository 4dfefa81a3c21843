import HostProcesses
import JSONCore
import Replaying
import Synchronization
package import Timelines

/// Runs reducers inside the live app, on a thread of their own.
///
/// It needs nothing of the app's code, and touches no live machine; but a reducer that traps on an
/// edited event ends the app, and one that never returns cannot be ended: its request is answered by
/// `limit`, and the thread is left to itself.
package final class LiveHost: ReducerRunner {
  private struct Request {
    let reduce: ToRecorder.Reduce
    let answer: CommandAnswer
    let number: Int
  }

  private struct State {
    var waiting: [Request] = []
    /// What the thread works on, until when, and at which entry it is.
    var current: (request: Request, deadline: ContinuousClock.Instant, seq: Int64)?
    /// Whether nobody wants the current one any more.
    var isCurrentCancelled = false
    var count = 0
    var hasThread = false
    var isStopped = false
    /// Threads that are left to themselves differ from the present one by this.
    var generation = 0
    var lost = 0
  }

  /// How many threads may be lost to reducers that never return, before no more is run.
  private static let lostLimit = 3

  /// How long beyond its time a request may work: the time of one event.
  private static let grace = Duration.milliseconds(500)

  private let machines: @Sendable () -> HostedMachines
  private let limits: HostLimits
  private let state = ForkSafeMutex(State())
  private let work: Waker?
  private let guardian: Waker?

  /// A host for what `machines` names at the time of a request.
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
      guard state.lost < Self.lostLimit else {
        return .refuse(
          """
          \(state.lost) reducers that never returned are still running inside the app. \
          To fix, call ReducerHost.runIfAsked(…) first in main, so that they run elsewhere.
          """)
      }
      guard state.waiting.count < 64 else { return .refuse("Too many requests wait.") }
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
    for request in waiting { request.answer.error(.failed, "The system gave no thread.") }
  }

  private func wakeThreads() {
    work?.wake()
    guardian?.wake()
  }

  package func cancel(_ request: RequestID) {
    let waiting = state.withLock { state -> Request? in
      if state.current?.request.answer.id == request { state.isCurrentCancelled = true }
      guard let place = state.waiting.firstIndex(where: { $0.answer.id == request }) else {
        return nil
      }
      return state.waiting.remove(at: place)
    }
    waiting?.answer.error(.cancelled, "The request was cancelled.")
  }

  package func cancelAll() {
    state.withLock { state in
      state.waiting = []
      state.isCurrentCancelled = true
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
        state.isCurrentCancelled = false
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
    var surroundings = HostSurroundings(
      now: { ContinuousClock.now - start }, memory: { ProcessMemory.resident() },
      isCancelled: { _ in self.isUnwanted(request) })
    surroundings.willRun = { _, seq in
      self.state.withLock { state in
        if state.current?.request.number == request.number { state.current?.seq = seq }
      }
    }
    let session = HostSession(machines(), limits: limits, surroundings: surroundings)
    guard let id = request.answer.id else { return }
    session.reduce(request.reduce, id: id) { message in
      // A thread that was given up has nothing more to say.
      let isCurrent = self.state.withLock { $0.current?.request.number == request.number }
      guard isCurrent else { return }
      switch message {
      case .reduced(let reduced): request.answer.reduced(reduced)
      case .error(let error): request.answer.error(error.code, error.message, path: error.path)
      default: break
      }
    }
    state.withLock { state in
      if state.current?.request.number == request.number { state.current = nil }
    }
  }

  /// Whether a request was cancelled or given up. The number tells: a recorder that connects anew
  /// counts its ids from the beginning.
  private func isUnwanted(_ request: Request) -> Bool {
    state.withLock { state in
      state.current?.request.number != request.number || state.isCurrentCancelled
    }
  }

  // MARK: The watching thread

  /// Answers for a reducer that does not return, and gives its thread up.
  private func watch(_ generation: Int) {
    while true {
      let isBusy = state.withLock { $0.current != nil || !$0.waiting.isEmpty }
      // A tenth of a second is soon enough for what hung for seconds.
      guardian?.wait(isBusy ? .milliseconds(100) : nil)
      let (goesOn, given, next) = state.withLock { state -> (Bool, (Request, Int64)?, Int?) in
        guard state.generation == generation, !state.isStopped else { return (false, nil, nil) }
        guard let current = state.current else {
          return (true, nil, nil)
        }
        guard current.deadline < .now else { return (true, nil, nil) }
        state.current = nil
        state.lost += 1
        state.generation += 1
        state.hasThread = !state.waiting.isEmpty && state.lost < Self.lostLimit
        return (false, (current.request, current.seq), state.hasThread ? state.generation : nil)
      }
      if let (request, seq) = given {
        request.answer.reduced(
          FromRecorder.Reduced {
            $0.ended = EarlyEnd {
              $0.why = .limit
              $0.seq = seq
              $0.message = "The reducer did not return; its thread inside the app is given up."
            }
          })
      }
      if let next { start(next) }
      guard goesOn else { return }
    }
  }
}
