import Synchronization
import Testing

@testable import StatesCore

@Suite("Recording, holding and restoring a run")
struct FeedbackRecordingTests {
  private func tap(_ log: FeedbackLog<String>, _ steps: FeedbackLog<StepDetails>)
    -> FeedbackTap<Int, Int>
  {
    @Sendable func text(_ requests: [FeedbackRequests]) -> String {
      requests.filter { !$0.ids.isEmpty }.map { "\($0.loop)\($0.ids)" }.joined(separator: " ")
    }
    return FeedbackTap(
      didStart: { log("start \($0) \(text($1))") },
      willHandle: { log("will \($0)") },
      didHandle: { event, before, after, details, requests in
        let event = event.map(String.init) ?? "restore"
        log("\(details.number) \(event) \(before)->\(after) \(text(requests))")
        steps(details)
      },
      didEnd: { log("end \($0.map { "\($0)" } ?? "")") })
  }

  @Test("each step is recorded with its loop, its cause and the live requests")
  func eachStepIsRecordedWithLoopAndCause() async throws {
    let log = FeedbackLog<String>()
    let steps = FeedbackLog<StepDetails>()
    let executor = ManualExecutor()
    let makeTap = tap
    let run = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 + $1 }, executor: executor,
      feedback:
        react("tens", request: { $0 >= 10 ? $0 / 10 : nil }) { _, emit in
          #expect(Cause.current != nil)
          emit(1)
        },
      react("keyed", requests: { state in state > 0 ? ["b": 1, "a": 2] : [:] }) { _, _, _ in }
    ).recorded { _ in makeTap(log, steps) }.makeRun()
    let task = Task(executorPreference: executor) { for try await _ in run {} }
    executor.drain()
    run.send(5)
    executor.drain()
    run.send(5)
    executor.drain()
    task.cancel()
    executor.drain()
    #expect(
      log.all == [
        "start 0 ", "will 5", #"1 5 0->5 keyed["a", "b"]"#, "will 5",
        #"2 5 5->10 tens["1"] keyed["a", "b"]"#, "will 1",
        #"3 1 10->11 tens["1"] keyed["a", "b"]"#, "end ",
      ])
    #expect(steps.all.map(\.origin) == [.app, .app, .loop("tens")])
    #expect(
      steps.all.map(\.cause) == [nil, nil, Cause(machine: run.identity, number: 2)])
    #expect(steps.all.allSatisfy { "\($0.callSite.file)".contains("FeedbackRecordingTests") })
    #expect(
      run.system.requests(in: 11) == [
        FeedbackRequests(loop: "tens", ids: ["1"]),
        FeedbackRequests(loop: "keyed", ids: ["a", "b"]),
      ])
  }

  @Test("each run has a tap of its own, made at its beginning, and may have none")
  func tapPerRun() async throws {
    let identities = FeedbackLog<UInt>()
    let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 + $1 }, feedback: [])
      .recorded { run in
        identities(run.identity)
        return nil
      }
    for _ in 0..<2 { for try await _ in system { break } }
    #expect(Set(identities.all).count == 2)
  }

  @Test("the same event from a nested machine is caused by that machine's step")
  func nestedCause() {
    let steps = FeedbackLog<StepDetails>()
    let executor = ManualExecutor()
    let makeTap = tap
    let cause = Cause(machine: 99, number: 7)
    let run = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 + $1 }, executor: executor,
      feedback: react("nested", request: { $0 == 0 ? 1 : nil }) { value, emit in
        Cause.with(cause) { emit(value) }
      }
    ).recorded { _ in makeTap(FeedbackLog(), steps) }.makeRun()
    let task = Task(executorPreference: executor) { for try await _ in run {} }
    executor.drain()
    #expect(steps.all.map(\.cause) == [cause])
    task.cancel()
    executor.drain()
  }

  private func listening(_ log: FeedbackLog<String>) -> [Feedback<Int, Int>] {
    [
      bind("shows") { states in
        Bindings(subscriptions: [states.subscribe { log("shows \($0)") }])
      },
      react("acts", request: { $0 }) { state, _ in
        log("starts \(state)")
        await waitUntilCanceled()
        log("ends \(state)")
      },
    ]
  }

  @Test("restore shows the state to all and acts on nothing; the next event does")
  func restoreShowsStateToAllAndActsOnNothing() {
    let log = FeedbackLog<String>()
    let rig = FeedbackRig(0, reduce: { $0 + $1 }) { _, _ in listening(log) }
    #expect(log.removeAll().sorted() == ["shows 0", "starts 0"])
    rig.run.restore(40)
    rig.executor.drain()
    #expect(log.removeAll() == ["shows 40"])
    rig.send(2)
    #expect(log.removeAll().sorted() == ["ends 0", "shows 42", "starts 42"])
    #expect(rig.states.all == [0, 40, 42])
    rig.cancel()
  }

  @Test("a held run refuses or queues events; resumed, its effects follow the state there is")
  func heldRunRefusesOrQueuesEvents() {
    let log = FeedbackLog<String>()
    let rig = FeedbackRig(0, reduce: { $0 + $1 }) { _, _ in listening(log) }
    _ = log.removeAll()
    rig.run.hold(.refuse)
    #expect(rig.run.isHeld)
    #expect(rig.run.send(1) == .refused)
    rig.run.hold(.queue(limit: 1))
    #expect(rig.run.send(1) == .queued)
    #expect(rig.run.send(1) == .refused)
    rig.run.restore(10)
    rig.run.send(5, at: CallSite(), origin: .inspector, evenWhileHeld: true)
    rig.executor.drain()
    #expect(rig.states.all == [0, 10, 15])
    #expect(log.removeAll() == ["shows 10", "shows 15"])
    rig.run.resume()
    rig.run.resume()
    #expect(!rig.run.isHeld)
    rig.executor.drain()
    #expect(rig.states.all == [0, 10, 15, 16])
    #expect(
      log.removeAll().sorted()
        == ["ends 0", "ends 15", "shows 16", "starts 15", "starts 16"].sorted())
    rig.cancel()
  }

  @Test("a run whose holder is gone resumes when an event arrives")
  func runWithoutHolderResumesOnNextEvent() {
    let log = FeedbackLog<String>()
    let rig = FeedbackRig(0, reduce: { $0 + $1 }) { _, _ in listening(log) }
    let isThere = Atomic(true)
    let holder: @Sendable () -> Bool = { isThere.load(ordering: .relaxed) }
    rig.run.hold(.queue(limit: 2), while: holder)
    #expect(rig.run.send(1) == .queued)
    rig.executor.drain()
    #expect(rig.states.all == [0])
    isThere.store(false, ordering: .relaxed)
    #expect(rig.run.isHeld)
    #expect(rig.run.send(2) == .queued)
    #expect(!rig.run.isHeld)
    rig.executor.drain()
    #expect(rig.states.all == [0, 1, 3])
    // A hold without a condition stays.
    rig.run.hold(.refuse)
    #expect(rig.run.send(4) == .refused)
    rig.run.resume()
    rig.cancel()
  }

  @Test("a run that is held before it starts does nothing until it resumes")
  func heldFromTheStart() {
    let log = FeedbackLog<String>()
    let executor = ManualExecutor()
    let run = FeedbackSystem(
      initialState: 0, reduce: { $0 + $1 }, executor: executor, feedback: listening(log)
    ).makeRun()
    run.hold(.refuse)
    let task = Task(executorPreference: executor) { for try await _ in run {} }
    executor.drain()
    #expect(log.removeAll() == ["shows 0"])
    run.resume()
    executor.drain()
    #expect(log.removeAll() == ["starts 0"])
    task.cancel()
    executor.drain()
  }
}
