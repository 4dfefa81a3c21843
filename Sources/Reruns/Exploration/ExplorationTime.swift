/// The time that an exploration may take.
struct ExplorationTime: Sendable {
  /// The end; `nil` if there is none.
  var deadline: ContinuousClock.Instant?
  var now: @Sendable () -> ContinuousClock.Instant = { .now }
  /// Returns at an instant, or throws when the task is canceled.
  var sleep: @Sendable (ContinuousClock.Instant) async throws -> Void = { instant in
    try await Task.sleep(until: instant, clock: .continuous)
  }

  /// Whether nothing more is sent.
  var isOver: Bool { deadline.map { now() >= $0 } ?? false }

  /// An equal share of the time that is left, for the next of several jobs.
  ///
  /// - Parameter jobs: the number of jobs that are not done, the next one included.
  func share(among jobs: Int) -> Duration {
    guard let deadline else { return .zero }
    return max(.zero, now().duration(to: deadline)) / max(1, jobs)
  }

  /// Performs work, and cancels it at the end of the time; `nil` if it was canceled.
  func limit<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result? {
    guard let deadline else { return try await work() }
    return try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try await sleep(deadline)
        return nil
      }
      defer { group.cancelAll() }
      let result = try await group.next() ?? nil
      if case nil = result { try Task.checkCancellation() }
      return result
    }
  }
}
