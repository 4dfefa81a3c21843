import DebugServer
import JSONCore
import Timelines
import WebSockets
import Wire

/// A page: follows timelines, looks at moments, makes branches, holds machines, and connects again
/// whenever it has lost its connection.
///
/// Safe: the simulation has one thread.
final class InspectorProcess: @unchecked Sendable {
  let name: String
  private let plan: Plan.Inspector
  let world: World
  private var chance: Chance
  private var end: SocketEnd?
  private var isWelcomed = false
  private var lastID: Int64 = 0
  private var asked: [Int64: (Envelope<ToInspector>) -> Void] = [:]
  private var lease: (timeline: TimelineID, lease: String)?
  private var leftScrubs: Int
  private var leftForks: Int
  private var isActing = false
  /// The last reported seqs of the timelines that it follows.
  private(set) var reported: [TimelineID: Int64] = [:]
  private(set) var followed: [TimelineID] = []
  /// What it shows of them, when it shows entries.
  var shown: [TimelineID: ShownEntries] = [:]
  var showsEntries: Bool { plan.showsEntries }
  /// Whether it only follows, without actions of its own.
  var isQuiet = false

  init(_ world: World, _ plan: Plan.Inspector) {
    self.world = world
    self.plan = plan
    name = plan.name
    leftScrubs = plan.scrubs
    leftForks = plan.forks
    chance = Chance(seed: world.seed, plan.name)
  }

  var isConnected: Bool { isWelcomed && end?.isOver == false }

  func start() {
    guard end?.isOver ?? true else { return }
    isWelcomed = false
    asked = [:]
    lease = nil
    var options = SessionOptions()
    // A browser sends no pings by itself.
    options.pingAfter = nil
    options.maxMessageBytes = 64 << 20
    end = world.connect(name, .inspector, .socket, options) { [weak self] in
      self?.send(.hello(FromInspector.Hello { $0.client = self?.name }))
    }
    end?.owner.received = { [weak self] in self?.received($0) }
    end?.owner.closed = { [weak self] ended in
      guard let self else { return }
      world.journal.record(name, "lost its connection: \(ended.code.rawValue)")
      isWelcomed = false
      world.scheduler.after(1_000_000) { [weak self] in self?.start() }
    }
  }

  private func send(_ message: FromInspector, id: RequestID? = nil) {
    _ = end?.send(.text(Envelope(message, id: id).encoded()))
  }

  /// Asks something; the answer is only awaited on this connection.
  func ask(_ message: FromInspector, _ answer: @escaping (Envelope<ToInspector>) -> Void) {
    lastID += 1
    asked[lastID] = answer
    send(message, id: .number(lastID))
  }

  private func received(_ message: SocketMessage) {
    guard case .text(let bytes) = message,
      let envelope = try? Envelope<ToInspector>(reading: bytes, maxMessage: 64 << 20)
    else { return }
    if case .number(let id) = envelope.re, let answer = asked[id] {
      if case .progress = envelope.body { return }
      asked[id] = nil
      return answer(envelope)
    }
    switch envelope.body {
    case .welcome:
      isWelcomed = true
      ask(.watch(FromInspector.Watch())) { _ in }
      ask(.timelines(FromInspector.Timelines())) { [weak self] answer in
        guard case .timelines(let list) = answer.body else { return }
        for summary in list.timelines { self?.see(summary) }
      }
      // After a reconnect, it requests again what it followed.
      let known = followed
      followed = []
      for timeline in known { follow(timeline) }
      act()
    case .timeline(let news): see(news.timeline)
    case .live(let live):
      reported[live.timeline] = live.last
      grew(live)
    case .gone(let gone):
      reported[gone.timeline] = nil
      followed.removeAll { $0 == gone.timeline }
      if lease?.timeline == gone.timeline { lease = nil }
    case .control(let control):
      if !control.yours, lease?.timeline == control.timeline { lease = nil }
    default: break
    }
  }

  private func see(_ summary: ToInspector.TimelineSummary) {
    guard let id = summary.header["timeline"]?.string.flatMap({ TimelineID($0) }) else { return }
    if followed.count < 6, !followed.contains(id) {
      follow(id, last: summary.last ?? -1)
    }
  }

  /// Looks at what is stored, and watches; an update reports only what is stored after the answer.
  private func follow(_ timeline: TimelineID, last: Int64 = -1) {
    followed.append(timeline)
    look(at: timeline, through: last) { [weak self] in self?.watch(timeline) }
  }

  private func watch(_ timeline: TimelineID) {
    ask(.watch(FromInspector.Watch { $0.timeline = timeline })) { [weak self] answer in
      switch answer.body {
      case .done(let done):
        self?.reported[timeline] = done.seq ?? -1
        self?.look(at: timeline, through: done.seq ?? -1)
      default: self?.followed.removeAll { $0 == timeline }
      }
    }
  }

  // MARK: What it does by itself

  private func act() {
    guard !isActing else { return }
    isActing = true
    later()
  }

  private func later() {
    world.scheduler.after(Int64(chance.pick(20_000...900_000))) { [weak self] in
      guard let self else { return }
      guard !isQuiet, leftScrubs > 0 || leftForks > 0 || plan.holds else { return isActing = false }
      if isConnected { actOnce() }
      later()
    }
  }

  private func actOnce() {
    guard let timeline = followed.isEmpty ? nil : chance.pick(of: followed) else { return }
    let last = reported[timeline] ?? -1
    switch chance.pick(0...7) {
    case 0, 1, 2: if leftScrubs > 0, last >= 0 { scrub(timeline, last) }
    case 3: if leftForks > 0, last >= 2, world.book[timeline] != nil { fork(timeline, last) }
    case 4: if plan.holds { control(timeline) }
    case 5: if plan.proves { verify(timeline) }
    case 6: if plan.imports, chance.once(in: 2) { importFile(using: &chance) }
    default:
      if plan.deletes, chance.once(in: 12), let book = world.book[timeline] {
        world.journal.record(name, "deletes \(timeline)")
        book.mayBeGone = true
        ask(
          .delete(
            FromInspector.Delete {
              $0.timeline = timeline
              $0.cascade = true
            })
        ) { _ in }
      }
    }
  }

  private func scrub(_ timeline: TimelineID, _ last: Int64) {
    leftScrubs -= 1
    let seq = Int64(chance.pick(0...Int(last)))
    guard chance.once(in: 3) else {
      return ask(
        .state(
          FromInspector.State {
            $0.timeline = timeline
            $0.seq = seq
            $0.slot = "cursor"
          })
      ) { [weak self] answer in self?.compare(answer, timeline, seq) }
    }
    ask(
      .entries(
        FromInspector.Entries {
          $0.timeline = timeline
          $0.from = seq
          $0.count = 20
        })
    ) { _ in }
  }

  private func compare(_ answer: Envelope<ToInspector>, _ timeline: TimelineID, _ seq: Int64) {
    guard case .state(let state) = answer.body else { return }
    guard let value = state.value, let shown = ModelState(value["state"] ?? value) else {
      guard world.plan.isQuiet else { return }
      return world.fail("shows-states", "\(name) is shown no state for \(seq) of \(timeline).")
    }
    guard let book = world.book[timeline], seq <= book.last else { return }
    if shown != book.states[Int(seq)] {
      world.fail(
        "wrong-state",
        "\(name) is shown \(shown.text) for entry \(seq) of \(timeline), which was "
          + book.states[Int(seq)].text)
    }
  }

  private func fork(_ timeline: TimelineID, _ last: Int64) {
    leftForks -= 1
    let dropped = chance.pick(1...Int(last))
    let edit =
      chance.once(in: 4)
      ? "[{\"start\":{\"seq\":\(dropped - 1)}}]" : "[{\"drop\":\(dropped)}]"
    guard let edits = try? JSONSlice(validating: Array(edit.utf8)) else { return }
    ask(
      .fork(
        FromInspector.Fork {
          $0.timeline = timeline
          $0.edits = edits
          $0.name = "without \(dropped)"
        })
    ) { [weak self] answer in
      if case .fork(let made) = answer.body { self?.world.branches.append(made.timeline) }
    }
  }

  private func control(_ timeline: TimelineID) {
    guard let lease else {
      let policy: HoldPolicyWord = chance.once(in: 2) ? .queue : .refuse
      let takes = chance.once(in: 3)
      return ask(
        .hold(
          FromInspector.Hold {
            $0.timeline = timeline
            $0.policy = policy
            $0.take = takes
          })
      ) { [weak self] answer in
        guard case .done(let done) = answer.body, let lease = done.lease else { return }
        self?.lease = (timeline, lease)
      }
    }
    switch chance.pick(0...3) {
    case 0, 1:
      guard let event = try? JSONSlice(validating: Array("{\"add\":7}".utf8)) else { return }
      ask(
        .dispatch(
          FromInspector.Dispatch {
            $0.timeline = lease.timeline
            $0.lease = lease.lease
            $0.event = event
          })
      ) { _ in }
    case 2:
      ask(
        .step(
          FromInspector.Step {
            $0.timeline = lease.timeline
            $0.lease = lease.lease
          })
      ) { _ in }
    default: resume()
    }
  }

  /// Releases the machines that it holds.
  func resume() {
    guard let lease, isConnected, !(isQuiet && plan.forgets) else { return }
    self.lease = nil
    ask(
      .resume(
        FromInspector.Resume {
          $0.timeline = lease.timeline
          $0.lease = lease.lease
        })
    ) { _ in }
  }
}
