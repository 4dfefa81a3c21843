import JSONCore
import Recorder
import Replaying
import StatesCore
import Testing
import Timelines

extension ControlCenterTests {
  @Test(
    "what a machine comes to after the lease has ended is not carried out", arguments: [0, 1, 2])
  func late(ending: Int) throws {
    let world = world()
    let machine = Machine(Purse())
    try world.send(hold(1, "a"))
    world.target.run(on: machine)
    try world.send(command("dispatch", 2, #","event":{"put":{"_0":5}}"#))
    switch ending {
    case 0:
      world.clock.advance(by: 16)
    case 1:
      world.clock.advance(by: 16)
      world.center.expire()
    default: try world.send(hold(3, "b", take: true))
    }
    world.target.run(on: machine)
    #expect(machine.state.coins == 0)
    let heard = world.heard().filter { $0.contains(#""re":2"#) }
    #expect(heard.count == 1 && heard[0].contains("lease of the machine has ended"))
  }

  @Test("a command on an older connection answers nothing on a newer one")
  func generations() throws {
    let world = world()
    let machine = Machine(Purse())
    try world.send(hold(1, "a"))
    world.target.run(on: machine)
    _ = world.heard()
    try world.send(command("dispatch", 2, #","event":{"put":{"_0":5}}"#))
    world.center.disconnected()
    try world.send(hold(2, "b"))
    world.target.run(on: machine)
    #expect(world.heard() == [#"{"type":"done","re":2,"seq":0}"#])
    #expect(machine.isHeld && machine.state.coins == 0)
  }

  @Test("commands sent before a resume run before it, while the machine is held")
  func order() throws {
    let world = world()
    let machine = Machine(Purse())
    var acted: [Int] = []
    machine.react(to: \.coins) { acted.append($0) }
    try world.send(hold(1, "a"))
    world.target.run(on: machine)
    machine.send(.put(1))
    try world.send(command("dispatch", 2, #","event":{"put":{"_0":10}}"#))
    try world.send(command("resume", 3))
    world.target.run(on: machine)
    // Commands of an inspector are not executed while the test waits; queued events come after it.
    #expect(acted == [11] && !machine.isHeld)
  }

  @Test("nothing is held when the recording has ended")
  func stopped() throws {
    let world = world()
    let machine = Machine(Purse())
    try world.send(hold(1, "a"))
    world.target.run(on: machine)
    world.center.stop()
    try world.send(hold(2, "a"))
    world.target.run(on: machine)
    #expect(!machine.isHeld)
    #expect(world.heard().last?.contains("has ended") == true)
  }

  @Test("the number of commands for a blocked machine is limited, and it can always be resumed")
  func flood() throws {
    let world = world()
    let machine = Machine(Purse())
    try world.send(hold(1, "a"))
    world.target.run(on: machine)
    _ = world.heard()
    for id in 2...1_001 {
      try world.send(command("dispatch", id, #","event":{"put":{"_0":1}}"#))
    }
    #expect(world.heard() == [])
    try world.send(command("dispatch", 1_002, #","event":{"put":{"_0":1}}"#))
    let refused = world.heard()
    #expect(refused.count == 1 && refused[0].contains(#""limit""#))
    try world.send(command("resume", 1_003))
    world.target.run(on: machine)
    #expect(world.heard().count == 1_001)
    #expect(machine.state.coins == 1_000 && !machine.isHeld)
    // There is room again.
    try world.send(hold(1_004, "a"))
    try world.send(command("dispatch", 1_005, #","event":{"put":{"_0":1}}"#))
    world.target.run(on: machine)
    #expect(machine.state.coins == 1_001)
  }
}
