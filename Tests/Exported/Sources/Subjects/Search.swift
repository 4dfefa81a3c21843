import Replaying
import StatesCore

/// A feedback system whose requests follow from the state.
struct Search: Replayable, Codable, Sendable {
  struct Request: Codable, Hashable, Sendable {
    var query: String
    var page: Int
  }

  var query = ""
  var rows: [String] = []
  var page: Int?
  var isLoading = false
  var failure: String?

  enum Event: Codable, Sendable {
    case typed(String)
    case reachedEnd
    case loaded([String], hasMore: Bool)
    case failed(String)
  }

  static func reduce(state: Search, event: Event) -> Search {
    let m = Mutant.of("search")
    var next = state
    switch event {
    case .typed(let text):
      next = m == 1 ? state : Search()
      next.query = m == 2 ? text + " " : text
      next.isLoading = m == 3 ? true : !text.isEmpty
      next.page = text.isEmpty ? nil : m == 4 ? 1 : 0
    case .reachedEnd: next.isLoading = m == 5 ? false : state.page != nil
    case .loaded(let rows, let hasMore):
      next.rows = m == 6 ? rows : state.rows + rows
      next.isLoading = m == 7
      next.failure = nil
      next.page = hasMore ? (state.page ?? 0) + (m == 8 ? 2 : 1) : nil
    case .failed(let why):
      next.isLoading = m == 9
      next.failure = m == 10 ? nil : why
    }
    return next
  }

  static func make() -> FeedbackSystem<Search, Event> {
    FeedbackSystem(
      initialState: Search(), reduce: { reduce(state: $0, event: $1) },
      feedback: react(
        "load",
        request: { (state: Search) in
          state.isLoading ? state.page.map { Request(query: state.query, page: $0) } : nil
        }
      ) { _, _ in })
  }
}
