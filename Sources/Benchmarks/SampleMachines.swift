import StatesCore
import Synchronization

/// A typical chart of an app: loading, a list, and a detail with an editor; five levels, six messages.
enum SampleChart {
  struct Session {
    var items = ["tea", "coffee", "cocoa"]
    var progress = 0
    var opened = 0
  }

  /// The messages of one round: some change the value, one is ignored, and some change the state; the
  /// last one leads back to the first state.
  static let messages: [ChartMessage] = [
    ChartMessage("progress", 40), ChartMessage("ignored"), ChartMessage("loaded"),
    ChartMessage("opened", 1), ChartMessage("edited"), ChartMessage("reload"),
  ]

  /// The increase of `opened` in a round.
  static let openedByMessages = 1

  static func make() throws -> Statechart<Session> {
    try Statechart(Session()) {
      OnEnter { $0.goTo("loading") }
      On("reload", goTo: "loading")
      ChartState("loading") {
        OnEnter { context in context.value.progress = 0 }
        OnExit { context in context.perform { use("hide the spinner") } }
        On("progress", Int.self) { context, percent in context.value.progress = percent }
        On("loaded", goTo: "list")
      }
      ChartState("loaded") {
        ChartState("list") {
          On("opened", Int.self) { context, number in
            context.value.opened += number
            context.goTo("detail")
          }
        }
        ChartState("detail") {
          OnEnter { context in context.perform { use("show the detail") } }
          On("edited", goTo: "editor")
          ChartState("editing") { ChartState("editor") }
        }
      }
    }
  }
}

/// A search: every typed query starts an effect, whose answer is also an event.
struct SampleSearch: Sendable {
  var query: String?
  var results: [String] = []
  var answers = 0

  enum Event: Sendable {
    case typed(String)
    case found([String])
  }

  static func reduce(state: SampleSearch, event: Event) -> SampleSearch {
    var result = state
    switch event {
    case .typed(let text): result.query = text
    case .found(let results):
      result.query = nil
      result.results = results
      result.answers += 1
    }
    return result
  }
}

/// A run of the search on the measuring thread; it only proceeds when drained.
final class SampleRun {
  private let executor = ManualExecutor()
  private let run: FeedbackRun<SampleSearch, SampleSearch.Event>
  private let seen = Seen()

  /// The number of calls of `search`.
  private(set) var searches = 0
  /// The number of answers that observers have seen.
  var answers: Int { seen.answers.load(ordering: .relaxed) }

  /// Counts the answers that observers have seen.
  private final class Seen: Sendable {
    let answers = Atomic<Int>(0)
  }

  init() {
    let system = FeedbackSystem(
      initialState: SampleSearch(), reduce: SampleSearch.reduce, executor: executor,
      feedback: react("load", request: { $0.query }) { query, emit in
        emit(.found(["\(query) 1", "\(query) 2"]))
      },
      // A loop that only observes, like drawing.
      bind("draw") { states in
        Bindings(subscriptions: [states.subscribe { use($0.results) }])
      })
    run = system.makeRun()
    Task(executorPreference: executor) { [run, seen] in
      for try await state in run { seen.answers.store(state.answers, ordering: .relaxed) }
    }
    executor.drain()
  }

  deinit {
    run.cancel()
    executor.drain()
  }

  /// The events of one call of `search`: the query and its answer.
  static let eventsPerSearch = 2

  /// Types a query, and drains the run.
  func search() {
    searches += 1
    run.send(.typed("tea"))
    executor.drain()
  }
}
