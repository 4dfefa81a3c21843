import HostProcesses
import JSONCore
import Replaying
import StatesCore
import Synchronization
package import Timelines
package import Wire

/// Executes the commands of inspectors on live machines, if the app allows control: hold, restore,
/// step, dispatch, resume.
///
/// Leases are managed here, in the app, so a daemon that hangs or lies cannot hold a machine beyond
/// its renewals. Commands run on the machine's own isolation; this class only decides.
package final class ControlCenter: Sendable {
  private struct State {
    var leases = LeaseTable()
    var answers = AnswerCache()
    var held: [TimelineID: LeasedMachine] = [:]
    /// Machines with a pending resume. The flag is set if the resume never runs.
    var resuming: [TimelineID: AtomicFlag] = [:]
    var isWatching = false
    var isStopped = false
  }

  /// Whether the app allows control.
  package let isAllowed: Bool

  private let find: @Sendable (TimelineID) -> (any ControlTarget)?
  private let now: @Sendable () -> Duration
  private let state = ForkSafeMutex(State())
  private let quota = CommandQuota()
  private let watch: Waker?

  /// The longest lease without renewal, in milliseconds: longer than any pause of a live daemon,
  /// and short enough that a dead one does not block the app.
  private static let maximumLease: Int64 = 10 * 60 * 1_000

  /// The default for how many events a held machine queues.
  private static let defaultQueue = 1_000

  /// The maximum number of events that a held machine queues.
  private static let maximumQueue: Int64 = 100_000

  /// Creates a control center for an app's machines.
  package init(
    isAllowed: Bool, now: @escaping @Sendable () -> Duration = { monotonicTime() },
    expiresItself: Bool = true,
    find: @escaping @Sendable (TimelineID) -> (any ControlTarget)?
  ) {
    watch = expiresItself ? Waker() : nil
    self.isAllowed = isAllowed
    self.now = now
    self.find = find
  }

  // MARK: Commands

  /// Holds a machine, or renews its lease.
  package func hold(_ hold: ToRecorder.Hold, _ answer: CommandAnswer) {
    enter(answer, hold.timeline) { target in
      guard (1...Self.maximumLease).contains(hold.milliseconds) else {
        return self.refuse(
          .wrongValue, "A lease lasts 1 to \(Self.maximumLease) ms.", path: "milliseconds")
      }
      guard (0...Self.maximumQueue).contains(hold.limit ?? 0) else {
        return self.refuse(
          .wrongValue, "A machine queues 0 to \(Self.maximumQueue) events.", path: "limit")
      }
      let policy: HoldPolicy =
        switch hold.policy {
        case .refuse: .refuse
        case .queue: .queue(limit: hold.limit.map { Int($0) } ?? Self.defaultQueue)
        }
      let next = PendingHold(policy)
      let grant = self.state.withLock { state -> (LeaseTable.Grant, LeasedMachine?, Bool)? in
        // After `stop`, nothing would end the hold.
        guard !state.isStopped else { return nil }
        let grant = state.leases.hold(
          hold.timeline, lease: hold.lease, for: .milliseconds(hold.milliseconds),
          takes: hold.take, at: self.now())
        let before = state.held[hold.timeline]
        let isWaiting = grant == .renewed && before?.hold.renew(policy) == true
        if grant != .refused {
          state.held[hold.timeline] = LeasedMachine(
            target: target, answer: answer, isOver: before?.isOver ?? AtomicFlag(),
            isRevoked: grant == .renewed ? before?.isRevoked ?? AtomicFlag() : AtomicFlag(),
            hold: isWaiting ? before?.hold ?? next : next)
          if grant != .renewed { before?.isRevoked.set() }
        }
        return (grant, before, isWaiting)
      }
      guard let grant else {
        return self.refuse(.notFound, "The recording of \(target.name) has ended.")
      }
      let (given, before, isWaiting) = grant
      self.startWatching()
      switch given {
      case .refused:
        return self.refuse(
          .conflict,
          "Another inspector controls \(target.name). To fix, take over, or wait for its lease.")
      case .renewed:
        // The machine is about to be held anyway; only the lease was requested.
        guard !isWaiting else { return .answer(.done(seq: nil)) }
        return .perform(.hold(policy), next, isRenewal: true)
      case .granted(nil):
        // If the machine could not be held, there is no lease.
        return .perform(.hold(policy), next) { self.forget(hold.timeline) }
      case .granted(let old?):
        before?.answer.released(hold.timeline, lease: old, why: "Control was taken over.")
        return .perform(.hold(policy), next) {
          self.release(hold.timeline, why: "It could not be taken over.")
        }
      }
    }
  }

  /// Replaces a live state.
  package func restore(_ restore: ToRecorder.Restore, _ answer: CommandAnswer) {
    enter(answer, restore.timeline, lease: restore.lease) { _ in
      .restore(state: restore.state, from: restore.from)
    }
  }

  /// Sends an event to a live machine.
  package func dispatch(_ dispatch: ToRecorder.Dispatch, _ answer: CommandAnswer) {
    enter(answer, dispatch.timeline, lease: dispatch.lease) { _ in .dispatch(dispatch.event) }
  }

  /// Handles one queued event.
  package func step(_ step: ToRecorder.Step, _ answer: CommandAnswer) {
    enter(answer, step.timeline, lease: step.lease) { _ in .step }
  }

  /// Ends a lease.
  package func resume(_ resume: ToRecorder.Resume, _ answer: CommandAnswer) {
    enter(answer, resume.timeline, lease: resume.lease) { _ in
      self.state.withLock { state in
        state.leases.end(resume.timeline)
        // Earlier commands run first: the machine is held until it reaches this one.
        if let held = state.held.removeValue(forKey: resume.timeline) {
          state.resuming[resume.timeline] = held.isOver
        }
      }
      return .resume
    }
  }

  private func refuse(
    _ code: ErrorCode, _ sentence: String, path: String? = nil
  ) -> Decision {
    .answer(.refused(code, sentence, path: path))
  }

  /// What to do with a command.
  private enum Decision {
    case perform(
      ControlAction, PendingHold? = nil, isRenewal: Bool = false,
      ifRefused: @Sendable () -> Void = {})
    case answer(ControlOutcome)

    static func restore(state: JSONSlice, from: EntryReference) -> Decision {
      .perform(.restore(state: state, from: from))
    }
    static func dispatch(_ event: JSONSlice) -> Decision { .perform(.dispatch(event)) }
    static var step: Decision { .perform(.step) }
    static var resume: Decision { .perform(.resume) }
  }

  /// Answers a command exactly once, whatever its outcome.
  private func enter(
    _ answer: CommandAnswer, _ timeline: TimelineID, lease: String? = nil,
    _ decide: (any ControlTarget) -> Decision
  ) {
    let (place, generation) = state.withLock { ($0.answers.enter(answer), $0.answers.generation) }
    switch place {
    case .waits: return
    case .again(let outcome): return answer.send(outcome, for: timeline)
    case .tooMany:
      let sentence = "Too many copies of this command are waiting; the machine is not running."
      return answer.send(.refused(.limit, sentence), for: timeline)
    case .new: break
    }
    let finish: @Sendable (ControlOutcome) -> Void = { outcome in
      let others = self.state.withLock {
        $0.answers.close(answer.id, outcome, generation: generation)
      }
      for answer in others { answer.send(outcome, for: timeline) }
    }
    guard isAllowed else {
      return finish(
        .refused(
          .forbidden,
          """
          The program did not opt in to control. \
          To fix, set allowsControl in its recorder's options, and start it again.
          """))
    }
    guard let target = find(timeline) else {
      return finish(.refused(.notFound, "This app records no timeline \(timeline.text)."))
    }
    guard isValid(lease, timeline) else { return finish(Self.leaseHasEnded) }
    guard target.liveControl != nil else {
      return finish(
        .refused(
          .failed,
          """
          \(target.name) can be inspected but not controlled: it is recorded with wrap, or by hand.
          """))
    }
    guard target.isReachable else {
      return finish(.refused(.forbidden, Self.unreachable(target.name)))
    }
    switch decide(target) {
    case .answer(let outcome): finish(outcome)
    case .perform(let action, let hold, let isRenewal, let ifRefused):
      perform(action, hold, isRenewal: isRenewal, on: target, lease: lease) { outcome in
        if case .refused = outcome { ifRefused() }
        finish(outcome)
      }
    }
  }

  /// Whether a command's lease is valid; true for a command without one.
  private func isValid(_ lease: String?, _ timeline: TimelineID) -> Bool {
    guard let lease else { return true }
    return state.withLock { $0.leases.isValid(lease, for: timeline, at: now()) }
  }

  /// Whether a lease has ended since the command was received, other than by a resume.
  private func isRevoked(
    _ lease: String, _ held: LeasedMachine?, _ target: any ControlTarget
  ) -> Bool {
    guard held?.isRevoked.isSet == false else { return true }
    return state.withLock { $0.leases.isOverdue(lease, for: target.timeline, at: now()) }
  }

  private static let leaseHasEnded = ControlOutcome.refused(
    .conflict, "Your lease of the machine has ended. To fix, hold the machine again.")

  private static func unreachable(_ name: String) -> String {
    """
    \(name) can be inspected but not controlled: it was recorded where its actor is not known. \
    To fix, call recorder.attach(…) in a method of its actor, pass isolation: MainActor.shared \
    to record(…), or call recorder.poll(…) regularly where it is used.
    """
  }

  /// Executes a command on the machine's isolation, once that is free.
  ///
  /// Renewals and resumes are not limited: each hold has one of each.
  private func perform(
    _ action: ControlAction, _ hold: PendingHold? = nil, isRenewal: Bool = false,
    on target: any ControlTarget, lease: String? = nil,
    _ finish: @escaping @Sendable (ControlOutcome) -> Void
  ) {
    guard let control = target.liveControl else {
      return finish(.refused(.notFound, "\(target.name) is gone."))
    }
    let isResume = if case .resume = action { true } else { false }
    var reservation: CommandQuota.Reservation?
    if !isResume, !isRenewal {
      reservation = quota.reserve(action, for: target)
      guard reservation != nil else {
        return finish(
          .refused(
            .limit, "Too many commands are waiting for \(target.name), which is not running.")
        )
      }
    }
    let held = state.withLock { $0.held[target.timeline] }
    let command = PendingCommand(finish, gone: .refused(.notFound, "\(target.name) is gone."))
    let isTaken = target.perform { [self, reservation] machine in
      defer { withExtendedLifetime(reservation) {} }
      // The machine may have been stopped for a long time.
      if let lease, !isResume, isRevoked(lease, held, target) {
        return command.finish(Self.leaseHasEnded)
      }
      // Capture only the flag, because the closure may live long.
      let isOver = held?.isOver
      let context = LiveControl.Context(
        willRestore: { target.willRestore($0, number: $1) }, seq: { target.seq(ofStep: $0) },
        isHeld: { isOver?.isSet == false })
      let newest = hold?.begin().map { ControlAction.hold($0) }
      command.finish(control.perform(newest ?? action, on: machine, context))
      if isResume { state.withLock { _ = $0.resuming.removeValue(forKey: target.timeline) } }
    }
    guard !isTaken else { return }
    hold?.begin()
    command.finishAsGone()
  }

  // MARK: Ends of leases

  /// Handles a lost connection: machines that were held over it resume.
  package func disconnected() {
    let held = state.withLock { state in
      _ = state.leases.endAll()
      state.answers.clear()
      defer { state.held = [:] }
      // Under the lock: a waiting command must not find the lease gone but not revoked.
      for machine in state.held.values { machine.revoke() }
      return state.held.values.map(\.target)
    }
    for target in held { perform(.resume, on: target) { _ in } }
  }

  /// Resumes a machine because the app requests it. Returns false if it was not held.
  @discardableResult
  package func release(_ timeline: TimelineID, why: String) -> Bool {
    let (lease, held) = state.withLock { state in
      let held = state.held.removeValue(forKey: timeline)
      held?.revoke()
      return (state.leases.end(timeline), held)
    }
    guard let lease, let held else { return false }
    release(timeline, lease, held, why)
    return true
  }

  /// Removes the lease of a machine that is gone.
  package func forget(_ timeline: TimelineID) {
    state.withLock { state in
      state.leases.end(timeline)
      state.held.removeValue(forKey: timeline)?.revoke()
      state.resuming.removeValue(forKey: timeline)?.set()
    }
  }

  /// Moves a lease to the machine's new timeline.
  package func move(_ old: TimelineID, to new: TimelineID) {
    state.withLock { state in
      state.leases.move(old, to: new)
      state.held[new] = state.held.removeValue(forKey: old)
      state.resuming[new] = state.resuming.removeValue(forKey: old)
    }
  }

  /// Ends overdue leases, and notifies their owners. Returns when the next lease ends.
  @discardableResult
  package func expire() -> Duration? {
    let (ended, next) = state.withLock { state in
      let ended = state.leases.expire(at: now()).map { ended in
        let held = state.held.removeValue(forKey: ended.timeline)
        held?.revoke()
        return (ended, held)
      }
      return (ended, state.leases.nextDeadline)
    }
    for (ended, held) in ended {
      guard let held else { continue }
      let seconds = ended.time.components.seconds
      let time = seconds > 0 ? "\(seconds) s" : "\(ended.time)"
      release(ended.timeline, ended.lease, held, "The lease was not renewed for \(time).")
    }
    return next
  }

  private func release(
    _ timeline: TimelineID, _ lease: String, _ held: LeasedMachine, _ why: String
  ) {
    perform(.resume, on: held.target) { _ in
      held.answer.released(timeline, lease: lease, why: why)
    }
  }

  /// Stops control: all machines resume.
  package func stop() {
    state.withLock { $0.isStopped = true }
    disconnected()
    watch?.wake()
  }

  private func startWatching() {
    let starts = state.withLock { state in
      defer { state.isWatching = true }
      return !state.isWatching && !state.isStopped
    }
    guard starts else {
      watch?.wake()
      return
    }
    let isStarted = watch != nil && WorkerThread.start { [weak self] in self?.watchLeases() }
    if !isStarted { state.withLock { $0.isWatching = false } }
  }

  private func watchLeases() {
    while !state.withLock({ $0.isStopped }) {
      let next = expire()
      watch?.wait(next.map { max(.milliseconds(1), $0 - now()) } ?? .seconds(60))
      let ends = state.withLock { state in
        guard state.leases.nextDeadline == nil else { return false }
        state.isWatching = false
        return true
      }
      if ends { return }
    }
  }
}
