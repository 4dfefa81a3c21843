import StatesCore
import Synchronization
import Testing

/// Every loop gets every state from the initial one on, however late its task gets a thread.
@Suite("Which states a loop gets")
struct FeedbackListeningTests {
  /// A gate that a loop waits at before it listens, as if its thread had been taken away there.
  private struct Gate: Sendable {
    private let passes: AsyncStream<Void>
    private let pass: AsyncStream<Void>.Continuation

    init() { (passes, pass) = AsyncStream.makeStream(of: Void.self) }

    func open() { pass.yield() }

    func wait() async {
      for await _ in passes { break }
    }
  }

  /// A loop that begins to listen when the gate opens.
  private func loop(
    _ kind: FeedbackKind, _ gate: Gate, _ log: FeedbackLog<Int>
  ) throws -> Feedback<Int, Int> {
    try #require(kind.loop(wait: { await gate.wait() }) { state, _ in log(state) })
  }

  @Test("a loop that listens late receives every state, starting with the initial one")
  func loopThatListensLateReceivesEveryState() throws {
    for kind in [FeedbackKind.raw, .moments, .subscription, .source, .pulledBack, .inner] {
      let gate = Gate()
      let log = FeedbackLog<Int>()
      let rig = try FeedbackRig(0, reduce: { $0 + $1 }, loop(kind, gate, log))
      rig.send(1, 1, 1)
      #expect(log.all.isEmpty)
      gate.open()
      rig.executor.drain()
      rig.send(1)
      #expect(log.all == [0, 1, 2, 3, 4], "\(kind)")
      rig.cancel()
    }
  }

  @Test("a late loop receives the newest or all states, depending on its buffer")
  func lateLoopReceivesNewestOrAllStates() {
    for (buffer, expected) in [
      (FeedbackBuffer.newest(limit: 2), [2, 3]), (.wait(limit: 1), [0, 1, 2, 3]),
    ] {
      let gate = Gate()
      let log = FeedbackLog<Int>()
      let rig = FeedbackRig(
        0, reduce: { $0 + $1 },
        Feedback<Int, Int>("late") { states, _ in
          await gate.wait()
          for await state in states.buffered(buffer) { log(state) }
        })
      rig.send(1, 1, 1)
      gate.open()
      rig.executor.drain()
      #expect(log.all == expected)
      rig.cancel()
    }
  }

  @Test("a second consumer in the same loop starts with the current state")
  func secondConsumerInSameLoopStartsWithCurrentState() {
    let log = FeedbackLog<String>()
    let rig = FeedbackRig(
      0, reduce: { $0 + $1 },
      Feedback<Int, Int>("nested") { states, _ in
        for await state in states {
          log("first \(state)")
          if state == 2 { break }
        }
        for await state in states { log("second \(state)") }
      })
    for _ in 0..<3 { rig.send(1) }
    #expect(log.all == ["first 0", "first 1", "first 2", "second 2", "second 3"])
    rig.cancel()
  }

  @Test("a loop that starts after 1,024 states begins with the current one, and reports the others")
  func lateLoopBeyondLimitStartsWithCurrentState() async throws {
    for (count, expected) in [(1_023, 1_024), (1_024, 1), (1_500, 1)] {
      let gate = Gate()
      let log = FeedbackLog<Int>()
      let rig = try FeedbackRig(0, reduce: { $0 + $1 }, loop(.raw, gate, log))
      for _ in 0..<count { rig.run.send(1) }
      rig.executor.drain()
      gate.open()
      rig.executor.drain()
      #expect(log.all.count == expected)
      #expect(log.all.last == count)
      rig.cancel()
      var errors: [String] = []
      for await error in rig.run.errors { errors.append("\(error.loop) \(error.error)") }
      let missed = count + 1 - expected
      let report = """
        raw The loop missed \(missed) states, because it began to listen after they had passed. To \
        fix, begin its 'for await' before anything else that takes long.
        """
      #expect(errors == (missed > 0 ? [report] : []))
    }
  }

  @Test("a loop that never listens, or listens again, reports no missed states")
  func noReportWithoutLoss() async {
    let again = Feedback<Int, Int>("again") { states, _ in
      for await state in states where state == 0 { break }
      for await state in states where state == 1_400 { break }
      for await _ in states {}
    }
    let silent = Feedback<Int, Int>("silent") { _, _ in await waitUntilCanceled() }
    let rig = FeedbackRig(0, reduce: { $0 + $1 }, again, silent)
    for _ in 0..<1_500 { rig.run.send(1) }
    rig.executor.drain()
    rig.cancel()
    var errors = 0
    for await _ in rig.run.errors { errors += 1 }
    #expect(errors == 0)
  }

  @Test("no states are buffered for a loop that returned or cannot listen")
  func nothingKept() {
    struct State: Sendable {
      var token: FeedbackToken?
    }
    let log = FeedbackLog<String>()
    let loops: [Feedback<State, State>] = [
      Feedback("returned") { _, _ in },
      Feedback("listening") { states, _ in for await _ in states {} },
      react("reacting", request: { _ in true }) { _, _ in await waitUntilCanceled() },
      bind("bound") { states in
        Bindings(
          subscriptions: [states.subscribe { _ in }],
          events: [.from(AsyncStream { _ in })])
      },
    ]
    for loop in loops {
      let rig = FeedbackRig<State, State>(State(), reduce: { $1 }, loop)
      rig.run.send(State(token: FeedbackToken("state", log)))
      rig.executor.drain()
      rig.run.send(State())
      rig.executor.drain()
      _ = rig.states.removeAll()
      #expect(log.liveTokens.load(ordering: .acquiring) == 0, "\(loop.name)")
      rig.cancel()
    }
  }

  @Test("a binding that is retried continues with the current state")
  func bindingThatIsRetriedContinuesWithCurrentState() {
    struct Failed: Error {}
    let log = FeedbackLog<Int>()
    let rig = FeedbackRig<Int, Int>(
      0, reduce: { $0 + $1 },
      bind("b", onError: .retry(Backoff(first: .seconds(1)), then: .stop)) { states in
        Bindings(subscriptions: [
          states.subscribe { state in
            log(state)
            if state == 1 { throw Failed() }
          },
          Bindings.Subscription { await waitUntilCanceled() },
        ])
      })
    rig.send(1)
    rig.send(1)
    rig.advance(by: .seconds(1))
    rig.send(1)
    #expect(log.all == [0, 1, 2, 3])
    rig.cancel()
  }
}
