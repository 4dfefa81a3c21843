import Foundation
import JSONCore

/// One call of `debugd bisect`: tests both ends of a range, then halves what is between them.
struct BisectRun {
  let git: Git
  let folder: BisectFolder
  let trial: CommitTrial
  /// What else decides an outcome, besides the commit.
  let question: String
  let report: BisectReport

  /// Searches from one commit to another.
  func run(
    from first: BisectSearch.Commit, to last: BisectSearch.Commit
  ) async throws -> ExitCode {
    var known = folder.known(for: question)
    let old = try await end(first, &known)
    let new = try await end(last, &known)
    try checkEnds(old, new)
    let isExact = old.word == new.word
    var search = BisectSearch(from: first, to: last)
    while true {
      switch search.next(among: try await git.candidates(of: search)) {
      case .run(let commit, let left):
        let found = try await outcome(of: commit, &known, left: left)
        search.record(commit, isNew: Self.isNew(found, old, new, isExact))
      case .found(let commit):
        try await report.found(
          git.describe(commit), commit, outcome: known[commit] ?? new, doesAsRecorded: new == .same)
        return .done
      case .undecided(let commits):
        var descriptions: [Git.Description] = []
        for commit in commits { descriptions.append(try await git.describe(commit)) }
        report.undecided(descriptions, commits)
        return .loss
      }
    }
  }

  /// Whether a commit behaves like the last one; `nil` if it cannot be tested.
  private static func isNew(
    _ found: CommitOutcome, _ old: CommitOutcome, _ new: CommitOutcome, _ isExact: Bool
  ) -> Bool? {
    if case .untestable = found { return nil }
    // A third behavior is a change, too.
    return isExact ? !found.isLike(old, exactly: true) : found.isLike(new, exactly: false)
  }

  private func outcome(
    of commit: BisectSearch.Commit, _ known: inout [BisectSearch.Commit: CommitOutcome], left: Int?,
    isEnd: Bool = false
  ) async throws -> CommitOutcome {
    let description = try await git.describe(commit)
    if let outcome = known[commit] {
      report.tested(description, commit, outcome, isKnown: true, left: left, isEnd: isEnd)
      return outcome
    }
    report.begins(description)
    try await git.check(out: commit, in: folder.tree)
    let outcome = try await trial.run(in: folder)
    try folder.remember(outcome, of: commit, for: question)
    known[commit] = outcome
    report.tested(description, commit, outcome, isKnown: false, left: left, isEnd: isEnd)
    return outcome
  }

  /// Tests an end of the range. If that is not possible, nothing else is built.
  private func end(
    _ commit: BisectSearch.Commit, _ known: inout [BisectSearch.Commit: CommitOutcome]
  ) async throws -> CommitOutcome {
    let outcome = try await outcome(of: commit, &known, left: nil, isEnd: true)
    guard case .untestable(let why) = outcome else { return outcome }
    let advice =
      why.contains("To fix, ")
      ? "" : " To fix, name another commit that builds and runs the recording."
    throw CommandError(
      """
      The search needs both ends of the range, and \(try await git.describe(commit).short) cannot \
      be tested: \(Escaped.text(why))\(advice)
      """)
  }

  private func checkEnds(_ old: CommitOutcome, _ new: CommitOutcome) throws {
    guard old.isLike(new, exactly: true) else { return }
    guard old == .same else {
      throw CommandError(
        """
        Both ends of the range differ from the recording at the same entry, in the same way, so no \
        commit between them is to blame. To fix, begin with an earlier commit.
        """)
    }
    throw CommandError(
      """
      Both ends of the range do what was recorded, so no commit between them is to blame. To fix, end \
      with a later commit, which behaves differently.
      """)
  }
}
