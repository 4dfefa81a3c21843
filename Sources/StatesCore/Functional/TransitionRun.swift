/// One run of a transition: ensures that mutations run once and that it completes once, whatever
/// the transition does.
final class TransitionRun<Subject: AnyObject> {
  let id: Int
  private let generation: Int
  private let application: Application<Subject>

  private weak var subject: Subject?
  private let engine: DispatcherEngine<Subject>
  /// Kept alive so that the end is handled even if the dispatcher is gone.
  private let kernel: Kernel<DispatcherEngine<Subject>.State, DispatcherInput<Subject>>
  private let mutations: (Subject) -> Void
  private var hasMutated = false
  private var isOver = false
  private var isTooLate = false
  private var limit: TransitionTimeLimit.Running?
  private var timer: Task<Void, Never>?

  init(
    _ application: Application<Subject>, id: Int, generation: Int, subject: Subject,
    engine: DispatcherEngine<Subject>,
    kernel: Kernel<DispatcherEngine<Subject>.State, DispatcherInput<Subject>>,
    mutations: @escaping (Subject) -> Void
  ) {
    self.kernel = kernel
    self.id = id
    self.generation = generation
    self.application = application
    self.subject = subject
    self.engine = engine
    self.mutations = mutations
  }

  deinit {
    // The closures that could end it no longer exist.
    if !isOver { end(finished: false, error: .neverCompleted(state: name)) }
  }

  private var name: String { application.state.name }

  /// Runs the transition, and starts the timer if there is a limit.
  func start(_ transition: FunctionalTransition<Subject>, on subject: Subject) {
    limit = (application.timeLimit ?? application.state.timeLimit)?.start()
    transition(subject, { self.mutate() }, { self.complete($0) })
    guard !isOver, let limit else { return }
    timer = limit.startTimer { [weak self] in self?.endIfOverdue() }
  }

  /// Ends the run if it has exceeded its time limit.
  func endIfOverdue() {
    guard !isOver, let limit, limit.isOver() else { return }
    isTooLate = true
    end(finished: false, error: .timeLimitExceeded(state: name))
  }

  private func mutate(evenIfTooLate: Bool = false) {
    if isTooLate, !evenIfTooLate { return engine.report(.tooLate(state: name)) }
    if hasMutated { return engine.report(.mutationsRunTwice(state: name)) }
    hasMutated = true
    if let subject { mutations(subject) }
  }

  private func complete(_ finished: Bool) {
    if isTooLate { return engine.report(.tooLate(state: name)) }
    if isOver { return engine.report(.completedTwice(state: name)) }
    end(finished: finished, error: nil)
  }

  private func end(finished: Bool, error: DispatchError?) {
    isOver = true
    timer?.cancel()
    var error = error
    if subject == nil {
      error = .objectIsGone(state: name)
    } else if !hasMutated {
      // The state becomes the current one, so the object must match it.
      error = error ?? .mutationsNeverRun(state: name)
      mutate(evenIfTooLate: true)
    }
    engine.runEnded(
      id, generation: generation, name: name, finished: finished && subject != nil, error: error)
  }
}
