/// A binary search for the first commit that behaves like the last one.
///
/// It holds what is known of the commits. The caller asks git which commits remain, and runs the one
/// that ``next(among:)`` names. It owns no process and no file, so tests can run it on any history.
struct BisectSearch: Sendable {
  /// A commit's full id.
  typealias Commit = String

  /// Commits that behave like the first one.
  private(set) var old: [Commit]
  /// The earliest commit known to behave like the last one.
  private(set) var new: Commit
  private(set) var untestable: Set<Commit> = []

  init(from old: Commit, to new: Commit) {
    self.old = [old]
    self.new = new
  }

  /// What the search does next, or its result.
  enum Step: Equatable {
    /// Run this commit. About so many more runs follow.
    case run(Commit, left: Int)
    /// The first commit of the new behavior.
    case found(Commit)
    /// It is one of these, but the others cannot be tested.
    case undecided([Commit])
  }

  /// The next step.
  ///
  /// - Parameter candidates: the commits that are reachable from ``new`` and from none of ``old``,
  ///   the one that halves them first.
  func next(among candidates: [Commit]) -> Step {
    let open = candidates.filter { $0 != new && !untestable.contains($0) }
    guard let middle = open.first else {
      let rest = candidates.filter { $0 != new }
      return rest.isEmpty ? .found(new) : .undecided(rest + [new])
    }
    return .run(middle, left: Self.runs(for: open.count) - 1)
  }

  /// Records what a commit does; `nil` if it cannot be tested.
  mutating func record(_ commit: Commit, isNew: Bool?) {
    switch isNew {
    case true?: new = commit
    case false?: old.append(commit)
    case nil: untestable.insert(commit)
    }
  }

  /// How many runs a search among so many commits needs at most.
  private static func runs(for count: Int) -> Int { Int.bitWidth - count.leadingZeroBitCount }
}
