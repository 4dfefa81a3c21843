import StatesCore
import Testing

@Suite("The order of a feedback system")
struct FeedbackOrderTests {
  @Test("loops start in array order before the initial state reaches any, the outside is first")
  func loopsStartInArrayOrder() {
    let log = FeedbackLog<String>()
    let executor = ManualExecutor()
    func loop(_ name: String) -> Feedback<Int, Int> {
      Feedback(name) { states, _ in
        log("\(name) starts")
        for await state in states { log("\(name) sees \(state)") }
      }
    }
    func effect(_ name: String) -> Feedback<Int, Int> {
      react(name, request: { $0 }) { state, _ in log("\(name) sees \(state)") }
    }
    let run = FeedbackSystem(
      initialState: 0, reduce: { $0 + $1 }, executor: executor,
      feedback: loop("a"), effect("b"), loop("c"), effect("d")
    ).makeRun()
    let task = Task(executorPreference: executor) {
      for try await state in run { log("outside sees \(state)") }
    }
    executor.drain()
    #expect(
      log.removeAll() == [
        "a starts", "c starts", "outside sees 0", "a sees 0", "b sees 0", "c sees 0", "d sees 0",
      ])
    run.send(1)
    executor.drain()
    #expect(
      log.removeAll() == ["a sees 1", "b sees 1", "c sees 1", "d sees 1", "outside sees 1"])
    task.cancel()
    executor.drain()
    #expect(run.runningCount == 0)
  }

  @Test("events of all loops form one queue, first in, first out")
  func eventsOfAllLoopsFormOneQueue() {
    let rig = FeedbackRig(
      "", reduce: { $0 + $1 },
      react("a", whenBecomesTrue: { _ in true }) { _, emit in
        emit("1")
        emit("2")
      },
      react("b", whenBecomesTrue: { _ in true }) { _, emit in
        emit("3")
        emit("4")
      })
    #expect(rig.states.all == ["", "1", "12", "123", "1234"])
    rig.cancel()
  }

  @Test("equal states are not dropped")
  func equalStates() {
    let rig = FeedbackRig<Int, Int>(0, reduce: { state, _ in state })
    rig.send(1, 2, 3)
    #expect(rig.states.all == [0, 0, 0, 0])
    rig.cancel()
  }

  @Test("every event a loop sends while a state is being shown waits for its turn")
  func eventsDuringPublishingWaitForTheirTurn() {
    // Two loops answer each state of the other; the queue alone decides.
    func echo(_ name: String) -> Feedback<[String], String> {
      Feedback(name) { states, emit in
        for await state in states where state.count < 6 { emit("\(name)\(state.count)") }
      }
    }
    let rig = FeedbackRig([], reduce: { $0 + [$1] }, echo("a"), echo("b"))
    // Each of the first six states is answered by both.
    let expected = (0..<6).flatMap { ["a\($0)", "b\($0)"] }
    #expect(rig.states.all.last == expected)
    #expect(rig.states.all.count == 13)
    rig.cancel()
  }

  @Test("on a serial executor raw loops answer in array order; who waits first answers later")
  func answers() {
    // Four answers make the state that all four answer again.
    func loop(_ name: String, waits: Bool = false) -> Feedback<[String], String> {
      Feedback(name) { states, emit in
        for await state in states where state.isEmpty || state.count == 4 {
          if waits { await Task.yield() }
          emit(name)
        }
      }
    }
    let rig = FeedbackRig(
      [], reduce: { $0 + [$1] }, loop("a", waits: true), loop("b"), loop("c"), loop("d"))
    #expect(rig.states.all.last == ["b", "c", "d", "a", "b", "c", "d", "a"])
    rig.cancel()
  }

  @Test("reduce runs one at a time, though loops run in parallel")
  func oneAtATime() async throws {
    let inside = FeedbackLog<Int>()
    let overlaps = FeedbackLog<Int>()
    let loops = (0..<8).map { number in
      Feedback<Int, Int>("loop \(number)") { _, emit in
        for _ in 0..<50 {
          emit(1)
          await Task.yield()
        }
      }
    }
    let system = FeedbackSystem(
      initialState: 0,
      reduce: { state, event in
        inside(1)
        if inside.all.count > 1 { overlaps(state) }
        _ = inside.removeAll()
        return state + event
      }, feedback: loops)
    for try await state in system where state == 400 { break }
    #expect(overlaps.all.isEmpty)
  }

  @Test("effects run concurrently, so two that wait for each other both end")
  func effectsRunConcurrently() async throws {
    let (toSecond, firstSends) = AsyncStream.makeStream(of: Int.self)
    let (toFirst, secondSends) = AsyncStream.makeStream(of: Int.self)
    let system = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 + $1 },
      feedback:
        react("first", request: { _ in true }) { _, emit in
          firstSends.yield(1)
          for await value in toFirst { return emit(value) }
        },
      react("second", request: { _ in true }) { _, emit in
        for await value in toSecond {
          secondSends.yield(value * 10)
          return emit(value)
        }
      })
    for try await state in system where state == 11 { break }
  }

  @Test("thousands of turns need no more stack than one")
  func manyTurns() {
    let turns = 5_000
    let rig = FeedbackRig(
      0, reduce: { $0 + $1 },
      react("up", request: { $0 < turns ? $0 : nil }) { _, emit in emit(1) })
    #expect(rig.states.all.count == turns + 1)
    #expect(rig.states.all.last == turns)
    rig.cancel()
    #expect(rig.run.runningCount == 0)
  }
}
