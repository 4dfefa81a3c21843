import StatesCore
import Testing

// As in `CallSiteTests.swift`: everything here is on the main actor, as nothing says otherwise.

/// A state that lives elsewhere.
private actor Database {
  private(set) var query = Query()
  func save(_ query: Query) { self.query = query }
}

private struct Offline: Error {}

@Suite("Runs of feedback systems, on the main actor by default")
struct FeedbackRunCallSiteTests {
  private func load() -> Feedback<Query, QueryEvent> {
    react(request: { $0.text }, by: { $0 == $1 }) { text, emit in
      emit(.found(["\(text) 1", "\(text) 2"]))
    }
  }

  @Test("a run is sent events, held, restored, resumed, and canceled as documented")
  func runIsControlledAsDocumented() async throws {
    let system = FeedbackSystem(
      initialState: Query(), reduce: QueryEvent.reduce,
      options: FeedbackOptions(overflow: .dropNewest, states: .newest(limit: 8)),
      feedback: [load()], [])
    #expect(system.loopNames == ["load"])
    let run = system.makeRun()
    #expect(run.send(.typed("tea")) == .queued)
    var last: [String] = []
    for try await state in run {
      last = state.results
      guard state.results.count == 2 else { continue }
      if run.isHeld { break }
      run.hold(.queue(limit: 1))
      run.restore(Query(results: ["x", "y"]))
    }
    #expect(last == ["x", "y"])
    run.resume()
    run.cancel()
    #expect(run.send(.synced) == .refused)
  }

  @Test("policies for errors, and the stream of unhandled ones, are used as documented")
  func errorPoliciesAreUsedAsDocumented() async throws {
    let executor = ManualExecutor()
    let clock = ManualClock()
    let system = FeedbackSystem(
      initialState: Query(text: "tea"), reduce: QueryEvent.reduce, executor: executor, clock: clock,
      feedback:
        react("first", request: { $0.text }, onError: .ignore) { _, _ in throw Offline() },
      react(
        "second", request: { $0.text },
        onError: .retry(
          Backoff(first: .seconds(1), attempts: 1), then: .replace { .found(["\($0)"]) })
      ) { _, _ in throw Offline() })
    let run = system.makeRun()
    let task = Task(executorPreference: executor) { @concurrent in
      for try await state in run where !state.results.isEmpty { return state.results }
      return []
    }
    clock.advance(by: .seconds(1), draining: executor)
    #expect(try await task.value == ["Offline()"])
    executor.drain()
    var unhandled: [String] = []
    for await error in run.errors { unhandled.append(error.loop) }
    #expect(unhandled == ["first"])
  }

  @Test("loops of events, streams, other systems and states that live elsewhere are documented")
  func composedLoopsAreUsedAsDocumented() async throws {
    let database = Database()
    let system = FeedbackSystem(
      state: FeedbackStore(
        load: { await database.query }, store: { await database.save($0) }),
      reduce: QueryEvent.reduce,
      feedback:
        react("after", requestsAfter: { state, event in event == nil ? ["start": 1] : [:] }) {
          _, _, emit in
          emit(.typed("tea"))
        },
      react(
        "stream", request: { $0.text },
        streams: { text in
          AsyncStream { events in
            events.yield(.found([text]))
            events.finish()
          }
        }),
      .running("inner") { outer in
        FeedbackSystem(
          initialState: 0, reduce: { $0 + $1 },
          feedback: Feedback("follow") { _, emit in
            for await state in outer { emit(state.results.count) }
          })
      } event: { (sum: Int) in
        sum == 1 ? .synced : nil
      },
      bind("log") { states in
        Bindings(subscriptions: [states.subscribe { print($0.results) }])
      })
    try? await system.forEachState { state in
      if state.results == ["tea"], state.sync == nil { throw CancellationError() }
    }
    #expect(await database.query.results == ["tea"])
  }
}
