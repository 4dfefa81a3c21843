/// A fake network service: slow, paged, and sometimes failing.
package struct ReposService: Sendable {
  /// The service is not reachable.
  package struct Unreachable: Error, CustomStringConvertible {
    package let description = "the service is not reachable"
  }

  private let delay: Duration

  /// Creates a service with a delay before each answer.
  package init(delay: Duration = .milliseconds(120)) {
    self.delay = delay
  }

  /// A page of names.
  package func page(_ request: RepositorySearch.Request) async throws -> ([String], Bool) {
    try await Task.sleep(for: delay)
    if request.query.hasSuffix("?") { throw Unreachable() }
    let first = request.page * 10
    return ((first..<first + 10).map { "\(request.query)-\($0)" }, request.page < 3)
  }
}
