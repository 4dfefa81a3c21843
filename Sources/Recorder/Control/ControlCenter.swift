import HostProcesses
import JSONCore
import Replaying
import StatesCore
import Synchronization
package import Timelines

/// Carries out what inspectors do with live machines, for an app that opted in: hold, restore, step,
/// dispatch, resume.
///
/// Leases are kept here, in the app: a daemon that hangs or lies cannot hold a machine longer than
/// it renews. What is done is done on the machine's own isolation; this class only decides.
package final class ControlCenter: Sendable {
  private struct State {
    var leases = LeaseTable()
    var answers = AnswerBook()
    var held: [TimelineID: LeasedMachine] = [:]
    /// Machines that are to be resumed, and have not come to it: what tells them when they never do.
    var resuming: [TimelineID: Flag] = [:]
    var isWatching = false
    var isStopped = false
  }

  /// Whether the app opted in.
  package let isAllowed: Bool

  private let find: @Sendable (TimelineID) -> (any ControlTarget)?
  private let now: @Sendable () -> Duration
  private let state = ForkSafeMutex(State())
  private let waiting = WaitingCommands()
  private let watch: Waker?

  /// How long a lease may be without renewal: longer than any pause of a living daemon, and short
  /// enough that an app is not held by a dead one.
  private static let longest: Int64 = 10 * 60 * 1_000

  /// How many inputs wait in a held machine unless it is said.
  private static let defaultQueue = 1_000

  /// The most inputs that may wait.
  private static let longestQueue: Int64 = 100_000

  /// A center for an app's machines.
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
      guard (1...Self.longest).contains(hold.milliseconds) else {
        return self.refuse(
          .wrongValue, "A lease lasts 1 to \(Self.longest) ms.", path: "milliseconds")
      }
      guard (0...Self.longestQueue).contains(hold.limit ?? 0) else {
        return self.refuse(
          .wrongValue, "0 to \(Self.longestQueue) events can wait.", path: "limit")
      }
      let policy: HoldPolicy =
        switch hold.policy {
        case .refuse: .refuse
        case .queue: .queue(limit: hold.limit.map { Int($0) } ?? Self.defaultQueue)
        }
      let next = WaitingHold(policy)
      let grant = self.state.withLock { state -> (LeaseTable.Grant, LeasedMachine?, Bool)? in
        // Nobody would ever end it.
        guard !state.isStopped else { return nil }
        let grant = state.leases.hold(
          hold.timeline, lease: hold.lease, for: .milliseconds(hold.milliseconds),
          takes: hold.take, at: self.now())
        let before = state.held[hold.timeline]
        let isWaiting = grant == .renewed && before?.hold.renew(policy) == true
        if grant != .refused {
          state.held[hold.timeline] = LeasedMachine(
            target: target, answer: answer, isOver: before?.isOver ?? Flag(),
            isRevoked: grant == .renewed ? before?.isRevoked ?? Flag() : Flag(),
            hold: isWaiting ? before?.hold ?? next : next)
          if grant != .renewed { before?.isRevoked.raise() }
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
          "Another lease holds \(target.name). To fix, take it over, or wait for its end.")
      case .renewed:
        // The machine will be held all the same; the lease is what was asked for.
        guard !isWaiting else { return .answer(.done(seq: nil)) }
        return .perform(.hold(policy), next, isRenewal: true)
      case .granted(nil):
        // A machine that did not stop is held by nobody.
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

  /// Lets one waiting event through.
  package func step(_ step: ToRecorder.Step, _ answer: CommandAnswer) {
    enter(answer, step.timeline, lease: step.lease) { _ in .step }
  }

  /// Ends a lease.
  package func resume(_ resume: ToRecorder.Resume, _ answer: CommandAnswer) {
    enter(answer, resume.timeline, lease: resume.lease) { _ in
      self.state.withLock { state in
        state.leases.end(resume.timeline)
        // What was asked before comes before: the machine is held until it comes to this.
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

  /// What is to be done about a command.
  private enum Decision {
    case perform(
      ControlAction, WaitingHold? = nil, isRenewal: Bool = false,
      ifRefused: @Sendable () -> Void = {})
    case answer(ControlOutcome)

    static func restore(state: JSONSlice, from: EntryReference) -> Decision {
      .perform(.restore(state: state, from: from))
    }
    static func dispatch(_ event: JSONSlice) -> Decision { .perform(.dispatch(event)) }
    static var step: Decision { .perform(.step) }
    static var resume: Decision { .perform(.resume) }
  }

  /// Answers a command once, whatever comes of it.
  private func enter(
    _ answer: CommandAnswer, _ timeline: TimelineID, lease: String? = nil,
    _ decide: (any ControlTarget) -> Decision
  ) {
    let (place, generation) = state.withLock { ($0.answers.enter(answer), $0.answers.generation) }
    switch place {
    case .waits: return
    case .again(let outcome): return answer.give(outcome, timeline)
    case .tooMany:
      let sentence = "This was asked for many times, and its machine does not get to it."
      return answer.give(.refused(.limit, sentence), timeline)
    case .new: break
    }
    let finish: @Sendable (ControlOutcome) -> Void = { outcome in
      let others = self.state.withLock {
        $0.answers.close(answer.id, outcome, generation: generation)
      }
      for answer in others { answer.give(outcome, timeline) }
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

  /// Whether a command may be carried out that needs a lease.
  private func isValid(_ lease: String?, _ timeline: TimelineID) -> Bool {
    guard let lease else { return true }
    return state.withLock { $0.leases.isValid(lease, for: timeline, at: now()) }
  }

  /// Whether a lease has ended since a command came, otherwise than by the inspector's own resuming.
  private func isRevoked(
    _ lease: String, _ held: LeasedMachine?, _ target: any ControlTarget
  ) -> Bool {
    guard held?.isRevoked.isRaised == false else { return true }
    return state.withLock { $0.leases.isOverdue(lease, for: target.timeline, at: now()) }
  }

  private static let leaseHasEnded = ControlOutcome.refused(
    .conflict, "The lease has ended, or is another's. To fix, hold the machine again.")

  private static func unreachable(_ name: String) -> String {
    """
    \(name) was recorded where its actor is not known, so it can be looked at, not driven. \
    To fix, call recorder.attach(…) in a method of its actor, pass isolation: MainActor.shared \
    to record(…), or let its owner call recorder.poll(…) now and then.
    """
  }

  /// Has a command carried out on the machine's isolation, when that comes to it.
  ///
  /// Renewals and ends always have room: of each there is one for each hold.
  private func perform(
    _ action: ControlAction, _ hold: WaitingHold? = nil, isRenewal: Bool = false,
    on target: any ControlTarget, lease: String? = nil,
    _ finish: @escaping @Sendable (ControlOutcome) -> Void
  ) {
    guard let control = target.liveControl else {
      return finish(.refused(.notFound, "\(target.name) is gone."))
    }
    let isResume = if case .resume = action { true } else { false }
    var place: WaitingCommands.Place?
    if !isResume, !isRenewal {
      place = waiting.enter(action, for: target)
      guard place != nil else {
        return finish(
          .refused(.limit, "Too many commands wait for \(target.name), which does not get to them.")
        )
      }
    }
    let held = state.withLock { $0.held[target.timeline] }
    let command = PendingCommand(finish, gone: .refused(.notFound, "\(target.name) is gone."))
    let isTaken = target.perform { [self, place] machine in
      defer { withExtendedLifetime(place) {} }
      // The machine may have stood still for long.
      if let lease, !isResume, isRevoked(lease, held, target) {
        return command.finish(Self.leaseHasEnded)
      }
      // The flag alone: the condition may be kept for long.
      let isOver = held?.isOver
      let context = LiveControl.Context(
        willRestore: { target.willRestore($0, number: $1) }, seq: { target.seq(ofStep: $0) },
        isHeld: { isOver?.isRaised == false })
      let newest = hold?.begin().map { ControlAction.hold($0) }
      command.finish(control.perform(newest ?? action, on: machine, context))
      if isResume { state.withLock { _ = $0.resuming.removeValue(forKey: target.timeline) } }
    }
    guard !isTaken else { return }
    hold?.begin()
    command.finishAsGone()
  }

  // MARK: Ends of leases

  /// The connection is lost: what was held over it goes on.
  package func disconnected() {
    let held = state.withLock { state in
      _ = state.leases.endAll()
      state.answers.clear()
      defer { state.held = [:] }
      // Under the lock: what waits must not find the lease gone and nothing revoked.
      for machine in state.held.values { machine.revoke() }
      return state.held.values.map(\.target)
    }
    for target in held { perform(.resume, on: target) { _ in } }
  }

  /// Lets a machine go on because the app says so; false when it was not held.
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

  /// A machine is gone; so is its lease.
  package func forget(_ timeline: TimelineID) {
    state.withLock { state in
      state.leases.end(timeline)
      state.held.removeValue(forKey: timeline)?.revoke()
      state.resuming.removeValue(forKey: timeline)?.raise()
    }
  }

  /// A machine goes on in another timeline, and its lease with it.
  package func move(_ old: TimelineID, to new: TimelineID) {
    state.withLock { state in
      state.leases.move(old, to: new)
      state.held[new] = state.held.removeValue(forKey: old)
      state.resuming[new] = state.resuming.removeValue(forKey: old)
    }
  }

  /// Ends the leases whose time is over, and tells so; answers when the next one ends.
  ///
  /// A thread of the center does that; a test calls it with its own clock.
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

  /// Ends for good: everything goes on.
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
