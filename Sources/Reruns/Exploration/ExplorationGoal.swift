internal import JSONCore
internal import Predicates
internal import Timelines

struct ExplorationGoal: Sendable {
  /// The predicate to reach; `nil` when only errors and traps are looked for.
  var predicate: Predicate?
  /// The conditions that a finding breaks one of, when several were asked for.
  var conditions: [Predicate] = []
  var countsErrors = true
  /// How many ways to the predicate to find, each with another last event.
  var wanted = 1

  /// The first of the conditions that an entry between two moments breaks.
  func broken(at entry: Entry, from before: Snapshot, to after: Snapshot) -> Predicate? {
    let subject = EntrySubject(entry, before: .known(before), after: .known(after))
    return conditions.first { $0.evaluate(subject) == .no }
  }

  /// What an entry between two moments is, if it is looked for.
  func found(at entry: Entry, from before: Snapshot, to after: Snapshot, name: String) -> Found? {
    if let predicate {
      let subject = EntrySubject(entry, before: .known(before), after: .known(after))
      if predicate.evaluate(subject) == .yes { return Found(cause: .predicate, name: name) }
    }
    guard countsErrors, let error = entry.error else { return nil }
    return Found(cause: .error(error), name: name)
  }
}

extension Found {
  /// The predicate that identifies it in a branch.
  ///
  /// - Parameter goal: the predicate that was looked for.
  func predicate(_ goal: Predicate?) -> Predicate? {
    switch cause {
    case .predicate: goal
    case .error(let message):
      Self.predicate("event == \(Self.quoted(name)) && error == \(Self.quoted(message))")
        ?? Self.predicate("error != null")
    case .trap: Self.predicate("error == \"trapped\"")
    case .limit: nil
    }
  }

  private static func predicate(_ text: String) -> Predicate? { try? Predicate(text) }

  private static func quoted(_ text: String) -> String {
    String(decoding: JSON.string(text).encoded(), as: UTF8.self)
  }
}
