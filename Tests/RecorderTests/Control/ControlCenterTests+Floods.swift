import JSONCore
import Recorder
import StatesCore
import Testing
import Timelines

// A daemon that keeps sending to a machine that does not run.
extension ControlCenterTests {
  @Test("some repetitions of a command wait, and the others are refused")
  func repeats() throws {
    let world = world()
    for _ in 0..<10_000 { try world.send(hold(1, "a")) }
    let refused = world.heard()
    #expect(refused.count == 10_000 - 16)
    #expect(refused.allSatisfy { $0.contains(#""re":1,"code":"limit""#) })
    world.target.run(on: Machine(Purse()))
    #expect(world.heard() == Array(repeating: #"{"type":"done","re":1,"seq":0}"#, count: 16))
    try world.send(hold(1, "a"))
    #expect(world.heard() == [#"{"type":"done","re":1,"seq":0}"#])
  }

  @Test("a lease is renewed while the hold is pending, which happens once")
  func renewals() throws {
    let world = world()
    let machine = Machine(Purse())
    let handled = machine.kernel.number
    for id in 0..<10_000 { try world.send(hold(id, "a")) }
    try world.send(hold(10_000, "a", policy: "refuse"))
    #expect(
      world.heard() == (1...10_000).map { #"{"type":"done","re":\#($0)}"# },
      "all but the first")
    world.clock.advance(by: 14)
    #expect(world.center.expire() != nil)
    world.target.run(on: machine)
    #expect(world.heard() == [#"{"type":"done","re":0,"seq":\#(handled)}"#])
    // As the last one said.
    #expect(machine.isHeld && machine.send(.put(1)) == .refused)
    // From then on there is one again to come to.
    try world.send(hold(10_001, "a"))
    #expect(world.heard().isEmpty)
    world.target.run(on: machine)
    #expect(world.heard().count == 1)
    #expect(machine.send(.put(1)) == .queued)
  }

  @Test("two thousand commands that wait are all answered, and the end of a hold has room")
  func openCommands() throws {
    let world = world()
    let machine = Machine(Purse())
    for number in 0..<1_000 {
      try world.send(hold(2 * number, "\(number)"))
      try world.send(command("resume", 2 * number + 1, lease: "\(number)"))
    }
    #expect(world.heard().isEmpty)
    try world.send(hold(5_000, "a"))
    let refused = world.heard()
    #expect(refused.count == 1 && refused.allSatisfy { $0.contains(#""code":"limit""#) })
    world.target.run(on: machine)
    let heard = world.heard()
    #expect(heard.count == 2_000 && heard.allSatisfy { $0.contains(#""type":"done""#) })
    #expect(!machine.isHeld)
  }

  @Test("commands for a machine that goes away are answered once, and free their room")
  func goneBeforeItsTurn() throws {
    let world = world()
    try world.send(hold(0, "a"))
    for round in 0..<3 {
      for id in 1..<1_000 { try world.send(command("step", round * 1_000 + id)) }
      #expect(world.heard().isEmpty)
      world.target.lose()
      let heard = world.heard()
      #expect(heard.allSatisfy { $0.contains("purse is gone.") })
      #expect(Set(heard).count == heard.count && heard.count >= 999)
      try world.send(hold(round * 1_000 + 1_000, "a"))
    }
  }

  @Test("an expired lease resumes its machine, however much waits")
  func expiryBehindMuch() throws {
    let world = world()
    let machine = Machine(Purse())
    try world.send(hold(0, "a"))
    for id in 1..<1_500 { try world.send(command("step", id)) }
    #expect(world.heard().count == 500)
    world.clock.advance(by: 16)
    world.center.expire()
    #expect(world.heard().isEmpty)
    world.target.run(on: machine)
    let heard = world.heard()
    #expect(heard.count == 1_001)
    #expect(heard.last?.contains(#""type":"released""#) == true)
    #expect(!machine.isHeld)
  }

  @Test("a takeover fails while too much waits")
  func takeover() throws {
    let world = world()
    let machine = Machine(Purse())
    try world.send(hold(0, "a"))
    world.target.run(on: machine)
    for id in 1...1_000 { try world.send(command("step", id)) }
    #expect(world.heard().count == 1)
    try world.send(hold(5_000, "b", take: true))
    #expect(world.heard().contains { $0.contains(#""re":5000,"code":"limit""#) })
    world.target.run(on: machine)
    #expect(!machine.isHeld)
    #expect(world.heard().contains { $0.contains("It could not be taken over.") })
  }
}
