import StatesCore
import Synchronization
import Testing

@Suite("The lifetime of a run")
struct FeedbackLifetimeTests {
  /// Loops of every kind, each of which keeps a token for as long as it runs.
  private func everything(_ log: FeedbackLog<String>) -> [Feedback<Int, Int>] {
    [
      Feedback("body") { _, _ in
        let token = FeedbackToken("body", log)
        await waitUntilCanceled()
        token.touch()
      },
      react("keyed", requests: { _ in ["x": 1, "y": 2] }) { first, latest, _ in
        let token = FeedbackToken("keyed \(first)", log)
        for await _ in latest {}
        token.touch()
      },
      bind("bound") { _ in
        Bindings(subscriptions: [
          Bindings.Subscription {
            let token = FeedbackToken("bound", log)
            await waitUntilCanceled()
            token.touch()
          },
          Bindings.Subscription(onEnd: { log("ended") }),
        ])
      },
      .running("inner") { _ in
        FeedbackSystem(
          initialState: 0, reduce: { $0 + $1 },
          feedback: Feedback<Int, Int>("innermost") { _, _ in
            let token = FeedbackToken("innermost", log)
            await waitUntilCanceled()
            token.touch()
          })
      } event: { _ in
        nil
      },
    ]
  }

  private let everythingEnded = [
    "ended", "released body", "released bound", "released innermost", "released keyed 1",
    "released keyed 2",
  ]

  @Test("canceling ends every task, and the iteration waits for that")
  func cancelingEndsEveryTask() {
    let log = FeedbackLog<String>()
    let loops = everything(log)
    let rig = FeedbackRig(0, reduce: { $0 + $1 }) { _, _ in loops }
    #expect(rig.run.runningCount == 5)
    #expect(log.all == [])
    rig.cancel()
    #expect(log.all.sorted() == everythingEnded)
    #expect(rig.run.runningCount == 0)
    #expect(rig.executor.count == 0)
    #expect(rig.outcome.all == ["ended"])
    #expect(rig.run.send(1) == .refused)
  }

  @Test("canceling on the shared pool ends everything before the iteration ends")
  func cancelingOnSharedPoolEndsEverything() async throws {
    let log = FeedbackLog<String>()
    let run = FeedbackSystem(
      initialState: 0, reduce: { $0 + $1 }, feedback: everything(log)
    ).makeRun()
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for try await _ in run { start.yield() }
    }
    for await _ in started { break }
    task.cancel()
    try await task.value
    #expect(run.runningCount == 0)
    // Canceled before all had begun, some loops may not have made their token; but none that was
    // made is left.
    #expect(log.liveTokens.load(ordering: .acquiring) == 0)
  }

  @Test("leaving the iteration cancels the run")
  func leavingIterationCancelsRun() {
    let log = FeedbackLog<String>()
    let executor = ManualExecutor()
    let run = FeedbackSystem(
      initialState: 0, reduce: { $0 + $1 }, executor: executor, feedback: everything(log)
    ).makeRun()
    _ = Task(executorPreference: executor) {
      for try await _ in run { break }
      log("left")
    }
    executor.drain()
    #expect(log.all.contains("left"))
    #expect(run.runningCount == 0)
    #expect(executor.count == 0)
  }

  @Test("an error that stops the run leaves nothing behind, and is thrown")
  func errorThatStopsRunLeavesNothingBehind() {
    struct Broken: Error {}
    let log = FeedbackLog<String>()
    let loops =
      everything(log) + [
        react("breaks", request: { $0 == 1 ? 1 : nil }) { _, _ in throw Broken() }
      ]
    let rig = FeedbackRig(0, reduce: { $0 + $1 }) { _, _ in loops }
    rig.send(1)
    #expect(log.all.sorted() == everythingEnded)
    #expect(rig.outcome.all == ["Broken()"])
    #expect(rig.run.runningCount == 0)
    #expect(rig.executor.count == 0)
  }

  @Test("runs of a system are independent")
  func runsOfSystemAreIndependent() {
    let executor = ManualExecutor()
    let system = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 + $1 }, executor: executor,
      feedback: react("up", request: { $0 == 0 ? 0 : nil }) { _, emit in emit(1) })
    let runs = [system.makeRun(), system.makeRun()]
    let logs = [FeedbackLog<Int>(), FeedbackLog<Int>()]
    let tasks = zip(runs, logs).map { run, log in
      Task(executorPreference: executor) { for try await state in run { log(state) } }
    }
    executor.drain()
    runs[0].send(10)
    tasks[1].cancel()
    executor.drain()
    runs[0].send(100)
    executor.drain()
    #expect(logs.map(\.all) == [[0, 1, 11, 111], [0, 1]])
    #expect(runs[0].identity != runs[1].identity)
    tasks[0].cancel()
    executor.drain()
  }

  @Test("a run can be iterated once, and not at all after it was canceled")
  func runCanBeIteratedOnce() async throws {
    let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 + $1 }, feedback: [])
    let run = system.makeRun()
    for try await state in run {
      #expect(state == 0)
      break
    }
    for try await _ in run { Issue.record("A second iteration is empty.") }
    let canceled = system.makeRun()
    canceled.cancel()
    for try await _ in canceled { Issue.record("A canceled run is empty.") }
    for await _ in canceled.errors {}
  }

  @Test("running inside the current task leaves nothing when the body throws")
  func runningInsideCurrentTaskLeavesNothingWhenBodyThrows() async throws {
    struct Enough: Error {}
    let log = FeedbackLog<String>()
    let run = FeedbackSystem(
      initialState: 0, reduce: { $0 + $1 },
      feedback: everything(log) + [react("up", request: { $0 }) { _, emit in emit(1) }]
    ).makeRun()
    await #expect(throws: Enough.self) {
      try await run.forEachState {
        // Not before all loops have begun, which the shared pool may delay.
        if $0 >= 3, log.liveTokens.load(ordering: .acquiring) == 5 { throw Enough() }
      }
    }
    #expect(run.runningCount == 0)
    #expect(log.all.filter { $0.hasPrefix("released") }.count == 5)
  }

  @Test("everything stays on the executor that is given")
  func everythingStaysOnExecutorThatIsGiven() async throws {
    let executor = ManualExecutor()
    let seen = FeedbackLog<Int>()
    let system = FeedbackSystem(
      initialState: 0, reduce: { $0 + $1 }, executor: executor,
      feedback: react("up", request: { $0 < 2 ? $0 : nil }) { state, emit in
        seen(state)
        emit(1)
      })
    // Iterated from elsewhere: without the executor nothing happens.
    var states = system.makeAsyncIterator()
    for _ in 0..<100 { await Task.yield() }
    #expect(seen.all == [])
    async let first = states.next()
    while executor.count > 0 || seen.all.count < 2 {
      executor.drain()
      await Task.yield()
    }
    #expect(try await first == 0)
    #expect(seen.all == [0, 1])
  }
}
