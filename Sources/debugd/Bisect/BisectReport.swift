import JSONCore

/// Prints what a bisection tries and finds.
struct BisectReport: Sendable {
  let terminal: Terminal
  let isJSON: Bool

  /// A build can take minutes, so a person sees which commit it is for.
  func begins(_ commit: Git.Description) {
    guard !isJSON, terminal.isInteractive else { return }
    terminal.complain("Building \(name(commit))…")
  }

  /// A commit was tested. The reason why an end cannot be tested is left to the error that follows.
  func tested(
    _ description: Git.Description, _ commit: BisectSearch.Commit, _ outcome: CommitOutcome,
    isKnown: Bool, left: Int?, isEnd: Bool
  ) {
    if isJSON {
      guard case .object(var object) = outcome.json else { return }
      object["commit"] = .string(commit)
      object["known"] = .bool(isKnown)
      return Inquiry.printJSON(.object(object), on: terminal)
    }
    let tone: Tone =
      switch outcome {
      case .same: .good
      case .differs: .bad
      case .untestable: .careful
      }
    var line = terminal.toned(outcome.word, tone)
    line += String(repeating: " ", count: max(0, 12 - outcome.word.count)) + name(description)
    var notes: [String] = []
    if isKnown { notes.append("known from an earlier run") }
    if let left {
      let steps = Amounts.count(Int64(left), "step", "steps")
      notes.append(left == 0 ? "last step" : "about \(steps) left")
    }
    if !notes.isEmpty { line += terminal.toned("  (\(notes.joined(separator: ", ")))", .faint) }
    terminal.print(line)
    switch outcome {
    case .same: break
    case .differs(let difference): terminal.print("  at entry \(difference.seq)")
    case .untestable(let why): if !isEnd { terminal.print("  \(Escaped.text(why))") }
    }
  }

  /// The search ended with one commit.
  func found(
    _ description: Git.Description, _ commit: BisectSearch.Commit, outcome: CommitOutcome,
    doesAsRecorded: Bool
  ) {
    if isJSON {
      guard case .object(var object) = outcome.json else { return }
      object["first"] = .string(commit)
      return Inquiry.printJSON(.object(object), on: terminal)
    }
    let what = doesAsRecorded ? "does what was recorded" : "behaves differently"
    terminal.print("")
    terminal.print(
      "The first commit that \(what): \(terminal.toned(name(description), .strong))")
    terminal.print("  by \(Escaped.text(description.author)), \(description.date)")
    if case .differs(let difference) = outcome {
      terminal.print("  first difference at entry \(difference.seq):")
      for line in difference.lines { terminal.print("    \(Escaped.text(line))") }
    }
    terminal.print("To see what it changed, run: git show \(description.short)")
  }

  /// The search ended with several commits.
  func undecided(_ descriptions: [Git.Description], _ commits: [BisectSearch.Commit]) {
    if isJSON {
      var object = JSON.Object()
      object["firstOneOf"] = .array(commits.map { .string($0) })
      return Inquiry.printJSON(.object(object), on: terminal)
    }
    terminal.print("")
    terminal.print(
      "The first commit that behaves differently is one of these, but not all can be tested:")
    for description in descriptions { terminal.print("  \(name(description))") }
  }

  private func name(_ commit: Git.Description) -> String {
    "\(commit.short) \(Escaped.text(commit.subject))"
  }
}
