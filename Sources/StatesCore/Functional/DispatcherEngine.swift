/// The part of a dispatcher that has closures: it runs transitions when the data say so.
///
/// It outlives its dispatcher as long as a transition is under way, so that nobody's completion is
/// forgotten.
final class DispatcherEngine<Subject: AnyObject> {
  typealias State = DispatcherState<FunctionalArguments>
  typealias Input = DispatcherInput<Subject>

  private(set) weak var subject: Subject?
  /// Set right after the kernel is made; the kernel holds the engine.
  weak var kernel: Kernel<State, Input>?

  /// The applications that are under way or wait, by their numbers.
  private var applications: [Int: Application<Subject>] = [:]
  /// Kept alive by the closures that its transition got: when those are gone, it can not complete.
  private weak var run: TransitionRun<Subject>?
  /// How many transitions were begun.
  private var generations = 0
  /// What the last steps asked for and was not done yet, because the dispatcher was held.
  private var owed: [() -> Void] = []

  init(subject: Subject) {
    self.subject = subject
  }

  deinit {
    for (_, application) in applications.sorted(by: { $0.key < $1.key }) {
      application.completion(false, .objectIsGone(state: application.state.name))
    }
  }

  // MARK: Steps

  /// Handles an input; nil when it comes to nothing.
  func handle(_ input: Input, in kernel: Kernel<State, Input>) -> State? {
    guard let event = input.event else {
      settle()
      return nil
    }
    let before = kernel.state
    if case .apply(let name, _, _) = event, let application = input.application,
      application.isUpdateOnly, !before.isReady(with: name)
    {
      // Something else had its turn between the call and now.
      return refuse(application, named: name, in: before, kernel)
    }
    guard let after = before.handling(event) else {
      if case .completed(let id, _) = event { giveUp(id) }
      return nil
    }
    if let error = input.error { kernel.fail(error) }
    switch event {
    case .apply:
      keep(input.application, as: after.applied)
      if before.target == nil, let target = after.target { owe { self.begin(target) } }
    case .began:
      if let target = after.target { owe { self.begin(target) } }
    case .completed(let id, let finished):
      run = nil
      if let application = applications.removeValue(forKey: id) {
        owe { application.completion(finished, input.error) }
      }
      if !after.queue.isEmpty { kernel.wait(Input(.began)) }
    case .cleared:
      for item in before.queue {
        guard let application = applications.removeValue(forKey: item.id) else { continue }
        owe { application.completion(false, .cleared(state: item.name)) }
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
    owe {
      application.completion(false, error)
      self.report(error)
    }
    return nil
  }

  /// Does something after the observers have seen the step; in a held dispatcher when it resumes.
  private func owe(_ action: @escaping () -> Void) {
    owed.append(action)
    kernel?.perform { self.settle() }
    // Effects are dropped while held; this input waits until the dispatcher is resumed.
    kernel?.wait(Input(nil))
  }

  private func settle() {
    while !owed.isEmpty { owed.removeFirst()() }
  }

  private func keep(_ application: Application<Subject>?, as id: Int) {
    // After a restore, numbers are given again.
    giveUp(id)
    applications[id] = application
  }

  /// Tells an application that it will not have its turn.
  private func giveUp(_ id: Int) {
    guard let application = applications.removeValue(forKey: id) else { return }
    owe { application.completion(false, .superseded(state: application.state.name)) }
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

  /// Called by a run when it is over; `generation` tells it from others of the same number.
  func runEnded(
    _ id: Int, generation: Int, name: String, finished: Bool, error: DispatchError?
  ) {
    guard generation == generations else {
      // Another moment was restored meanwhile, and something else has its turn now.
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

  /// Sends what really happened: a held dispatcher can not refuse it, it waits.
  private func send(_ input: Input) {
    guard let kernel else { return }
    if kernel.isHeld {
      kernel.wait(input)
    } else {
      kernel.send(input, at: CallSite())
    }
  }

  // MARK: After a restore

  /// Ends a transition that nobody runs, and takes what nobody takes: after a restore.
  func reconcile() {
    guard let kernel, !kernel.isBusy, !kernel.isHeld else { return }
    let lost = strays
    if !lost.isEmpty { kernel.deliver { for id in lost { giveUp(id) } } }
    if let target = kernel.state.target, run?.id != target.id {
      end(target.id, finished: false, error: .superseded(state: target.name))
    }
    if kernel.state.target == nil, !kernel.state.queue.isEmpty { send(Input(.began)) }
    run?.endIfOverdue()
  }

  /// The applications of which the state knows nothing, and that are not under way either.
  private var strays: [Int] {
    guard let kernel else { return [] }
    var known = Set(kernel.state.queue.map(\.id))
    for case let id? in [kernel.state.target?.id, run?.id] { known.insert(id) }
    return applications.keys.filter { !known.contains($0) }.sorted()
  }

  /// Sentences about what should hold between two calls and does not; for tests.
  func checkInvariants() -> [String] {
    guard let kernel, !kernel.isHeld else { return [] }
    var violations: [String] = []
    if !owed.isEmpty { violations.append("an idle dispatcher owes nothing") }
    if let target = kernel.state.target, run?.id != target.id {
      violations.append("the transition under way is the one that runs")
    }
    if kernel.state.target == nil, !kernel.state.queue.isEmpty {
      violations.append("nothing waits while no transition is under way")
    }
    if !strays.isEmpty {
      violations.append("there are closures only for what is under way and waits")
    }
    if !kernel.state.queue.allSatisfy({ applications[$0.id] != nil }) {
      violations.append("there are closures for what waits")
    }
    return violations
  }
}

extension Kernel {
  /// Puts an input behind what waits, whatever a held machine does with inputs from outside.
  fileprivate func wait(_ input: Input) {
    wait(
      Waiting(
        work: .input(input), callSite: CallSite(), origin: .app, cause: currentCause,
        evenWhileHeld: false))
  }
}
