import StatesCore
import Testing

// As in `CallSiteTests.swift`: everything here is on the main actor, as nothing says otherwise.

struct Query {
  var text: String?
  var results: [String] = []
  var pages: [String: Int] = [:]
  var sync: Void?
}

enum QueryEvent {
  case typed(String)
  case found([String])
  case synced

  nonisolated static func reduce(state: Query, event: QueryEvent) -> Query {
    switch event {
    case .typed(let text): Query(text: text, pages: ["first": 1])
    case .found(let results): Query(results: results, sync: ())
    case .synced: Query(results: state.results)
    }
  }
}

final class QueryScreen {
  let (shows, showing) = AsyncStream.makeStream(of: [String].self)
  let (typing, keyboard) = AsyncStream.makeStream(of: QueryEvent.self)

  func show(_ results: [String]) { showing.yield(results) }

  func loop() -> Feedback<Query, QueryEvent> {
    bind(self) { @MainActor me, states in
      Bindings(
        subscriptions: [
          states.subscribe(me) { @MainActor me, state in me.show(state.results) }
        ],
        events: [.from(me.typing)])
    }
  }
}

@Suite("Feedback systems, on the main actor by default")
struct FeedbackCallSiteTests {
  @Test("every way to make a loop compiles and runs from the main actor")
  func everyLoop() async throws {
    let screen = QueryScreen()
    let inner: Feedback<Int, Int> = react("inner", whenBecomesTrue: { $0 > 100 }) { _, emit in
      emit(1)
    }
    let system = FeedbackSystem(
      initialState: Query(), reduce: QueryEvent.reduce,
      feedback: screen.loop(),
      react("load", request: { $0.text }) { text, emit in
        emit(.found(["\(text) 1", "\(text) 2"]))
      },
      react("pages", requests: { $0.pages }) { _, pages, _ in for await _ in pages {} },
      react("sync", request: { $0.sync }) { emit in emit(.synced) },
      react("set", requests: { Set($0.results) }) { _, _ in },
      react("first", firstValueAfterNil: { $0.text }) { _, _ in },
      Feedback("body") { states, _ in for await _ in states {} },
      inner.pullback(state: { $0.results.count }, event: { _ in .synced }))
    screen.keyboard.yield(.typed("tea"))
    let run = system.makeRun()
    let task = Task { for try await _ in run {} }
    for await results in screen.shows where results == ["tea 1", "tea 2"] { break }
    task.cancel()
    try await task.value
    #expect(run.runningCount == 0)
  }

  @Test("a test on the main actor drains a manual executor")
  func testOnMainActorDrainsManualExecutor() async throws {
    let executor = ManualExecutor()
    let clock = ManualClock()
    let system = FeedbackSystem(
      initialState: 0, reduce: { $0 + $1 }, executor: executor, clock: clock,
      feedback: react("tick", request: { $0 }) { (_: Int, emit) in
        try await clock.sleep(for: .seconds(1))
        emit(1)
      })
    let task = Task(executorPreference: executor) { @concurrent in
      for try await state in system where state == 3 { return state }
      return -1
    }
    clock.advance(by: .seconds(3), draining: executor)
    #expect(try await task.value == 3)
  }
}
