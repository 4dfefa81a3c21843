import JSONCore
import Recorder
import Replaying
import StatesCore
import Synchronization
import TestSupport
import Testing
import Timelines
import Wire

@Suite("Recorder: control of recorded machines")
@MainActor
struct RecorderControlTests {
  private let memory = MemorySink()

  private func makeRecorder(allowsControl: Bool = true) -> StateRecorder {
    var options = RecorderOptions()
    options.destinations = [.memory(memory)]
    options.allowsControl = allowsControl
    return StateRecorder(app: "Tests", options: options, environment: RecorderEnvironment([:]))
  }

  private func send(
    _ recorder: StateRecorder, _ command: RecorderCommand, _ id: Int64
  ) throws -> Answers {
    let answers = Answers(.number(id))
    try #require(recorder.core).handler.handle(command, answer: answers.answer)
    return answers
  }

  private func hold(_ timeline: TimelineID) -> RecorderCommand {
    .hold(
      ToRecorder.Hold {
        $0.timeline = timeline
        $0.policy = .queue
        $0.lease = "a"
        // Longer than a busy machine lets a test wait.
        $0.milliseconds = 600_000
      })
  }

  private func restore(_ timeline: TimelineID, to moment: Int64, _ state: String) throws
    -> RecorderCommand
  {
    let state = try JSONSlice(validating: Array(state.utf8))
    return .restore(
      ToRecorder.Restore {
        $0.timeline = timeline
        $0.lease = "a"
        $0.from = EntryReference(timeline: timeline, seq: moment)
        $0.state = state
      })
  }

  @Test(
    "a machine is controlled on its own actor, and the recording shows where its state came from")
  func drives() async throws {
    let recorder = makeRecorder()
    let machine = recorder.record(Machine(Purse()), as: "purse")
    machine.send(.put(1))
    let recorded = try #require(recorder.core?.machines.first)
    recorder.flush(within: .seconds(120))
    let held = try await send(recorder, hold(recorded.timeline), 1).all()
    guard case .done(let done)? = held.first else {
      Issue.record("not held: \(held)")
      return
    }
    #expect(done.seq == 1 && machine.isHeld)
    let restored = try send(
      recorder, restore(recorded.timeline, to: 0, #"{"coins":9,"code":"typed"}"#), 2)
    guard case .done(let after)? = await restored.all().first else {
      Issue.record("not restored")
      return
    }
    #expect(after.seq == 2 && machine.state.coins == 9)
    recorder.flush(within: .seconds(120))
    let timeline = try #require(memory.timeline(named: "purse"))
    #expect(
      timeline.entries.last?.restored == EntryReference(timeline: recorded.timeline, seq: 0))
    #expect(timeline.entries.last?.origin == .inspector)
    try #require(recorder.core).handler.disconnected()
    let again = try await send(recorder, hold(recorded.timeline), 1).all()
    guard case .done? = again.first else {
      Issue.record("not held again: \(again)")
      return
    }
  }

  @Test(
    "a run of a feedback system is controlled, and the recording shows where its state came from")
  func feedback() async throws {
    let recorder = makeRecorder()
    let system = FeedbackSystem(
      initialState: 1, reduce: { (state: Int, event: Int) in state + event }, feedback: [])
    let run = recorder.record(system, as: "sum").makeRun()
    let states = Task.detached { for try await _ in run {} }
    defer { states.cancel() }
    #expect(eventually { recorder.core?.machines.first?.isReachable == true })
    let timeline = try #require(recorder.core?.machines.first?.timeline)
    guard case .done? = try await send(recorder, hold(timeline), 1).all().first else {
      Issue.record("not held")
      return
    }
    #expect(run.isHeld)
    guard case .done? = try await send(recorder, restore(timeline, to: 0, "40"), 2).all().first
    else {
      Issue.record("not restored")
      return
    }
    var entry: Entry?
    #expect(
      eventually {
        recorder.flush(within: .seconds(120))
        entry = memory.timeline(named: "sum")?.entries.last
        return entry?.seq == 1
      })
    #expect(entry?.restored == EntryReference(timeline: timeline, seq: 0))
    #expect(entry?.origin == .inspector)
  }

  @Test("an app that may not run its reducers offers no host", arguments: [HostPolicy.never])
  func noHost(policy: HostPolicy) throws {
    var options = RecorderOptions()
    options.destinations = [.memory(memory)]
    options.host = policy
    let recorder = StateRecorder(
      app: "Tests", options: options, environment: RecorderEnvironment([:]))
    _ = recorder.record(Machine(Purse()), as: "purse")
    #expect(try #require(recorder.core).handler.abilities.host == nil)
  }

  @Test("a machine recorded without an actor is refused, until its owner polls")
  func polled() async throws {
    let recorder = makeRecorder()
    let machine = recorder.record(Machine(Purse()), as: "purse", isolation: nil)
    let timeline = try #require(recorder.core?.machines.first?.timeline)
    recorder.flush(within: .seconds(120))
    guard case .error(let error)? = try await send(recorder, hold(timeline), 1).all().first else {
      Issue.record("not refused")
      return
    }
    #expect(error.code == .forbidden && error.message.contains("poll"))
    recorder.poll(machine)
    let answers = try send(recorder, hold(timeline), 2)
    #expect(!machine.isHeld)
    recorder.poll(machine)
    #expect(machine.isHeld)
    guard case .done? = await answers.all().first else {
      Issue.record("not held")
      return
    }
  }

  @Test("commands for a machine whose owner stopped polling are answered when it goes away")
  func polledGoesAway() async throws {
    let recorder = makeRecorder()
    var machine: Machine<Purse>? = Machine(Purse())
    recorder.record(try #require(machine), as: "purse", isolation: nil)
    recorder.poll(try #require(machine))
    weak let recorded = try #require(recorder.core?.machines.first)
    let answers = try send(recorder, hold(try #require(recorded?.timeline)), 1)
    machine = nil
    guard case .error(let error)? = await answers.all().first else {
      Issue.record("not refused")
      return
    }
    #expect(error.code == .notFound && error.message.contains("purse is gone"))
    #expect(recorder.close(within: .seconds(120)))
    #expect(recorded == nil)
  }

  @Test("a machine that its owner polls resumes when the recorder ends", arguments: [true, false])
  func polledEnds(sends: Bool) async throws {
    let recorder = makeRecorder()
    let machine = recorder.record(Machine(Purse()), as: "purse", isolation: nil)
    let timeline = try #require(recorder.core?.machines.first?.timeline)
    recorder.poll(machine)
    let answers = try send(recorder, hold(timeline), 1)
    recorder.poll(machine)
    #expect(machine.isHeld)
    _ = await answers.all()
    machine.send(.put(1))
    #expect(machine.state.coins == 0)
    #expect(recorder.close(within: .seconds(120)))
    // Whatever it does next, what waited comes first.
    if sends { machine.send(.put(2)) } else { recorder.poll(machine) }
    #expect(!machine.isHeld)
    #expect(machine.state.coins == (sends ? 3 : 1))
  }

  @Test("the recorder announces what the app allows; reducers run inside the app")
  func offers() async throws {
    let closed = makeRecorder(allowsControl: false)
    #expect(try #require(closed.core).handler.abilities.control == false)
    let recorder = makeRecorder()
    _ = recorder.record(Machine(Purse()), as: "purse")
    let handler = try #require(recorder.core).handler
    #expect(handler.abilities.control)
    #expect(handler.abilities.host?.place == .live)
    #expect(handler.abilities.host?.makes == ["RecorderTests.Purse.self"])
    let reduce = try ToRecorder.Reduce(
      #"""
      {"make":"RecorderTests.Purse.self","state":{"coins":0,"code":""},"seq":1,"steps":[{"event":{"locked":{"code":"opensesame"}},"t":1}]}
      """#)
    let reduced = try await send(recorder, .reduce(reduce), 5).reduced()
    // The machine itself is gone by now; its reducer is not.
    let entry = try #require(reduced.entries.first)
    #expect(entry["redacted"]?["/state/code"] == "")
  }

  @Test(
    "what is recorded is what was said last, then again what the app chose",
    arguments: [true, false])
  func capture(ofOne: Bool) async throws {
    var options = RecorderOptions()
    options.destinations = [.memory(memory)]
    options.allowsControl = true
    options.events = EventFilter(deny: ["locked"])
    let recorder = StateRecorder(
      app: "Tests", options: options, environment: RecorderEnvironment([:]))
    let machine = recorder.record(Machine(Purse()), as: "purse")
    let timeline = try #require(recorder.core?.machines.first?.timeline)
    func play(_ allow: [String]?, _ id: Int64) async throws {
      let capture = ToRecorder.Capture {
        $0.timeline = ofOne ? timeline : nil
        $0.allow = allow
      }
      _ = try await send(recorder, .capture(capture), id).all()
      // The recorder's thread reads what holds for all before it takes what waits.
      recorder.flush(within: .seconds(120))
      machine.send(.put(Int(id)))
      machine.send(.locked(code: "opensesame"))
      recorder.flush(within: .seconds(120))
    }
    try await play([], 1)
    try await play(["locked"], 2)
    try await play(nil, 3)
    let recorded = try #require(memory.timeline(named: "purse"))
    #expect(recorded.entries.compactMap(\.eventName) == ["locked", "put"])
    #expect(recorded.end?.state["coins"] == 6)
  }

  @Test("values that a machine's type redacts are in no line")
  func redaction() throws {
    let recorder = makeRecorder()
    let machine = recorder.record(Machine(Purse()), as: "purse")
    machine.send(.locked(code: "opensesame"))
    machine.send(.put(3))
    recorder.flush(within: .seconds(120))
    let timeline = try #require(memory.timeline(named: "purse"))
    #expect(timeline.entries.count == 3)
    #expect(timeline.entries.allSatisfy { !$0.line.text.contains("opensesame") })
    #expect(timeline.entries[2].redacted.map(\.pointer.description) == ["/state/code"])
  }
}

@Suite("Recorder: owners of controlled machines")
struct ControlledOwnerTests {
  /// An actor with a machine of its own.
  private actor Owner {
    private let machine = Machine(Purse())
    private let gone: AtomicFlag

    init(gone: AtomicFlag) { self.gone = gone }

    deinit { gone.set() }

    func record(by recorder: StateRecorder) {
      recorder.record(machine, as: "purse")
      machine.send(.put(1))
    }
  }

  final class AtomicFlag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
  }

  @Test(
    "an actor whose machine may be controlled is released with its last owner, even after jobs",
    .timeLimit(.minutes(10)))
  func goesAway() async throws {
    let memory = MemorySink()
    var options = RecorderOptions()
    options.destinations = [.memory(memory)]
    options.allowsControl = true
    let recorder = StateRecorder(
      app: "Tests", options: options, environment: RecorderEnvironment([:]))
    for hasJobs in [false, true] {
      let gone = AtomicFlag()
      var owner: Owner? = Owner(gone: gone)
      await owner?.record(by: recorder)
      let machine = try #require(recorder.core?.machines.last)
      let ran = Mutex<[Int]>([])
      if hasJobs {
        for number in 0..<100 {
          #expect(machine.perform { _ in ran.withLock { $0.append(number) } })
        }
        while ran.withLock({ $0.count }) < 100 { await Task.yield() }
        #expect(ran.withLock { $0 } == Array(0..<100))
      }
      #expect(!gone.isSet)
      owner = nil
      // The task that ran the jobs may be about to end.
      while !gone.isSet { await Task.yield() }
      #expect(!machine.perform { _ in })
      while recorder.core?.machines.isEmpty == false {
        #expect(recorder.flush(within: .seconds(120)))
      }
    }
    #expect(memory.timelines.allSatisfy { memory.isClosed($0.header.timeline) })
  }
}
