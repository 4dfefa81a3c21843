import StatesCore
import Testing

@Suite("Effects of a feedback system")
struct FeedbackReactTests {
  private struct Job: Equatable, Sendable {
    let id: String
    let value: Int
  }

  /// An effect that says what happens to it, and lives until it is canceled.
  private func jobs(_ log: FeedbackLog<String>) -> Feedback<[String: Int], [String: Int]> {
    react(
      "jobs",
      requests: { state in
        Dictionary(uniqueKeysWithValues: state.map { ($0, Job(id: $0, value: $1)) })
      }
    ) { first, latest, _ in
      log("start \(first.id)\(first.value)")
      for await job in latest { log("got \(job.id)\(job.value)") }
      log("cancel \(first.id)")
    }
  }

  @Test("ids change, appear and vanish in one step: new values, then starts, then cancels")
  func idsChangeAppearAndVanishInOneStep() {
    let log = FeedbackLog<String>()
    let rig = FeedbackRig(setting: ["a": 1, "b": 1], jobs(log))
    #expect(log.removeAll() == ["start a1", "start b1"])
    rig.send(["b": 2, "c": 1])
    #expect(log.removeAll() == ["got b2", "start c1", "cancel a"])
    rig.send(["b": 2, "c": 1])
    #expect(log.removeAll() == [])
    rig.send([:], ["b": 2])
    #expect(log.removeAll() == ["cancel b", "cancel c", "start b2"].sorted(by: startsFirst))
    rig.cancel()
    #expect(log.removeAll() == ["cancel b"])
    #expect(rig.run.runningCount == 0)
    #expect(rig.executor.count == 0)
  }

  /// Both steps are taken before the canceled effects can respond.
  private func startsFirst(_ left: String, _ right: String) -> Bool {
    (left.hasPrefix("start") ? 1 : 0, left) < (right.hasPrefix("start") ? 1 : 0, right)
  }

  @Test("values come through the stream in order, also several before the effect looks")
  func severalValues() {
    let log = FeedbackLog<String>()
    let rig = FeedbackRig(setting: ["a": 1], jobs(log))
    rig.send(["a": 2], ["a": 3], ["a": 3], ["a": 4])
    #expect(log.removeAll() == ["start a1", "got a2", "got a3", "got a4"])
    rig.cancel()
  }

  @Test("an effect that completed starts again only after its request was absent for one state")
  func completedEffectRestartsAfterAbsence() {
    let log = FeedbackLog<String>()
    let rig = FeedbackRig(
      setting: ["a": 1],
      react("once", requests: { (state: [String: Int]) in state }) { first, _, _ in
        log("ran \(first)")
      })
    rig.send(["a": 1], ["a": 2], ["a": 3])
    #expect(log.removeAll() == ["ran 1"])
    rig.send([:], ["a": 3])
    #expect(log.removeAll() == ["ran 3"])
    rig.cancel()
  }

  @Test("an event that waits when its effect's lifetime ends is dropped, also after a restart")
  func eventOfEndedEffectIsDropped() {
    enum Event: Sendable { case ask(Int?), answer(Int) }
    struct State: Sendable, Equatable {
      var request: Int?
      var answers: [Int] = []
    }
    let emits = FeedbackLog<Emit<Event>>()
    let rig = FeedbackRig<State, Event>(
      State(request: 1),
      reduce: { state, event in
        switch event {
        case .ask(let request): State(request: request, answers: state.answers)
        case .answer(let answer): State(request: state.request, answers: state.answers + [answer])
        }
      },
      react("answer", requests: { $0.request.map { ["id": $0] } ?? [:] }) { _, _, emit in
        emits(emit)
        await waitUntilCanceled()
      })
    let first = emits.all[0]
    rig.run.send(.ask(nil))
    first(.answer(1))  // in the queue behind the event that ends it
    rig.executor.drain()
    #expect(rig.states.all.last?.answers == [])
    first(.answer(2))  // sent after its end
    rig.send(.ask(1))
    first(.answer(3))  // the same id has started again
    rig.executor.drain()
    #expect(rig.states.all.last?.answers == [])
    emits.all[1](.answer(4))
    rig.executor.drain()
    #expect(rig.states.all.last?.answers == [4])
    emits.all[1](.answer(5))
    rig.send(.ask(nil), .ask(1))
    #expect(rig.states.all.last?.answers == [4, 5])
    rig.run.send(.ask(nil))
    rig.run.send(.ask(1))
    emits.all[2](.answer(6))  // ended and restarted while it waits in the queue
    rig.executor.drain()
    #expect(rig.states.all.last?.answers == [4, 5])
    rig.cancel()
  }

  @Test("events sent before an effect completes count, those it sends after are reported")
  func afterReturning() async {
    let emits = FeedbackLog<Emit<Int>>()
    let rig = FeedbackRig(
      0, reduce: { $0 + $1 },
      react("leaks", request: { _ in true }) { _, emit in
        emits(emit)
        emit(1)
      })
    #expect(rig.states.all == [0, 1])
    emits.all[0](10)
    rig.executor.drain()
    #expect(rig.states.all == [0, 1])
    rig.cancel()
    var reported: [String] = []
    for await error in rig.run.errors { reported.append(error.description) }
    #expect(reported == ["Feedback loop \"leaks\": \(FeedbackError.sentAfterReturning)"])
  }

  @Test("a changed single request starts the new effect, then cancels the old; nil cancels")
  func changedSingleRequestStartsNewEffect() {
    let log = FeedbackLog<String>()
    let rig = FeedbackRig<Int?, Int?>(
      setting: nil,
      react("one", request: { $0 }) { request, _ in
        log("start \(request)")
        await waitUntilCanceled()
        log("cancel \(request)")
      })
    #expect(log.removeAll() == [])
    rig.send(1)
    rig.send(1)
    #expect(log.removeAll() == ["start 1"])
    rig.send(2)
    #expect(log.removeAll() == ["start 2", "cancel 1"])
    rig.send(nil)
    #expect(log.removeAll() == ["cancel 2"])
    rig.cancel()
  }

  @Test("a completed single effect starts again for another request, not for the same")
  func singleCompleted() {
    let log = FeedbackLog<Int>()
    let rig = FeedbackRig<Int?, Int?>(
      setting: 1, react("one", request: { $0 }) { request, _ in log(request) })
    rig.send(1, 2, 2, nil, 2)
    #expect(log.all == [1, 2, 2])
    rig.cancel()
  }

  @Test("members of a set keep running while present")
  func membersOfSetKeepRunningWhilePresent() {
    let log = FeedbackLog<String>()
    let rig = FeedbackRig<Set<Int>, Set<Int>>(
      setting: [1, 2],
      react("members", requests: { $0 }) { member, _ in
        log("start \(member)")
        await waitUntilCanceled()
        log("cancel \(member)")
      })
    rig.send([2, 3])
    #expect(log.removeAll() == ["start 1", "start 2", "start 3", "cancel 1"])
    rig.send([])
    #expect(log.removeAll() == ["cancel 2", "cancel 3"])
    rig.cancel()
  }

  @Test("a Void request runs while there is one")
  func voidRequest() {
    let log = FeedbackLog<String>()
    let rig = FeedbackRig<Bool, Bool>(
      setting: false,
      react("sync", request: { $0 ? () : nil }) { _ in
        log("start")
        await waitUntilCanceled()
        log("cancel")
      })
    rig.send(true, true)
    #expect(log.removeAll() == ["start"])
    rig.send(false)
    #expect(log.removeAll() == ["cancel"])
    rig.cancel()
  }

  @Test("an equality of one's own decides what a change is")
  func customEquality() {
    let log = FeedbackLog<Int>()
    let latest = FeedbackLog<Int>()
    let rig = FeedbackRig<Int, Int>(
      setting: 10,
      react("tens", request: { $0 }, by: { $0 / 10 == $1 / 10 }) { request, _ in log(request) },
      react("keyed tens", requests: { ["": $0] }, by: { $0 / 10 == $1 / 10 }) {
        first, values, _ in
        latest(first)
        for await value in values { latest(value) }
      })
    rig.send(11, 19, 20, 21)
    #expect(log.all == [10, 20])
    #expect(latest.all == [10, 20])
    rig.cancel()
  }

  @Test("edges: whenBecomesTrue and firstValueAfterNil start once until the condition has ended")
  func edgesStartOnceUntilConditionEnds() {
    let log = FeedbackLog<String>()
    let rig = FeedbackRig<Int?, Int?>(
      setting: 5,
      react("high", whenBecomesTrue: { ($0 ?? 0) > 3 }) { state, _ in
        log("high \(state ?? 0)")
        await waitUntilCanceled()
        log("no longer high")
      },
      react("first", firstValueAfterNil: { $0 }) { value, _ in log("first \(value)") })
    #expect(log.removeAll() == ["high 5", "first 5"])
    rig.send(6, 7)
    #expect(log.removeAll() == [])
    rig.send(1)
    #expect(log.removeAll() == ["no longer high"])
    rig.send(nil, 9)
    #expect(log.removeAll() == ["high 9", "first 9"])
    rig.cancel()
  }

  @Test("a loop may ask for what follows from the event that led to the state")
  func afterEvent() {
    let log = FeedbackLog<String>()
    let moments = FeedbackLog<FeedbackMoment<Int, Int>>()
    let rig = FeedbackRig<Int, Int>(
      0, reduce: { $0 + $1 },
      react("big", requestsAfter: { state, event in (event ?? 0) > 5 ? ["": state] : [:] }) {
        state, _, _ in log("big step to \(state)")
      },
      Feedback("moments") { states, _ in
        for await moment in states.moments { moments(moment) }
      })
    rig.send(1, 10, 2)
    #expect(log.all == ["big step to 11"])
    #expect(
      moments.all == [
        FeedbackMoment(state: 0), FeedbackMoment(state: 1, event: 1, number: 1),
        FeedbackMoment(state: 11, event: 10, number: 2),
        FeedbackMoment(state: 13, event: 2, number: 3),
      ])
    rig.cancel()
  }

  @Test("effects can be sequences of events")
  func effectsCanBeSequencesOfEvents() {
    let rig = FeedbackRig<[Int], Int>(
      [], reduce: { $0 + [$1] },
      react(
        "one", request: { $0.isEmpty ? 3 : nil },
        streams: { (limit: Int) in
          AsyncStream<Int> { events in
            for number in 1...limit { events.yield(number) }
            events.finish()
          }
        }))
    // The first event ends the request; the others are dropped.
    #expect(rig.states.all == [[], [1]])
    rig.cancel()
  }

  @Test("keyed effects can be sequences of events")
  func keyedStreams() {
    let rig = FeedbackRig<[Int], Int>(
      [], reduce: { $0 + [$1] },
      react(
        "keyed", requests: { ["": $0.count { $0 < 100 }] },
        streams: { first, latest in
          latest.map { (value: Int) -> Int in value * 100 + first }
        }))
    rig.send(1)
    rig.send(2)
    #expect(rig.states.all.last == [1, 100, 2, 200])
    rig.cancel()
  }
}
