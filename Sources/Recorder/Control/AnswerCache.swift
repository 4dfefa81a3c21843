import Timelines
import Wire

/// Remembers answers, so that a repeated command is executed only once.
struct AnswerCache: Sendable {
  /// The state of a request.
  enum Entry: Sendable {
    /// It is being executed; these repetitions wait.
    case open([CommandAnswer])
    case answered(ControlOutcome)
  }

  enum Disposition {
    /// Execute it.
    case new
    /// Nothing: it is answered together with the earlier one.
    case waits
    /// Send the same answer again.
    case again(ControlOutcome)
    /// Reject it: too many repetitions wait.
    case tooMany
  }

  /// Far more answers than are requested again; the oldest are removed. Open requests are not
  /// removed; their number is limited by what may wait for machines.
  private static let limit = 1_024
  /// Far more repetitions than a peer sends before it has the answer.
  private static let maximumWaiting = 16

  /// Counts the connections: results of an older one do not answer requests of a newer one.
  private(set) var generation = 0

  private var entries: [RequestID: Entry] = [:]
  /// The answered requests, oldest first.
  private var answered: [RequestID] = []

  /// Registers a request.
  mutating func enter(_ answer: CommandAnswer) -> Disposition {
    guard let id = answer.id else { return .new }
    switch entries[id] {
    case .open(let others):
      guard others.count < Self.maximumWaiting else { return .tooMany }
      entries[id] = .open(others + [answer])
      return .waits
    case .answered(let outcome):
      return .again(outcome)
    case nil:
      entries[id] = .open([answer])
      return .new
    }
  }

  /// Stores the outcome, and returns the answers that wait for it.
  mutating func close(
    _ id: RequestID?, _ outcome: ControlOutcome, generation: Int
  ) -> [CommandAnswer] {
    guard generation == self.generation, let id, case .open(let waiting)? = entries[id] else {
      return []
    }
    entries[id] = .answered(outcome)
    answered.append(id)
    if answered.count > Self.limit { entries[answered.removeFirst()] = nil }
    return waiting
  }

  /// Removes everything, because the request ids of another connection start over.
  mutating func clear() {
    let generation = generation
    self = AnswerCache()
    self.generation = generation + 1
  }
}
