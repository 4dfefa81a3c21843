import Recorder
import StatesCore
import Timelines
import Wire

/// A machine that a recorder records, and its way into the sink: entries with keyframes and patches.
///
/// Safe: the simulation has one thread.
final class ScriptedMachine: @unchecked Sendable {
  let name: String
  /// The app that records it.
  private let owner: String
  private let world: World
  private let sink: DaemonSink
  private let run: String
  private let started: Int64
  private(set) var timeline: TimelineID
  private(set) var book: TimelineBook
  private(set) var state = ModelState()
  private var seq: Int64 = -1
  private var sinceKeyframe = 0
  private var keyframeDue = true
  private let keyframeEvery: Int
  private(set) var isClosed = false
  /// Called with the timeline that it leaves for another one.
  var moved: ((TimelineID) -> Void)?
  /// The header of its timeline.
  private(set) var header: Header?

  /// The control of it, and what became of its own events meanwhile.
  private(set) var policy: HoldPolicy?
  private var isHeld: (@Sendable () -> Bool)?
  private var queued: [ModelEvent] = []

  init(
    _ world: World, _ name: String, of owner: String, run: String, sink: DaemonSink,
    keyframeEvery: Int
  ) {
    self.world = world
    self.name = name
    self.owner = owner
    self.run = run
    self.sink = sink
    self.keyframeEvery = keyframeEvery
    started = world.scheduler.now
    timeline = world.newTimeline()
    book = world.book.begin(timeline, owner: owner)
    begin()
  }

  private func begin() {
    var app = Header.App(name: "App")
    app.run = run
    var machine = Header.Machine(type: "App.Model", name: name)
    machine.kind = "states"
    machine.make = "Model()"
    let fields = Header.Fields(
      timeline: timeline, app: app, machine: machine,
      started: Timestamp(microseconds: World.wallClock + world.scheduler.now))
    guard let header = try? Header(fields) else {
      return world.fail("header", "It cannot be made.")
    }
    self.header = header
    sink.open(header)
    (seq, sinceKeyframe, keyframeDue) = (-1, 0, true)
    write(event: nil, patch: nil)
  }

  /// Whether an inspector keeps it from handling events of the app.
  var isStopped: Bool { policy != nil && isHeld?() == true }

  /// Handles an event of the app; one that is held waits or is dropped.
  func send(_ event: ModelEvent) {
    guard !isClosed else { return }
    answerSink()
    if let policy, isHeld?() == true {
      if case .queue(let limit) = policy, queued.count < limit { queued.append(event) }
      return
    }
    policy = nil
    handle(event)
  }

  private func handle(_ event: ModelEvent) {
    let patch = state.reduce(event)
    write(event: event, patch: patch)
  }

  private func write(event: ModelEvent?, patch: String?) {
    seq += 1
    book.add(event, state)
    var draft = EntryDraft(seq: seq, t: max(0, world.scheduler.now - started))
    draft.event = event.map { Array($0.text.utf8)[...] }
    let isKeyframe = keyframeDue || sinceKeyframe >= keyframeEvery
    draft.patch = patch.map { Array($0.utf8)[...] }
    if isKeyframe {
      draft.state = Array(state.text.utf8)[...]
      (sinceKeyframe, keyframeDue) = (0, false)
    } else {
      sinceKeyframe += 1
    }
    let entry = WrittenEntry(seq: seq, line: draft.line, isKeyframe: isKeyframe)
    sink.append([entry][...], to: timeline)
  }

  /// Does what the sink asks for.
  private func answerSink() {
    for request in sink.drainRequests() {
      switch request {
      case .keyframe(timeline): keyframeDue = true
      case .reopen(timeline): reopen()
      case .keyframe, .reopen: break
      }
    }
  }

  private func reopen() {
    world.journal.record(name, "begins another timeline")
    if !book.mayBeGone {
      world.fail("given-up", "\(name) gives up \(timeline), which was not deleted.")
    }
    sink.close(timeline, gap: nil)
    moved?(timeline)
    timeline = world.newTimeline()
    book = world.book.begin(timeline, owner: owner)
    begin()
  }

  func close() {
    guard !isClosed else { return }
    answerSink()
    isClosed = true
    book.isClosed = true
    if world.daemon.run?.isPruning == true { book.mayBeGone = true }
    sink.close(timeline, gap: nil)
  }
}

// Live control.
extension ScriptedMachine: ControlTarget {
  var isReachable: Bool { !isClosed }

  var liveControl: LiveControl? {
    LiveControl { [weak self] _, action, context in
      self?.carryOut(action, context) ?? .refused(.notFound, "It is gone.")
    }
  }

  func perform(_ job: @escaping @Sendable (AnyObject) -> Void) -> Bool {
    guard !isClosed else { return false }
    world.scheduler.soon { [self] in job(self) }
    return true
  }

  func willRestore(_ moment: EntryReference, number: Int) {}

  func seq(ofStep number: Int) -> Int64? { Int64(number) }

  private func carryOut(_ action: ControlAction, _ context: LiveControl.Context) -> ControlOutcome {
    answerSink()
    switch action {
    case .hold(let policy):
      (self.policy, isHeld) = (policy, context.isHeld)
    case .resume:
      policy = nil
      let waiting = queued
      queued = []
      for event in waiting { handle(event) }
    case .step:
      guard !queued.isEmpty else { return .refused(.failed, "No event waits.") }
      handle(queued.removeFirst())
    case .dispatch(let slice):
      guard let event = ModelEvent(slice) else {
        return .refused(.wrongValue, "The value is not an event.")
      }
      handle(event)
    case .restore: return .refused(.failed, "It restores nothing.")
    }
    return .done(seq: seq, queued: queued.isEmpty ? nil : queued.count)
  }
}
