import Timelines

/// The answers that were given, so that a command that comes twice is carried out once.
struct AnswerBook: Sendable {
  /// What there is to say to a request.
  enum Entry: Sendable {
    /// It is being carried out; those who asked again wait.
    case open([CommandAnswer])
    /// It was answered.
    case answered(ControlOutcome)
  }

  /// What to do with a request.
  enum Place {
    /// Carry it out.
    case new
    /// Nothing: it will be answered with the one before.
    case waits
    /// Give the same answer again.
    case again(ControlOutcome)
    /// Say that too many ask for the same.
    case tooMany
  }

  /// Far more answers than are asked for again; the oldest are forgotten. What is under way is not, and
  /// is bounded by what may wait for machines.
  private static let limit = 1_024
  /// Far more than an answer is asked for before it is there.
  private static let mostWaiting = 16

  /// Counts the connections: what is done for an older one answers nothing on a newer one.
  private(set) var generation = 0

  private var entries: [RequestID: Entry] = [:]
  /// Those that were answered, oldest first.
  private var answered: [RequestID] = []

  /// Enters a request.
  mutating func enter(_ answer: CommandAnswer) -> Place {
    guard let id = answer.id else { return .new }
    switch entries[id] {
    case .open(let others):
      guard others.count < Self.mostWaiting else { return .tooMany }
      entries[id] = .open(others + [answer])
      return .waits
    case .answered(let outcome):
      return .again(outcome)
    case nil:
      entries[id] = .open([answer])
      return .new
    }
  }

  /// Notes the answer; tells who waits for it.
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

  /// Forgets everything: the numbers of another connection's requests begin anew.
  mutating func clear() {
    let generation = generation
    self = AnswerBook()
    self.generation = generation + 1
  }
}
