import DebugServer
import Recorder
import Timelines
import WebSockets

/// An app with a recorder: the real sink, outbox, connection and control, and a scripted machine.
///
/// Safe: the simulation has one thread.
final class RecorderProcess: @unchecked Sendable {
  let name: String
  let plan: Plan.Recorder
  private let world: World
  private var runs = 0
  private(set) var run: RecorderRun?
  private var chance: Chance

  init(_ world: World, _ plan: Plan.Recorder) {
    self.world = world
    self.plan = plan
    name = plan.name
    chance = Chance(seed: world.seed, plan.name)
  }

  func start() {
    guard run == nil else { return }
    runs += 1
    world.journal.record(name, "starts (\(runs))")
    run = RecorderRun(world, plan, number: runs, chance.next())
  }

  /// The app ends without a word.
  func crash() {
    guard let run else { return }
    world.journal.record(name, "crashes")
    self.run = nil
    run.die()
  }

  func freeze() { run?.freeze() }
  func thaw() { run?.thaw() }

  /// The app handles an event.
  func act() { run?.act() }

  /// Whether a small outbox dropped the last entries of its machine.
  var hasLostItsEnd: Bool {
    guard let run, plan.outboxBytes < Plan.Recorder.usualOutboxBytes else { return false }
    let book = run.machine.book
    return !book.isClosed && run.sink.status.kept == 0 && book.acknowledged < book.last
  }

  /// Its machine, while the daemon has acknowledged something of it and is connected.
  var connectedMachine: ScriptedMachine? {
    guard let run, run.sink.status.isConnected, run.machine.book.acknowledged >= 0 else {
      return nil
    }
    return run.machine
  }

  /// Whether the daemon can have it run reducers.
  var isHost: Bool {
    guard plan.host != .none, let run else { return false }
    return run.sink.status.isConnected && !run.machine.isClosed
  }

  /// The app ends its machine, and its recorder sends the rest.
  func close() { run?.close() }
}

/// One run of an app.
///
/// Safe: the simulation has one thread.
final class RecorderRun: @unchecked Sendable {
  let world: World
  let plan: Plan.Recorder
  let machine: ScriptedMachine
  /// All its machines, the first one first.
  let machines: [ScriptedMachine]
  let sink: DaemonSink
  private let handler: SimulatedHandler
  private let pump: SinkPump
  private let transport: SimulatedTransport
  private var chance: Chance
  private(set) var isFrozen = false
  private(set) var isDead = false

  init(_ world: World, _ plan: Plan.Recorder, number: Int, _ seed: UInt64) {
    self.world = world
    self.plan = plan
    let name = plan.name
    chance = Chance(seed: seed, "app")
    var options = DaemonSinkOptions(log: { world.journal.record(name, $0) })
    options.outbox.bytes = plan.outboxBytes
    options.outbox.openTimelines = plan.places
    options.outbox.namedTimelines = plan.places
    // Short, so that places change often.
    options.outbox.placeTime = .milliseconds(300)
    options.trusts = [plan.isRemote ? .secret(World.secret) : .socket]
    let run = "\(name)-\(number)"
    options.run = run
    let random = Chances(Chance(seed: seed, "sink"))
    options.random = { random.with { $0.next() } }
    transport = SimulatedTransport(world, plan)
    let pump = SinkPump(world.scheduler)
    self.pump = pump
    handler = SimulatedHandler(world, plan, Chance(seed: seed, "host"))
    let scheduler = world.scheduler
    sink = DaemonSink(
      [transport], options: options, handler: handler, clock: { scheduler.uptime },
      wake: { pump.wake() })
    var machines: [ScriptedMachine] = []
    for number in 0...plan.moreMachines {
      machines.append(
        ScriptedMachine(
          world, number == 0 ? name : "\(name) machine \(number)", of: name, run: run, sink: sink,
          keyframeEvery: plan.keyframeEvery))
    }
    self.machines = machines
    machine = machines[0]
    handler.run = self
    pump.sink = sink
    for machine in machines {
      machine.moved = { [weak handler] in handler?.control.forget($0) }
    }
    handler.crash = { [weak self] in self?.world.crash(name) }
    pump.wake()
  }

  func act() {
    guard !isFrozen, !isDead else { return }
    // Only with a choice, so that the runs of other plans stay as they are.
    let number = machines.count > 1 ? chance.pick(0...machines.count - 1) : 0
    machines[number].send(.random(using: &chance))
  }

  func close() {
    guard !isDead else { return }
    world.journal.record(plan.name, "closes its machine")
    for machine in machines { machine.close() }
    sink.finish(within: .seconds(3_600))
  }

  func freeze() {
    guard !isDead else { return }
    world.journal.record(plan.name, "stands still")
    isFrozen = true
    pump.isFrozen = true
    transport.end?.freeze()
  }

  func thaw() {
    guard isFrozen, !isDead else { return }
    world.journal.record(plan.name, "goes on")
    isFrozen = false
    pump.isFrozen = false
    transport.end?.isFrozen = false
  }

  func die() {
    isDead = true
    pump.sink = nil
    handler.isDead = true
    for machine in machines { machine.book.isAbandoned = true }
    transport.die()
  }
}

/// Calls a sink when it has something to do, in place of its thread.
///
/// Safe: the simulation has one thread.
final class SinkPump: @unchecked Sendable {
  private let scheduler: Scheduler
  var sink: DaemonSink?
  private var isPlanned = false
  private var dueAt: Int64?
  var isFrozen = false { didSet { if !isFrozen { wake() } } }

  init(_ scheduler: Scheduler) {
    self.scheduler = scheduler
  }

  func wake() {
    guard !isPlanned else { return }
    isPlanned = true
    scheduler.after(5) { [self] in
      isPlanned = false
      work()
    }
  }

  private func work() {
    guard !isFrozen, let sink else { return }
    switch sink.turn() {
    case .again: wake()
    case .end: self.sink = nil
    case .wait(let until):
      guard let until else { return }
      let time = until.wholeMicroseconds
      guard dueAt.map({ $0 > time || $0 <= scheduler.now }) ?? true else { return }
      dueAt = time
      scheduler.after(time - scheduler.now) { [self] in
        guard dueAt == time else { return }
        dueAt = nil
        wake()
      }
    }
  }
}

/// Connects a sink over the simulated network.
///
/// Safe: the simulation has one thread.
final class SimulatedTransport: Transport, @unchecked Sendable {
  private let world: World
  private let plan: Plan.Recorder
  private var isDead = false
  private(set) var end: SocketEnd?

  init(_ world: World, _ plan: Plan.Recorder) {
    self.world = world
    self.plan = plan
  }

  func connect(_ onEvent: @escaping @Sendable (TransportEvent) -> Void) -> any TransportConnection {
    var options = ConnectOptions().session
    // As SocketTransport has them.
    options.maxMessageBytes = ConnectionMachine.firstMessage
    options.maxQueuedBytes = 1 << 20
    options.lowWaterBytes = 256 << 10
    let isRemote = plan.isRemote
    let end = world.connect(
      plan.name, .recorder, isRemote ? .port : .socket, options,
      opened: { onEvent(.opened(isSameUser: isRemote ? nil : true)) })
    let connection = SimulatedTransportConnection(end, onEvent)
    end.owner.received = { message in
      if case .text(let bytes) = message { onEvent(.text(bytes)) } else { onEvent(.binary) }
    }
    end.owner.drained = { connection.drained() }
    end.owner.closed = { ended in
      let code = ended.side == .neither ? nil : ended.code.rawValue
      onEvent(.closed(code: code, reason: ended.reason))
    }
    self.end = end
    return connection
  }

  func die() {
    isDead = true
    end?.die()
  }
}

/// A connection, as the sink sees it: what the session does not take any more waits here.
///
/// Safe: the simulation has one thread.
private final class SimulatedTransportConnection: TransportConnection, @unchecked Sendable {
  private let end: SocketEnd
  private let onEvent: @Sendable (TransportEvent) -> Void
  private var waiting: [[UInt8]] = []

  init(_ end: SocketEnd, _ onEvent: @escaping @Sendable (TransportEvent) -> Void) {
    self.end = end
    self.onEvent = onEvent
  }

  func send(_ frame: [UInt8]) {
    guard waiting.isEmpty else { return waiting.append(frame) }
    guard end.send(.text(frame)) == .full else { return }
    waiting.append(frame)
    onEvent(.full)
  }

  func limitMessages(to bytes: Int) { end.limitMessages(to: bytes) }

  func close(code: UInt16, reason: String) {
    waiting = []
    end.close(code: code, reason: reason, discarding: false)
  }

  var hasSentAll: Bool { waiting.isEmpty && end.queue.bytes == 0 }

  func drained() {
    while let first = waiting.first {
      guard end.send(.text(first)) != .full else { return }
      waiting.removeFirst()
    }
    onEvent(.drained)
  }
}
