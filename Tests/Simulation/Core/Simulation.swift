import DebugServer
import Recorder
import Timelines
import Wire

/// Runs one seed: activity with faults, then a minute without, then hours in which nothing happens,
/// and checks what there is at the end.
public struct Simulation {
  /// What came out.
  public struct Result: Sendable {
    /// What was broken; nothing when all was well.
    public var violation: Violation?
    /// The same seed gives the same one.
    public var fingerprint: UInt64
    /// The lines of the journal.
    public var lines: Int
    /// The last of them.
    public var last: [String]
  }

  private let world: World

  private init(_ world: World) {
    self.world = world
  }

  /// Runs a seed.
  public static func run(seed: UInt64, prints: Bool = false) -> Result {
    run(seed: seed, Plan(seed: seed), prints: prints)
  }

  static func run(seed: UInt64, _ plan: Plan, prints: Bool = false) -> Result {
    let world = World(seed: seed, plan: plan, name: "\(seed)", prints: prints)
    TaskHook.send(to: world.scheduler)
    let simulation = Simulation(world)
    var steps = 0
    world.scheduler.afterStep = {
      // Looking costs more than most steps do.
      steps += 1
      if steps % 32 == 0 { simulation.checkStep() }
    }
    simulation.play()
    world.isEnding = true
    world.daemon.stop()
    world.scheduler.afterStep = {}
    return Result(
      violation: world.violation, fingerprint: world.journal.fingerprint,
      lines: world.journal.count, last: world.journal.last(50))
  }

  private func play() {
    let (scheduler, plan) = (world.scheduler, world.plan)
    world.daemon.start()
    for recorder in world.recorders {
      scheduler.after(recorder.plan.startsAt) { recorder.start() }
      act(recorder, recorder.plan.events)
    }
    for (inspector, plan) in zip(world.inspectors, plan.inspectors) {
      scheduler.after(plan.startsAt) { inspector.start() }
    }
    for fault in plan.faults {
      scheduler.after(fault.time) { [world] in world.carryOut(fault) }
    }
    guard advance(plan.faultsEnd) else { return }
    world.endFaults()
    for inspector in world.inspectors {
      inspector.isQuiet = true
      inspector.resume()
    }
    // A host that does not answer, or behind a half-open connection, is asked three times for 25 s.
    let needsPatience =
      plan.recorders.contains { [.silent, .slow, .crashing].contains($0.host) }
      || plan.faults.contains { if case .loseConnection = $0.kind { true } else { false } }
    guard advance(40_000_000) else { return }
    // Only the next entry, or the end of the timeline, can report a loss at the end.
    for recorder in world.recorders where recorder.hasLostItsEnd { recorder.act() }
    guard advance(needsPatience ? 360_000_000 : 20_000_000) else { return }
    FinalCheck(world).checkLiveness()
    if plan.idle > 0, world.violation == nil { idle() }
    guard world.violation == nil else { return }
    FinalCheck(world).checkStored()
    // What is there must be there after another start, too.
    world.isEnding = true
    world.daemon.kill()
    world.daemon.start()
    guard advance(1_000_000) else { return }
    FinalCheck(world).checkStored()
  }

  /// Lets time pass; `false` when something was broken meanwhile.
  private func advance(_ time: Int64) -> Bool {
    let end = world.scheduler.now + time
    while world.scheduler.now < end, world.violation == nil {
      world.scheduler.run(until: min(end, world.scheduler.now + 1_000_000))
      if world.scheduler.isStuck {
        world.fail("time-passes", "The same work repeats without time passing.")
      }
    }
    return world.violation == nil
  }

  private func act(_ recorder: RecorderProcess, _ left: Int) {
    var chance = Chance(seed: world.seed, recorder.name + " acts")
    // In bursts, all the while things go wrong.
    var times: [Int64] = []
    while times.count < left {
      let start = recorder.plan.startsAt + Int64(chance.pick(0...16_000_000))
      let spread = chance.pick(of: [50, 3_000, 60_000])
      for index in 0..<min(left - times.count, chance.pick(1...8)) {
        times.append(start + Int64(index * chance.pick(1...spread)))
      }
    }
    for time in times.sorted() { world.scheduler.after(time) { recorder.act() } }
    let time = times.max() ?? 0
    if recorder.plan.closes { world.scheduler.after(time + 1_000) { recorder.close() } }
  }

  private func idle() {
    world.journal.record("world", "nothing happens")
    world.isIdle = true
    guard advance(world.plan.idle) else { return }
    world.isIdle = false
    if let first = world.idleMessages.first {
      world.fail("talks-while-idle", "Nothing happens, and this is sent: \(first)")
    }
  }

  private func checkStep() {
    guard world.violation == nil else { return }
    for recorder in world.recorders {
      guard let status = recorder.run?.sink.status else { continue }
      // A header stays in any case.
      let limit = recorder.plan.outboxBytes + 4_096
      if status.bytes > limit {
        world.fail("outbox-limit", "The outbox of \(recorder.name) holds \(status.bytes) B.")
      }
    }
    if let waiting = world.daemon.run?.waitingBytes {
      // Each recorder may have sent as much as its credit, and one more message.
      let limit = world.plan.limits.waitingBytes + 3 * (world.plan.limits.wire.credit + 300_000)
      if waiting > limit || waiting < 0 {
        world.fail("waiting-limit", "\(waiting) B wait for the disk.")
      }
    }
  }
}
