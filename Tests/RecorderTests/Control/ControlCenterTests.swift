import JSONCore
import Recorder
import Replaying
import StatesCore
import Testing
import Timelines
import Wire

@Suite("Recorder: live control")
struct ControlCenterTests {
  private let rules: RedactionRules = Purse.redaction

  func world(isAllowed: Bool = true, isReachable: Bool = true) -> ControlWorld {
    ControlWorld(
      LiveControl(of: Machine<Purse>.self, rules), isAllowed: isAllowed, isReachable: isReachable)
  }

  func hold(_ id: Int, _ lease: String, take: Bool = false, policy: String = "queue")
    -> String
  {
    #"""
    {"type":"hold","id":\#(id),"timeline":"$T","policy":"\#(policy)","lease":"\#(lease)","milliseconds":15000\#(take ? #","take":true"# : "")}
    """#
  }

  func command(_ type: String, _ id: Int, _ rest: String = "", lease: String = "a")
    -> String
  {
    #"{"type":"\#(type)","id":\#(id),"timeline":"$T","lease":"\#(lease)"\#(rest)}"#
  }

  @Test("holds, steps, restores, dispatches and resumes on the machine's own isolation")
  func drives() throws {
    let world = world()
    let machine = Machine(Purse())
    var acted = 0
    machine.react(to: \.coins) { _ in acted += 1 }
    try world.send(hold(1, "a"))
    #expect(world.heard().isEmpty, "nothing is done before its owner does it")
    world.target.run(on: machine)
    #expect(world.heard() == [#"{"type":"done","re":1,"seq":0}"#])
    #expect(machine.send(.put(1)) == .queued)
    #expect(machine.send(.put(10)) == .queued)

    try world.send(command("step", 2))
    world.target.run(on: machine)
    #expect(world.heard() == [#"{"type":"done","re":2,"seq":1,"queued":1}"#])
    #expect(machine.state.coins == 1)

    try world.send(command("dispatch", 3, #","event":{"put":{"_0":5}}"#))
    world.target.run(on: machine)
    #expect(world.heard() == [#"{"type":"done","re":3,"seq":2,"queued":1}"#])
    #expect(machine.state.coins == 6)

    let state = #","from":{"timeline":"$T","seq":0},"state":{"coins":40,"code":"typed in"}"#
    try world.send(command("restore", 4, state))
    world.target.run(on: machine)
    #expect(world.heard() == [#"{"type":"done","re":4,"seq":3,"queued":1}"#])
    #expect(machine.state.coins == 40)
    #expect(
      world.target.restores == [3: EntryReference(timeline: world.target.timeline, seq: 0)])
    #expect(acted == 0, "nothing acts while it is held")

    try world.send(command("resume", 5))
    world.target.run(on: machine)
    #expect(world.heard() == [#"{"type":"done","re":5,"seq":4}"#])
    #expect(machine.state.coins == 50 && !machine.isHeld)
    #expect(acted == 1)
  }

  @Test("without opt-in nothing is done, and the sentence says what to do")
  func optIn() throws {
    let world = world(isAllowed: false)
    for text in [hold(1, "a"), command("step", 2), command("resume", 3)] { try world.send(text) }
    let heard = world.heard()
    #expect(heard.count == 3)
    let advice = "To fix, set allowsControl in its recorder's options, and start it again."
    #expect(heard.allSatisfy { $0.contains(#""code":"forbidden""#) && $0.contains(advice) })
  }

  @Test("a machine whose actor is not known is refused, with the ways to make it known")
  func unreachable() throws {
    let world = world(isReachable: false)
    try world.send(hold(1, "a"))
    let heard = world.heard()
    let advice = """
      To fix, call recorder.attach(…) in a method of its actor, pass isolation: MainActor.shared to \
      record(…), or call recorder.poll(…) regularly where it is used.
      """
    #expect(heard.first?.contains(advice) == true, "\(heard)")
  }

  @Test("commands need the machine's lease, which another one gets only by taking it over")
  func leases() throws {
    let world = world()
    let machine = Machine(Purse())
    try world.send(command("step", 1))
    let ended = world.heard()[0]
    #expect(ended.contains("conflict"))
    #expect(
      ended.contains("Your lease of the machine has ended. To fix, hold the machine again."))
    try world.send(hold(2, "a"))
    world.target.run(on: machine)
    _ = world.heard()
    try world.send(hold(3, "b"))
    let taken = world.heard()[0]
    #expect(taken.contains("conflict"))
    #expect(
      taken.contains(
        "Another inspector controls purse. To fix, take over, or wait for its lease."))
    try world.send(hold(4, "b", take: true))
    world.target.run(on: machine)
    let heard = world.heard()
    #expect(heard.count == 2)
    #expect(heard[0].contains(#""type":"released""#) && heard[0].contains(#""lease":"a""#))
    #expect(heard[1] == #"{"type":"done","re":4,"seq":0}"#)
    try world.send(command("resume", 5, lease: "a"))
    #expect(world.heard()[0].contains("conflict"))
    #expect(machine.isHeld)
  }

  @Test("without renewal the machine resumes by itself, and the daemon is notified")
  func expiry() throws {
    let world = world()
    let machine = Machine(Purse())
    try world.send(hold(1, "a"))
    world.target.run(on: machine)
    world.clock.advance(by: 14)
    try world.send(hold(2, "a"))
    world.target.run(on: machine)
    _ = world.heard()
    world.clock.advance(by: 14)
    world.center.expire()
    world.target.run(on: machine)
    #expect(machine.isHeld && world.heard().isEmpty)
    world.clock.advance(by: 1)
    world.center.expire()
    world.target.run(on: machine)
    #expect(!machine.isHeld)
    let heard = world.heard()
    #expect(heard.count == 1)
    #expect(heard[0].contains(#""type":"released""#) && heard[0].contains("15 s"))
    try world.send(command("dispatch", 3, #","event":{"put":{"_0":5}}"#))
    #expect(world.heard()[0].contains("conflict"))
    #expect(machine.state.coins == 0)
  }

  @Test("losing the connection resumes everything, and resets request ids")
  func disconnected() throws {
    let world = world()
    let machine = Machine(Purse())
    try world.send(hold(1, "a"))
    world.target.run(on: machine)
    machine.send(.put(3))
    world.center.disconnected()
    world.target.run(on: machine)
    #expect(!machine.isHeld && machine.state.coins == 3)
    _ = world.heard()
    try world.send(hold(1, "b"))
    world.target.run(on: machine)
    #expect(world.heard() == [#"{"type":"done","re":1,"seq":1}"#])
    #expect(machine.isHeld)
  }

  @Test("a repeated command gets the same answer and does nothing")
  func idempotent() throws {
    let world = world()
    let machine = Machine(Purse())
    try world.send(hold(1, "a"))
    let put = command("dispatch", 2, #","event":{"put":{"_0":5}}"#)
    try world.send(put)
    try world.send(put)
    world.target.run(on: machine)
    #expect(machine.state.coins == 5)
    #expect(
      world.heard() == [
        #"{"type":"done","re":1,"seq":0}"#, #"{"type":"done","re":2,"seq":1}"#,
        #"{"type":"done","re":2,"seq":1}"#,
      ])
    machine.kernel.resume()
    machine.send(.put(1))
    try world.send(put)
    world.target.run(on: machine)
    #expect(machine.state.coins == 6)
    #expect(world.heard() == [#"{"type":"done","re":2,"seq":1}"#])
    let bad = command("dispatch", 3, #","event":{"no":{}}"#)
    try world.send(bad)
    world.target.run(on: machine)
    try world.send(bad)
    let heard = world.heard()
    #expect(heard.count == 2 && heard[0] == heard[1])
  }

  @Test("stand-ins and invalid values are not sent to a live app")
  func hostile() throws {
    let world = world()
    let machine = Machine(Purse())
    try world.send(hold(1, "a"))
    world.target.run(on: machine)
    _ = world.heard()
    let from = #","from":{"timeline":"$T","seq":0}"#
    let table: [(String, String, String)] = [
      ("dispatch", #","event":{"locked":{"code":""}}"#, "forbidden"),
      ("dispatch", #","event":{"locked":{"code":"•••"}}"#, "forbidden"),
      ("dispatch", #","event":{"put":{"_0":"x"}}"#, "wrong-value"),
      ("dispatch", #","event":7"#, "wrong-value"),
      ("restore", from + #","state":{"coins":4,"code":""}"#, "forbidden"),
      ("restore", from + #","state":{"coins":4}"#, "wrong-value"),
      ("restore", from + #","state":null"#, "wrong-value"),
      ("step", "", "failed"),
    ]
    for (index, (type, rest, code)) in table.enumerated() {
      try world.send(command(type, index + 10, rest))
      world.target.run(on: machine)
      let heard = world.heard()
      #expect(heard.count == 1)
      #expect(heard[0].contains(#""code":"\#(code)""#), "\(type) \(rest): \(heard)")
      let advice = """
        contains a stand-in for a redacted value, which a live app must not receive. To fix, replace it \
        with a real value.
        """
      #expect(heard[0].contains(advice) == (code == "forbidden"))
    }
    #expect(machine.state == Purse() && machine.kernel.number == 0)
    try world.send(command("dispatch", 99, #","event":{"locked":{"code":"typed"}}"#))
    world.target.run(on: machine)
    #expect(machine.state.code == "typed")
  }

  @Test("forms, charts, and dispatchers handle their own events")
  func kinds() throws {
    let form = StateForm(state: [1, 2])
    let forms = ControlWorld(LiveControl(of: StateForm<[Int], Never>.self, []))
    try forms.send(hold(1, "a"))
    try forms.send(
      command("dispatch", 2, #","event":{"apply":{"patch":[{"op":"remove","path":"/0"}]}}"#))
    try forms.send(command("dispatch", 3, #","event":{"undo":{"to":0}}"#))
    try forms.send(
      command("dispatch", 4, #","event":{"apply":{"patch":[{"op":"remove","path":"/9"}]}}"#))
    forms.target.run(on: form)
    let heard = forms.heard()
    #expect(heard[1] == #"{"type":"done","re":2,"seq":1}"#)
    #expect(form.state == [1, 2] && form.kernel.number == 2)
    #expect(heard[3].contains("wrong-value"))
    // An undo goes where it says, or nowhere.
    for (id, event) in [
      (5, #"{"apply":{"patch":[{"op":"add","path":"/-","value":3}]}}"#),
      (6, #"{"apply":{"patch":[{"op":"add","path":"/-","value":4}]}}"#),
      (7, #"{"undo":{"to":2}}"#), (8, #"{"undo":{"to":3}}"#),
    ] {
      try forms.send(command("dispatch", id, #","event":\#(event)"#))
    }
    forms.target.run(on: form)
    let more = forms.heard()
    #expect(
      more[2].contains("wrong-value")
        && more[2].contains("leads to entry 3, not to 2. To fix, restore the state of entry 2."))
    #expect(more[3] == #"{"type":"done","re":8,"seq":5}"#)
    #expect(form.state == [1, 2, 3] && form.kernel.number == 5)

    let chart = try Statechart(0) {
      On("added", Int.self) { $0.value += $1 }
      ChartState("only")
    }
    let charts = ControlWorld(LiveControl(of: Statechart<Int>.self, []))
    try charts.send(hold(1, "a"))
    try charts.send(command("dispatch", 2, #","event":{"added":{"_0":4}}"#))
    try charts.send(command("dispatch", 3, #","event":{"added":{"_0":"four"}}"#))
    charts.target.run(on: chart)
    #expect(chart.value == 4)
    #expect(charts.heard()[2].contains("wrong-value"))

    let lamp = Lamp()
    let lamps = ControlWorld(LiveControl(of: Dispatcher<Lamp>.self, []))
    try lamps.send(hold(1, "a"))
    try lamps.send(
      command("dispatch", 2, #","event":{"apply":{"name":"on(at:)","arguments":[3]}}"#))
    try lamps.send(command("dispatch", 3, #","event":{"apply":{"name":"broken()"}}"#))
    try lamps.send(command("dispatch", 5, #","event":{"on":{}}"#))
    try lamps.send(command("resume", 4))
    lamps.target.run(on: lamp.state)
    let answers = lamps.heard()
    #expect(answers[1].contains(#""done""#), "\(answers)")
    #expect(answers[2].contains("dispatchable"))
    let advice = #"To fix, send {"apply":{"name":…,"arguments":[…]}}."#
    #expect(answers[3].replacing(#"\""#, with: "\"").contains(advice))
    #expect(lamp.level == 3)
  }

  @Test("a machine whose types cannot be decoded can be held and stepped, not driven")
  func reflected() throws {
    struct Plain: Reducible {
      var n = 0
      enum Event { case grew }
      static func reduce(state: Plain, event: Event) -> Plain { Plain(n: state.n + 1) }
    }
    let machine = Machine(Plain())
    let world = ControlWorld(LiveControl(of: Machine<Plain>.self, []))
    try world.send(hold(1, "a"))
    world.target.run(on: machine)
    machine.send(.grew)
    try world.send(command("step", 2))
    try world.send(command("dispatch", 3, #","event":{"grew":{}}"#))
    world.target.run(on: machine)
    let heard = world.heard()
    #expect(machine.state.n == 1)
    let advice = """
      The states or the events of this machine are not Codable, so they can be inspected but not sent \
      back. To fix, make both Codable.
      """
    #expect(heard[1].contains(#""done""#) && heard[2].contains(advice))
  }

  @Test("a machine that is polled while it handles an event is not changed")
  func busy() throws {
    let world = world()
    let machine = Machine(Purse())
    machine.react(to: \.coins) { _ in world.target.run(on: machine) }
    try world.send(hold(1, "a"))
    machine.send(.put(1))
    let advice =
      "The machine is handling an event. To fix, call poll outside its reducer and observers."
    #expect(world.heard().first?.contains(advice) == true)
    try world.send(hold(2, "a"))
    world.target.run(on: machine)
    #expect(machine.isHeld)
  }

  @Test("a machine that refuses to be held has no lease")
  func refusedHold() throws {
    let world = ControlWorld(LiveControl { _, _, _ in .refused(.conflict, "It is busy.") })
    try world.send(hold(1, "a"))
    world.target.run(on: world.target)
    try world.send(hold(2, "b"))
    world.target.run(on: world.target)
    let heard = world.heard()
    #expect(heard.count == 2 && heard.allSatisfy { $0.contains("It is busy.") }, "\(heard)")
  }

  @Test("a run of a feedback system is held and controlled")
  func feedback() throws {
    let system = FeedbackSystem(
      initialState: 0, reduce: { (state: Int, event: Int) in state + event },
      feedback: react("up", request: { $0 < 0 ? $0 : nil }) { _, emit in emit(1) })
    let run = system.makeRun()
    let world = ControlWorld(LiveControl(of: FeedbackRun<Int, Int>.self, []))
    try world.send(hold(1, "a"))
    try world.send(command("dispatch", 2, #","event":4"#))
    try world.send(command("dispatch", 3, #","event":"x""#))
    world.target.run(on: run)
    #expect(run.isHeld)
    let heard = world.heard()
    #expect(heard[1] == #"{"type":"done","re":2}"# && heard[2].contains("wrong-value"))
    try world.send(command("step", 4))
    world.target.run(on: run)
    let advice = "A feedback system cannot handle its queued events one by one. To fix, resume it."
    #expect(world.heard().first?.contains(advice) == true)
    run.cancel()
  }

  private final class Lamp: Stateful {
    var level = 0
    private(set) lazy var state = Dispatcher(for: self)
    static func on(at level: Int) -> State { state(level) { $0.level = level } }
    static var dispatchable: [Dispatchable] { [Dispatchable("on(at:)", on(at:))] }
  }
}
