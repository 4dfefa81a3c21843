/// What a daemon that waits for the lease of its database knows: a value without a clock.
struct StandbyWatch: Sendable {
  /// How an attempt to acquire the lease failed.
  enum Failure: Hashable, Sendable {
    /// Another daemon has the lease.
    case leased(by: String, until: String)
    /// The database does not answer.
    case unreachable(String)
  }

  enum Action: Hashable, Sendable {
    /// Report that another daemon serves, or a different one than before.
    case reportHolder(String, until: String)
    case reportProblem(String)
    case reportRecovery
  }

  /// The host of the daemon that has the lease.
  private(set) var host: String?
  private var problem: String?

  /// Handles a failed attempt: reports only what has changed.
  mutating func receive(_ failure: Failure) -> [Action] {
    switch failure {
    case .leased(let host, let until):
      var actions: [Action] = problem == nil ? [] : [.reportRecovery]
      if host != self.host { actions.append(.reportHolder(host, until: until)) }
      (self.host, problem) = (host, nil)
      return actions
    case .unreachable(let why):
      defer { problem = why }
      return problem == nil ? [.reportProblem(why)] : []
    }
  }
}
