package import Timelines

/// What a timeline may be called in place of its id.
package struct TimelineNames: Sendable {
  package var id: TimelineID
  package var app: String
  package var machine: String?
  /// The name that a person gave it.
  package var given: String?
  /// The name in its header.
  package var recorded: String?
  /// Whether it is a branch, also one whose parent is not stored.
  package var isBranch: Bool

  package init(
    id: TimelineID, app: String, machine: String?, given: String?, recorded: String?, isBranch: Bool
  ) {
    self.id = id
    self.app = app
    self.machine = machine
    self.given = given
    self.recorded = recorded
    self.isBranch = isBranch
  }

  /// The names of a record; without those of its header if that cannot be read.
  init(_ record: TimelineRecord) {
    let header = try? Header(reading: record.header)
    self.init(
      id: record.id, app: record.app, machine: header?.machine.name, given: record.name,
      recorded: header?.parent?.name, isBranch: header?.parent != nil)
  }
}

/// Selects the timelines that a word may mean, from the newest on.
///
/// A program that records the same machine in every run has thousands of timelines of that name, of
/// which a name only ever means the newest one.
package struct WordMatch {
  private struct Kind: Hashable {
    let app: String
    let isBranch: Bool
  }

  private let word: String
  /// The beginning of an id; shorter ones are names.
  package let prefix: String?
  private let takesAll: Bool
  private var seen: Set<Kind> = []

  /// - Parameter takesAll: whether all recordings of a machine are selected, not only the newest.
  package init(_ word: String, takesAll: Bool) {
    self.word = word
    self.takesAll = takesAll
    prefix = word.count >= 4 ? word.lowercased() : nil
  }

  /// Whether the word may mean the next older timeline.
  package mutating func selects(_ names: TimelineNames) -> Bool {
    if names.given == word || names.recorded == word { return true }
    if let prefix, names.id.text.hasPrefix(prefix) { return true }
    guard let machine = names.machine, machine == word || "\(names.app)/\(machine)" == word else {
      return false
    }
    return takesAll || seen.insert(Kind(app: names.app, isBranch: names.isBranch)).inserted
  }
}
