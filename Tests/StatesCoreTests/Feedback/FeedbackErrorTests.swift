import StatesCore
import Testing

@Suite("Errors in a feedback system")
struct FeedbackErrorTests {
  private struct Broken: Error {}

  private func reported<State, Event>(_ rig: FeedbackRig<State, Event>) async -> [String] {
    rig.cancel()
    var texts: [String] = []
    for await error in rig.run.errors {
      texts.append("\(error.loop) \(error.error)\(error.stopsTheRun ? " stops" : "")")
    }
    return texts
  }

  @Test("stop ends the run with the error, after the events that were sent before it")
  func stopEndsRunWithError() async {
    let rig = FeedbackRig(
      0, reduce: { $0 + $1 },
      react("load", whenBecomesTrue: { _ in true }) { _, emit in
        emit(1)
        throw Broken()
      })
    #expect(rig.states.all == [0, 1])
    #expect(rig.outcome.all == ["Broken()"])
    #expect(await reported(rig) == ["load Broken() stops"])
  }

  @Test("an error of an effect that is no longer requested stops nothing")
  func staleError() async {
    let rig = FeedbackRig(
      0, reduce: { $0 + $1 },
      react("load", request: { $0 == 0 ? 0 : nil }) { _, emit in
        emit(1)
        throw Broken()
      })
    #expect(rig.states.all == [0, 1])
    #expect(rig.outcome.all == [])
    #expect(await reported(rig) == [])
  }

  @Test("ignore completes the effect and reports the error as unhandled")
  func ignoreCompletesEffectAndReportsErrorAsUnhandled() async {
    let rig = FeedbackRig(
      0, reduce: { $0 + $1 },
      react("load", request: { $0 / 10 }, onError: .ignore) { _, _ in throw Broken() })
    rig.send(1, 2)
    #expect(rig.states.all == [0, 1, 3])
    #expect(rig.outcome.all == [])
    rig.send(10)
    #expect(await reported(rig) == ["load Broken()", "load Broken()"])
  }

  @Test("replace sends an event instead of the error")
  func replaceSendsEventInsteadOfError() async {
    let rig = FeedbackRig(
      "", reduce: { $0 + $1 },
      react("load", whenBecomesTrue: { _ in true }, onError: .replace { "\($0)" }) { _, _ in
        throw Broken()
      })
    #expect(rig.states.all == ["", "Broken()"])
    #expect(await reported(rig) == [])
  }

  @Test("retry waits longer each time, then applies the next policy")
  func retryWaitsLongerEachTime() async {
    let log = FeedbackLog<Duration>()
    let backoff = Backoff(first: .seconds(1), factor: 2, longest: .seconds(5), attempts: 4)
    let rig = FeedbackRig<String, String>("", reduce: { $0 + $1 }) { _, clock in
      [
        react(
          "load", whenBecomesTrue: { _ in true },
          onError: .retry(backoff, then: .replace { _ in "gave up" })
        ) { _, _ in
          log(clock.now.offset)
          throw Broken()
        }
      ]
    }
    rig.advance(by: .milliseconds(999))
    #expect(log.all == [.zero])
    rig.advance(by: .milliseconds(1))
    #expect(log.all == [.zero, .seconds(1)])
    rig.advance(by: .seconds(100))
    #expect(log.all == [0, 1, 3, 7, 12].map { .seconds($0) })
    #expect(rig.states.all == ["", "gave up"])
    #expect(await reported(rig) == [])
  }

  @Test("a new attempt starts with the newest value and receives later ones")
  func retryWithLatest() async {
    let log = FeedbackLog<Int>()
    let rig = FeedbackRig<Int, Int>(
      setting: 1,
      react("load", requests: { ["": $0] }, onError: .retry(Backoff(first: .seconds(1)))) {
        first, latest, _ in
        log(first)
        if first < 3 { throw Broken() }
        for await value in latest { log(value) }
      })
    rig.send(2, 3)
    rig.advance(by: .seconds(1))
    rig.send(4)
    #expect(log.all == [1, 3, 4])
    #expect(await reported(rig) == [])
  }

  @Test("a request that vanishes ends the delay before a new attempt")
  func requestThatVanishesEndsRetryDelay() async {
    let log = FeedbackLog<Int>()
    let rig = FeedbackRig<Int?, Int?>(
      setting: 1,
      react("load", request: { $0 }, onError: .retry(Backoff(first: .seconds(1)))) { value, _ in
        log(value)
        throw Broken()
      })
    #expect(rig.clock.sleeperCount == 1)
    rig.send(nil)
    #expect(rig.clock.sleeperCount == 0)
    #expect(rig.run.runningCount == 0)
    rig.advance(by: .seconds(10))
    #expect(log.all == [1])
    rig.cancel()
  }

  @Test("a loop's own body is subject to the policy as well")
  func loopBodyIsSubjectToPolicyAsWell() async {
    let log = FeedbackLog<String>()
    let rig = FeedbackRig<Int, Int>(
      0, reduce: { $0 + $1 },
      Feedback("fragile", onError: .retry(Backoff(first: .seconds(1), attempts: 1), then: .ignore))
      { states, _ in
        log("start")
        for await state in states where state == 1 { throw Broken() }
      })
    rig.send(1)
    rig.advance(by: .seconds(1))
    #expect(log.all == ["start", "start"])
    #expect(rig.run.runningCount == 0)
    #expect(await reported(rig) == ["fragile Broken()"])
  }

  @Test(
    "delays grow by the factor up to the longest, for as many attempts as there are",
    arguments: [
      (Backoff(first: .seconds(1)), [1, 2, 4, 8, 16, 32, 60, 60]),
      (Backoff(first: .seconds(2), factor: 1, longest: .seconds(9), attempts: 2), [2, 2]),
      (Backoff(first: .seconds(9), longest: .seconds(3)), [3, 3]),
      (Backoff(first: .zero, attempts: 3), [0, 0, 0]),
      (Backoff(first: .seconds(1), attempts: 0), []),
    ])
  func delaysGrowByFactorUpToLongest(_ backoff: Backoff, _ expected: [Int]) {
    let delays = (1...8).map { backoff.delay(beforeAttempt: $0) }
    #expect(Array(delays.prefix(expected.count)) == expected.map { .seconds($0) })
    if let attempts = backoff.attempts {
      #expect(delays.dropFirst(attempts).allSatisfy { $0 == nil })
    }
    if backoff.attempts == nil { #expect(backoff.delay(beforeAttempt: .max) != nil) }
  }

  @Test("a full queue stops the run or loses the newest or oldest event, depending on the policy")
  func fullQueueFollowsOverflowPolicy() async {
    func rig(_ overflow: FeedbackOverflow) -> FeedbackRig<[Int], Int> {
      FeedbackRig(
        [], options: FeedbackOptions(eventLimit: 3, overflow: overflow),
        reduce: { $0 + [$1] },
        Feedback("floods") { states, emit in
          for await _ in states {
            for number in 1...5 { emit(number) }
            return
          }
        })
    }
    // The first event goes straight to the run, which waits for one; three more have room.
    let stopping = rig(.stop)
    #expect(stopping.states.all.last == [1, 2, 3, 4])
    #expect(stopping.outcome.all == ["\(FeedbackError.queueIsFull(limit: 3))"])
    #expect(await reported(stopping).count == 1)
    let newest = rig(.dropNewest)
    #expect(newest.states.all.last == [1, 2, 3, 4])
    #expect(await reported(newest).count == 1)
    let oldest = rig(.dropOldest)
    #expect(oldest.states.all.last == [1, 3, 4, 5])
    #expect(await reported(oldest).count == 1)
  }

  @Test("a subscription that throws ends its binding, though its events go on")
  func bindingEnds() {
    struct Failed: Error {}
    let log = FeedbackLog<String>()
    let rig = FeedbackRig<Int, Int>(
      0, reduce: { $0 + $1 },
      bind("bound") { states in
        Bindings(
          subscriptions: [
            states.subscribe { state in if state == 1 { throw Failed() } },
            Bindings.Subscription(onEnd: { log("canceled") }),
          ],
          events: [.from(AsyncStream { _ in })])
      })
    rig.send(1)
    #expect(rig.outcome.all == ["Failed()"])
    #expect(log.all == ["canceled"])
    #expect(rig.run.runningCount == 0)
  }

  @Test("after an error everything has ended, in whatever order, before the iteration throws")
  func endsBeforeThrowing() async {
    struct Failed: Error {}
    let log = FeedbackLog<String>()
    let loops: [Feedback<Int, Int>] = (0..<4).map { number in
      Feedback("loop \(number)") { _, _ in
        await waitUntilCanceled()
        log("ended \(number)")
      }
    }
    let failing: Feedback<Int, Int> = react("failing", request: { $0 }) { _, _ in throw Failed() }
    let run = FeedbackSystem(
      initialState: 0, reduce: { $0 + $1 }, feedback: loops + [failing]
    ).makeRun()
    await #expect(throws: Failed.self) { for try await _ in run {} }
    #expect(log.all.sorted() == (0..<4).map { "ended \($0)" })
    #expect(run.runningCount == 0)
  }
}
