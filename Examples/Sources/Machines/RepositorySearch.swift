import Replaying
import StatesCore

/// A search with pages. The state starts and cancels requests.
package struct RepositorySearch: Replayable, Codable, Equatable, Sendable {
  /// A request to the service.
  package struct Request: Codable, Hashable, Sendable {
    package var query: String
    package var page: Int
  }

  package var query = ""
  package var results: [String] = []
  package var nextPage: Int?
  package var isLoading = false
  package var failure: String?

  package init() {}

  /// An event of the search.
  package enum Event: Codable, Equatable, Sendable {
    case typed(String)
    case reachedEnd
    case loaded([String], hasMore: Bool)
    case failed(String)
  }

  /// The request that should be running, if any.
  package var request: Request? {
    isLoading ? nextPage.map { Request(query: query, page: $0) } : nil
  }

  package static func reduce(state: RepositorySearch, event: Event) -> RepositorySearch {
    var result = state
    switch event {
    case .typed(let text):
      result = RepositorySearch()
      result.query = text
      result.isLoading = !text.isEmpty
      result.nextPage = text.isEmpty ? nil : 0
    case .reachedEnd:
      result.isLoading = state.nextPage != nil
    case .loaded(let rows, let hasMore):
      result.results += rows
      result.isLoading = false
      result.failure = nil
      result.nextPage = hasMore ? (state.nextPage ?? 0) + 1 : nil
    case .failed(let why):
      result.isLoading = false
      result.failure = why
    }
    return result
  }

  /// The system without a service, for a host, which does not run effects.
  package static func make() -> FeedbackSystem<RepositorySearch, Event> {
    system { _ in ([], false) }
  }

  /// The system with a service that returns rows, and whether there are more.
  package static func system(
    service: @escaping @Sendable (Request) async throws -> ([String], Bool)
  ) -> FeedbackSystem<RepositorySearch, Event> {
    FeedbackSystem(
      initialState: RepositorySearch(),
      reduce: { reduce(state: $0, event: $1) },
      feedback: react("load", request: { (state: RepositorySearch) in state.request }) {
        request, emit in
        do {
          let (rows, hasMore) = try await service(request)
          emit(Event.loaded(rows, hasMore: hasMore))
        } catch is CancellationError {
          // The state has another request now.
        } catch {
          emit(.failed("\(error)"))
        }
      })
  }
}
