/// The part of a dispatcher that has closures: it runs transitions as the data require.
///
/// It outlives its dispatcher while a transition is running, so that every completion is called.
final class DispatcherEngine<Subject: AnyObject> {
  typealias State = DispatcherState<FunctionalArguments>
  typealias Input = DispatcherInput<Subject>

  private(set) weak var subject: Subject?
  /// Set right after the kernel is made; the kernel holds the engine.
  weak var kernel: Kernel<State, Input>?

  /// The running and waiting applications, by their numbers.
  private var applications: [Int: Application<Subject>] = [:]
  /// Kept alive by the closures passed to its transition: without those it cannot complete.
  private weak var run: TransitionRun<Subject>?
  /// The number of transitions started so far.
  private var generations = 0
  /// What the last steps requested but has not run yet, because the dispatcher was held.
  private var deferred: [() -> Void] = []

  init(subject: Subject) {
    self.subject = subject
  }

  deinit {
    for (_, application) in applications.sorted(by: { $0.key < $1.key }) {
      application.completion(false, .objectIsGone(state: application.state.name))
    }
  }

  // MARK: Steps

  /// Handles an input; returns nil if it has no effect.
  func handle(_ input: Input, in kernel: Kernel<State, Input>) -> State? {
    guard let event = input.event else {
      runDeferred()
      return nil
    }
    let before = kernel.state
    if case .apply(let name, _, _) = event, let application = input.application,
      application.isUpdateOnly, !before.isReady(with: name)
    {
      // Another state was applied between the call and now.
      return refuse(application, named: name, in: before, kernel)
    }
    guard let after = before.handling(event) else {
      if case .completed(let id, _) = event { supersede(id) }
      return nil
    }
    if let error = input.error { kernel.fail(error) }
    switch event {
    case .apply:
      store(input.application, as: after.applied)
      if before.target == nil, let target = after.target {
        deferUntilObserved { self.begin(target) }
      }
    case .began:
      if let target = after.target { deferUntilObserved { self.begin(target) } }
    case .completed(let id, let finished):
      run = nil
      if let application = applications.removeValue(forKey: id) {
        deferUntilObserved { application.completion(finished, input.error) }
      }
      if !after.queue.isEmpty { kernel.wait(Input(.began)) }
    case .cleared:
      for item in before.queue {
        guard let application = applications.removeValue(forKey: item.id) else { continue }
        deferUntilObserved { application.completion(false, .cleared(state: item.name)) }
      }
    case .reset, .failed:
      break
    }
    return after
  }

  /// Reports an update whose state is not the current one; the dispatcher stays as it is.
  private func refuse(
    _ application: Application<Subject>, named name: String, in state: State,
    _ kernel: Kernel<State, Input>
  ) -> State? {
    let error =
      state.target.map { DispatchError.inTransition(to: $0.name) }
      ?? .notCurrent(state: name, current: state.current?.name)
    deferUntilObserved {
      application.completion(false, error)
      self.report(error)
    }
    return nil
  }

  /// Runs an action after the observers have seen the step; if held, when the dispatcher resumes.
  private func deferUntilObserved(_ action: @escaping () -> Void) {
    deferred.append(action)
    kernel?.perform { self.runDeferred() }
    // Effects are dropped while held; this input waits until the dispatcher is resumed.
    kernel?.wait(Input(nil))
  }

  private func runDeferred() {
    while !deferred.isEmpty { deferred.removeFirst()() }
  }

  private func store(_ application: Application<Subject>?, as id: Int) {
    // After a restore, numbers are reused.
    supersede(id)
    applications[id] = application
  }

  /// Drops an application that will not have its turn, and calls its completion.
  private func supersede(_ id: Int) {
    guard let application = applications.removeValue(forKey: id) else { return }
    deferUntilObserved { application.completion(false, .superseded(state: application.state.name)) }
  }

  // MARK: Transitions

  private func begin(_ target: State.Item) {
    guard let kernel, kernel.state.target?.id == target.id else { return }
    guard let application = applications[target.id] else {
      return end(target.id, finished: false, error: .superseded(state: target.name))
    }
    guard let subject else {
      return end(target.id, finished: false, error: .objectIsGone(state: target.name))
    }
    guard let mutation = application.mutation(updating: kernel.state.isUpdating) else {
      return end(target.id, finished: true, error: nil)
    }
    generations += 1
    let run = TransitionRun(
      application, id: target.id, generation: generations, subject: subject, engine: self,
      kernel: kernel, mutations: mutation.mutations)
    self.run = run
    run.start(mutation.transition, on: subject)
  }

  /// Called by a run when it ends; `generation` distinguishes it from others with the same number.
  func runEnded(
    _ id: Int, generation: Int, name: String, finished: Bool, error: DispatchError?
  ) {
    guard generation == generations else {
      // Another moment was restored in the meantime, so another application is running now.
      return report(.superseded(state: name))
    }
    end(id, finished: finished, error: error)
  }

  private func end(_ id: Int, finished: Bool, error: DispatchError?) {
    send(Input(.completed(id: id, finished: finished), error: error))
  }

  /// Makes a step that has an error and changes nothing.
  func report(_ error: DispatchError) {
    send(Input(.failed(error: error), error: error))
  }

  /// Sends what already happened: a held dispatcher cannot refuse it, so it waits.
  private func send(_ input: Input) {
    guard let kernel else { return }
    if kernel.isHeld {
      kernel.wait(input)
    } else {
      kernel.send(input, at: CallSite())
    }
  }

  // MARK: After a restore

  /// After a restore, ends a transition that has no run, drops applications that the state does not
  /// contain, and starts the next one in the queue.
  func reconcile() {
    guard let kernel, !kernel.isBusy, !kernel.isHeld else { return }
    let lost = orphanedApplications
    if !lost.isEmpty { kernel.deliver { for id in lost { supersede(id) } } }
    if let target = kernel.state.target, run?.id != target.id {
      end(target.id, finished: false, error: .superseded(state: target.name))
    }
    if kernel.state.target == nil, !kernel.state.queue.isEmpty { send(Input(.began)) }
    run?.endIfOverdue()
  }

  /// The applications that are neither in the state nor running.
  private var orphanedApplications: [Int] {
    guard let kernel else { return [] }
    var known = Set(kernel.state.queue.map(\.id))
    for case let id? in [kernel.state.target?.id, run?.id] { known.insert(id) }
    return applications.keys.filter { !known.contains($0) }.sorted()
  }

  /// The invariants that do not hold, as sentences; for tests, between two calls.
  func checkInvariants() -> [String] {
    guard let kernel, !kernel.isHeld else { return [] }
    var violations: [String] = []
    if !deferred.isEmpty { violations.append("an idle dispatcher has no deferred actions") }
    if let target = kernel.state.target, run?.id != target.id {
      violations.append("the target's transition is the one that runs")
    }
    if kernel.state.target == nil, !kernel.state.queue.isEmpty {
      violations.append("the queue is empty while no transition is running")
    }
    if !orphanedApplications.isEmpty {
      violations.append("closures exist only for running and waiting applications")
    }
    if !kernel.state.queue.allSatisfy({ applications[$0.id] != nil }) {
      violations.append("closures exist for all waiting applications")
    }
    return violations
  }
}

extension Kernel {
  /// Queues an input, even if a held machine refuses inputs from outside.
  fileprivate func wait(_ input: Input) {
    wait(
      Waiting(
        work: .input(input), callSite: CallSite(), origin: .app, cause: currentCause,
        evenWhileHeld: false))
  }
}
