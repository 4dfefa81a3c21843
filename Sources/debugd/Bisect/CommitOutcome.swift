import JSONCore
import Wire

/// What a commit's reducer does with a recording.
enum CommitOutcome: Sendable, Equatable {
  /// It does what was recorded. Of a minimized branch: its failure no longer happens.
  case same
  case differs(Difference)
  /// The commit says nothing about the recording, for this reason.
  case untestable(String)

  /// Where a rerun leaves the recording, and how.
  struct Difference: Sendable, Equatable {
    var seq: Int64
    /// The lines that describe it.
    var lines: [String]
  }

  init(_ verdict: ToInspector.Verify, lines: [String]) {
    // A program that does not know the recorded types says nothing about their behavior.
    let canRun = verdict.why.map { $0 == .trap } ?? true
    switch verdict.outcome {
    case .same, .passes: self = .same
    case .differs, .fails, .impure:
      self =
        canRun
        ? .differs(Difference(seq: verdict.seq ?? 0, lines: lines))
        : .untestable(verdict.message ?? "The recording cannot be decoded.")
    case .inconclusive: self = .untestable(verdict.message ?? "Nothing could be compared.")
    }
  }

  /// The exit code that `git bisect run` expects for a commit with these outcomes of recordings: one
  /// that differs decides.
  static func exitCode(of outcomes: [CommitOutcome]) -> ExitCode {
    if outcomes.contains(where: { $0.word == "differs" }) { return .failed }
    return outcomes.allSatisfy { $0 == .same } ? .done : .untestable
  }

  /// Whether both behave alike.
  ///
  /// - Parameter isExact: whether differences must be the same, too. They need not be where one end
  ///   of the range does what was recorded, and the other does not.
  func isLike(_ other: CommitOutcome, exactly isExact: Bool) -> Bool {
    switch (self, other) {
    case (.same, .same): true
    case (.differs(let mine), .differs(let others)): !isExact || mine == others
    case (.same, .differs), (.same, .untestable), (.differs, .same), (.differs, .untestable),
      (.untestable, _):
      false
    }
  }
}

extension CommitOutcome {
  /// One word for a list.
  var word: String {
    switch self {
    case .same: "same"
    case .differs: "differs"
    case .untestable: "untestable"
    }
  }

  var json: JSON {
    var object = JSON.Object()
    object["outcome"] = .string(word)
    switch self {
    case .same: break
    case .differs(let difference):
      object["seq"] = .number(JSON.Number(difference.seq))
      object["lines"] = .array(difference.lines.map { .string($0) })
    case .untestable(let why): object["why"] = .string(why)
    }
    return .object(object)
  }

  /// `nil` for JSON that ``json`` does not write.
  init?(_ json: JSON) {
    switch json["outcome"]?.string {
    case "same": self = .same
    case "differs":
      guard let seq = json["seq"]?.int, let lines = json["lines"]?.array else { return nil }
      self = .differs(Difference(seq: seq, lines: lines.compactMap(\.string)))
    case "untestable": self = .untestable(json["why"]?.string ?? "")
    default: return nil
    }
  }
}
