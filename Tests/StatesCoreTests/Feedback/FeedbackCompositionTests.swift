import StatesCore
import Testing

@Suite("Putting feedback systems together")
struct FeedbackCompositionTests {
  @Test("bind keeps subscriptions until the run ends, even without events")
  func bindKeepsSubscriptionsUntilRunEnds() {
    let log = FeedbackLog<String>()
    let (taps, tap) = AsyncStream.makeStream(of: Int.self)
    let rig = FeedbackRig<Int, Int>(
      0, reduce: { $0 + $1 },
      bind("screen") { states in
        Bindings(subscriptions: [states.subscribe { log("shows \($0)") }])
      },
      bind("taps") { states in
        Bindings(
          subscriptions: [states.subscribe { log("also shows \($0)") }], events: [.from(taps)])
      })
    tap.yield(1)
    tap.finish()
    rig.executor.drain()
    rig.send(1)
    #expect(
      log.all == [
        "shows 0", "also shows 0", "shows 1", "also shows 1", "shows 2", "also shows 2",
      ])
    rig.cancel()
    #expect(rig.run.runningCount == 0)
  }

  private final class Screen: Sendable {
    let log: FeedbackLog<String>
    let token: FeedbackToken

    init(_ log: FeedbackLog<String>) {
      self.log = log
      token = FeedbackToken("screen", log)
    }

    func loop() -> Feedback<Int, Int> {
      bind(self) { me, states in
        Bindings(
          subscriptions: [states.subscribe(me) { me, state in me.log("shows \(state)") }],
          events: [Bindings.Source { emit in emit(1) }])
      }
    }
  }

  @Test("bind(owner) holds the owner weakly, before the run and in it")
  func weakOwner() {
    let log = FeedbackLog<String>()
    var screen: Screen? = Screen(log)
    let rig = FeedbackRig(0, reduce: { $0 + $1 }) { _, _ in [screen!.loop()] }
    #expect(rig.run.runningCount == 1)
    #expect(log.removeAll() == ["shows 0", "shows 1"])
    screen = nil
    #expect(log.removeAll() == ["released screen"])
    rig.send(1)
    #expect(log.removeAll() == [])
    rig.cancel()

    let late = Screen(log).loop()
    #expect(log.removeAll() == ["released screen"])
    #expect(late.name == "loop")
    let unbound = FeedbackRig(0, reduce: { $0 + $1 }, late)
    #expect(unbound.states.all == [0])
    unbound.cancel()
  }

  @Test("each consumer of the states starts with the current one, and sees every later one")
  func eachConsumerOfStatesStartsWithCurrentOne() {
    let log = FeedbackLog<String>()
    let (signal, go) = AsyncStream.makeStream(of: Void.self)
    let rig = FeedbackRig<Int, Int>(
      0, reduce: { $0 + $1 },
      Feedback("two") { states, _ in
        await withTaskGroup(of: Void.self) { group in
          group.addTask { for await state in states { log("first \(state)") } }
          group.addTask {
            for await _ in signal { break }
            for await state in states { log("second \(state)") }
          }
        }
      })
    rig.send(1, 1)
    #expect(log.removeAll() == ["first 0", "first 1", "first 2"])
    go.yield()
    rig.executor.drain()
    #expect(log.removeAll() == ["second 2"])
    rig.send(1)
    #expect(log.removeAll() == ["first 3", "second 3"])
    rig.cancel()
  }

  @Test("a slow consumer blocks the run or loses the oldest states, depending on its buffer")
  func slowConsumer() {
    func rig(_ buffer: FeedbackBuffer) -> (FeedbackRig<Int, Int>, FeedbackLog<Int>) {
      let log = FeedbackLog<Int>()
      let rig = FeedbackRig<Int, Int>(0, reduce: { $0 + $1 }) { _, clock in
        [
          Feedback("slow") { states, _ in
            for await state in states.buffered(buffer) {
              log(state)
              try await clock.sleep(for: .seconds(1))
            }
          }
        ]
      }
      rig.send(1, 1, 1, 1, 1)
      return (rig, log)
    }
    let (waiting, all) = rig(.wait(limit: 2))
    #expect(waiting.states.all == [0, 1, 2])
    waiting.advance(by: .seconds(10))
    #expect(waiting.states.all == [0, 1, 2, 3, 4, 5])
    #expect(all.all == [0, 1, 2, 3, 4, 5])
    waiting.cancel()
    let (running, some) = rig(.newest(limit: 2))
    #expect(running.states.all == [0, 1, 2, 3, 4, 5])
    running.advance(by: .seconds(10))
    #expect(some.all == [0, 4, 5])
    running.cancel()
  }

  @Test("the outside receives every state late or only the newest, depending on the options")
  func slowOutside() {
    func states(_ buffer: FeedbackBuffer) -> [Int] {
      let executor = ManualExecutor()
      let clock = ManualClock()
      let log = FeedbackLog<Int>()
      let run = FeedbackSystem(
        initialState: 0, reduce: { (_: Int, event: Int) in event }, executor: executor,
        options: FeedbackOptions(states: buffer), feedback: []
      ).makeRun()
      let task = Task(executorPreference: executor) {
        for try await state in run {
          log(state)
          try await clock.sleep(for: .seconds(1))
        }
      }
      executor.drain()
      for event in 1...9 { run.send(event) }
      clock.advance(by: .seconds(60), draining: executor)
      task.cancel()
      executor.drain()
      return log.all
    }
    #expect(states(.wait(limit: 1)) == Array(0...9))
    #expect(states(.newest(limit: 1)) == [0, 9])
  }

  private struct App: Sendable, Equatable {
    var count = 0
    var other = 0
  }

  private enum AppEvent: Sendable {
    case counter(Int)
    case other(Int)
  }

  @Test("a pulled-back loop sees its part of the states, and its events become the whole's")
  func pulledBackLoopSeesPartOfStates() {
    let log = FeedbackLog<String>()
    let requests: Feedback<Int, Int> = react(
      "five", requestsAfter: { state, event in state == 5 ? ["five": event] : [:] }
    ) { event, _, emit in
      log("five after \(event.map(String.init) ?? "other")")
      emit(-5)
    }
    let body = Feedback<Int, Int>("body") { states, _ in
      for await moment in states.moments {
        log("\(moment.state) after \(moment.event.map(String.init) ?? "other")")
      }
    }
    let part: @Sendable (AppEvent) -> Int? = {
      if case .counter(let count) = $0 { count } else { nil }
    }
    let rig = FeedbackRig<App, AppEvent>(
      App(),
      reduce: { state, event in
        switch event {
        case .counter(let change): App(count: state.count + change, other: state.other)
        case .other(let change): App(count: state.count, other: state.other + change)
        }
      },
      requests.pullback(state: \.count, event: { .counter($0) }, part: part),
      body.pullback(state: \.count, event: { .counter($0) }, part: part))
    #expect(log.removeAll() == ["0 after other"])
    rig.send(.counter(5))
    #expect(log.removeAll().sorted() == ["0 after -5", "5 after 5", "five after 5"])
    rig.send(.other(1))
    #expect(log.removeAll() == ["0 after other"])
    #expect(rig.states.all.last == App(count: 0, other: 1))
    rig.cancel()
  }

  @Test("a run of another system may be a loop, fed by the outer states")
  func runOfAnotherSystemMayBeLoop() {
    let rig = FeedbackRig<[Int], Int>(
      [], reduce: { $0 + [$1] },
      .running("sums") { outer in
        FeedbackSystem<Int, Int>(
          initialState: 0, reduce: { $0 + $1 },
          feedback: Feedback("follow") { _, emit in
            for await state in outer { if let last = state.last, last < 100 { emit(last) } }
          })
      } event: { sum in
        sum > 5 ? 100 + sum : nil
      })
    rig.send(3)
    rig.send(4)
    #expect(rig.states.all.last == [3, 4, 107])
    rig.cancel()
    #expect(rig.executor.count == 0)
  }

  private actor Database {
    var value = 10
    func set(_ value: Int) { self.value = value }
  }

  @Test("an external state is loaded before each event and stored before a loop sees it")
  func externalStateIsLoadedBeforeEachEventAndStored() async throws {
    let database = Database()
    let seen = FeedbackLog<Int>()
    let run = FeedbackSystem(
      state: FeedbackStore(
        load: { await database.value }, store: { await database.set($0) }),
      reduce: { $0 + $1 },
      feedback: Feedback<Int, Int>("check") { states, _ in
        for await state in states { seen(await database.value - state) }
      }
    ).makeRun()
    for try await state in run {
      if state == 10 {
        await database.set(20)
        run.send(1)
      }
      if state == 21 { break }
    }
    #expect(await database.value == 21)
    #expect(seen.all.allSatisfy { $0 == 0 || $0 == 10 || $0 == 11 })
  }

  @Test("an error of the store stops the run")
  func brokenStore() async {
    struct Full: Error {}
    let run = FeedbackSystem<Int, Int>(
      state: FeedbackStore(load: { 0 }, store: { _ in throw Full() }), reduce: { $0 + $1 },
      feedback: []
    ).makeRun()
    run.send(1)
    await #expect(throws: Full.self) { for try await _ in run {} }
  }

  @Test("repeated names are made unique, and `feedback:` takes several arrays")
  func repeatedNamesAreMadeUnique() {
    func loop(_ name: String) -> Feedback<Int, Int> { Feedback(name) { _, _ in } }
    let system = FeedbackSystem(
      initialState: 0, reduce: { $0 + $1 },
      feedback: [loop("a"), loop("a.2")], [loop("a"), loop("b"), loop("a")])
    #expect(system.loopNames == ["a", "a.2", "a.3", "b", "a.4"])
  }
}
