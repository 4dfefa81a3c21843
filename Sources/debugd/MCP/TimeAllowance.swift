import JSONCore

/// How long a call of a tool may take.
enum TimeAllowance: Sendable {
  /// Clients give up after a minute.
  case short
  /// Replies by itself after fifty seconds, with the id of the branch.
  case fork
  /// As long as the argument `seconds` says, and some time for what precedes and follows.
  case seconds(standard: Int64)
  /// Grows with the recording, whatever clients do.
  case long

  func duration(_ arguments: JSON.Object) -> Duration {
    switch self {
    case .short: .seconds(50)
    case .fork: .seconds(55)
    case .seconds(let standard):
      // The arguments are not checked yet; those out of range are refused at once.
      .seconds(min(max(arguments["seconds"]?.int ?? standard, 1), 600) + 60)
    case .long: .seconds(600)
    }
  }
}
