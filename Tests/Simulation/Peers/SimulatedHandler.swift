import JSONCore
import Recorder
import Timelines
import Wire

/// Answers the daemon's commands: the real control of live machines, and a scripted host.
///
/// Safe: the simulation has one thread.
final class SimulatedHandler: CommandHandler, @unchecked Sendable {
  private let world: World
  private let plan: Plan.Recorder
  private var chance: Chance
  weak var run: RecorderRun?
  var crash: () -> Void = {}
  var isDead = false
  private(set) lazy var control = makeControl()
  private var canceled: Set<RequestID> = []
  private var expiry: Int64?

  init(_ world: World, _ plan: Plan.Recorder, _ chance: Chance) {
    self.world = world
    self.plan = plan
    self.chance = chance
  }

  private func makeControl() -> ControlCenter {
    let scheduler = world.scheduler
    return ControlCenter(
      isAllowed: plan.allowsControl, now: { scheduler.uptime }, expiresItself: false
    ) { [weak self] timeline in
      self?.run?.machines.first { $0.timeline == timeline }
    }
  }

  var abilities: FromRecorder.Abilities {
    FromRecorder.Abilities {
      $0.control = plan.allowsControl
      if plan.host != .none {
        $0.host = FromRecorder.HostOffer {
          $0.place = .process
          $0.makes = ["Model()"]
        }
      }
    }
  }

  func handle(_ command: RecorderCommand, answer: CommandAnswer) {
    switch command {
    case .reduce(let reduce): run(reduce, answer)
    case .cancel(let request): canceled.insert(request)
    case .hold(let hold): control.hold(hold, answer)
    case .restore(let restore): control.restore(restore, answer)
    case .dispatch(let dispatch): control.dispatch(dispatch, answer)
    case .step(let step): control.step(step, answer)
    case .resume(let resume): control.resume(resume, answer)
    case .capture: answer.done()
    }
    expire()
  }

  func disconnected() { control.disconnected() }

  /// Ends expired leases, in place of the center's thread.
  private func expire() {
    guard !isDead, let next = control.expire() else { return }
    let time = next.wholeMicroseconds
    guard expiry.map({ $0 > time || $0 <= world.scheduler.now }) ?? true else { return }
    expiry = time
    world.scheduler.after(time - world.scheduler.now + 1) { [weak self] in
      self?.expiry = nil
      self?.expire()
    }
  }

  // MARK: The host

  private func run(_ reduce: ToRecorder.Reduce, _ answer: CommandAnswer) {
    world.countRequest(plan.name, reduce)
    switch plan.host {
    case .none: answer.error(.noHost, "This app runs no reducers.")
    case .correct: later(chance.pick(100...2_000), reduce, answer)
    case .slow: later(chance.pick(500_000...8_000_000), reduce, answer)
    case .silent: return
    case .wrong: later(500, reduce, answer, isWrong: true)
    case .empty: later(500, reduce, answer, isEmpty: true)
    case .crashing:
      world.scheduler.after(1_000) { [weak self] in self?.crash() }
    }
  }

  private func later(
    _ time: Int, _ reduce: ToRecorder.Reduce, _ answer: CommandAnswer, isWrong: Bool = false,
    isEmpty: Bool = false
  ) {
    world.scheduler.after(Int64(time)) { [weak self] in
      guard let self, !isDead else { return }
      if let id = answer.id, canceled.remove(id) != nil {
        return answer.error(.canceled, "It was canceled.")
      }
      var reduced = ScriptedHost.answer(reduce)
      if isEmpty {
        reduced.entries = []
        reduced.state = nil
      }
      if isWrong {
        switch chance.pick(0...3) {
        case 0: reduced.entries = []
        case 1: reduced.entries = Array(reduced.entries.dropFirst())
        case 2: reduced.entries.reverse()
        default: return answer.error(.failed, "It does not work.")
        }
      }
      answer.reduced(reduced)
    }
  }
}

/// A host in another language might be written so: it runs the model's reducer on what it is sent.
enum ScriptedHost {
  static func answer(_ reduce: ToRecorder.Reduce) -> FromRecorder.Reduced {
    var state = reduce.state.flatMap { ModelState($0) } ?? ModelState()
    var entries: [JSONSlice] = []
    func add(_ draft: EntryDraft) {
      if let slice = try? JSONSlice(validating: draft.line) { entries.append(slice) }
    }
    var seq = reduce.seq
    if seq == 0 {
      var first = EntryDraft(seq: 0, t: 0)
      first.state = Array(state.text.utf8)[...]
      add(first)
      seq = 1
    }
    var ended: EarlyEnd?
    for (index, step) in reduce.steps.enumerated() {
      guard let slice = step.event, let event = ModelEvent(slice) else {
        ended = EarlyEnd {
          $0.why = .undecodable
          $0.seq = seq
        }
        break
      }
      let patch = state.reduce(event)
      var draft = EntryDraft(seq: seq, t: step.t)
      draft.event = slice.bytes
      draft.was = step.was
      draft.patch = Array(patch.utf8)[...]
      draft.origin = step.origin.map { EntryOrigin($0) }
      draft.at = step.at
      if index == 0 || seq % 16 == 0 { draft.state = Array(state.text.utf8)[...] }
      add(draft)
      seq += 1
    }
    return FromRecorder.Reduced {
      $0.entries = entries
      $0.ended = ended
      if reduce.snapshot { $0.state = try? JSONSlice(validating: Array(state.text.utf8)) }
    }
  }
}
