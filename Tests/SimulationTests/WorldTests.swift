import Testing

@testable import Simulation

/// What the simulation does to its systems, and what it does not take for granted.
struct WorldTests {
  private func world() -> World {
    World(seed: 1, plan: Plan(), name: "world-tests", prints: false)
  }

  @Test("a kill that waits for an acknowledgement ends with the faults", arguments: [false, true])
  func killAtAck(_ isOver: Bool) {
    let world = world()
    world.carryOut(Plan.Fault(time: 0, kind: .killDaemonAtAck(1, down: 1_000)))
    if isOver { world.endFaults() }
    #expect(world.isKillDue == !isOver)
  }

  @Test("a check of what is stored fails where no daemon runs")
  func noDaemon() {
    let world = world()
    FinalCheck(world).checkStored()
    #expect(world.violation?.rule == "readable")
  }
}
