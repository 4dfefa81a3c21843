/// The time that an exploration may take.
struct ExplorationTime: Sendable {
  /// The end; `nil` if there is none.
  var deadline: ContinuousClock.Instant?
  var now: @Sendable () -> ContinuousClock.Instant = { .now }

  /// Whether nothing more is sent.
  var isOver: Bool { deadline.map { now() >= $0 } ?? false }

  /// An equal share of the time that is left, for the next of several jobs.
  ///
  /// - Parameter jobs: the number of jobs that are not done, the next one included.
  func share(among jobs: Int) -> Duration {
    guard let deadline else { return .zero }
    return max(.zero, now().duration(to: deadline)) / max(1, jobs)
  }
}
