import DebugServer
import JSONCore
import Timelines

/// Shows what came of proofs.
enum ProofRows {
  /// A verification's sentence, and what differs.
  static func lines(
    of answer: ToInspector.Verify, _ name: String, on terminal: Terminal
  ) -> [String] {
    let entries = "\(answer.entries) \(answer.entries == 1 ? "entry" : "entries")"
    var lines: [String]
    switch answer.outcome {
    case .same: lines = [terminal.toned("same", .good) + "  \(name)  \(entries)"]
    case .differs, .impure, .inconclusive:
      let rest = answer.entries == 0 ? "nothing could be compared" : "not all could be compared"
      let place = answer.seq.map { "first difference at \($0)" } ?? rest
      lines = [
        terminal.toned(answer.outcome.rawValue, answer.outcome == .inconclusive ? .careful : .bad)
          + "  \(name)  \(entries) equal, \(place)"
      ]
    }
    if let message = answer.message { lines.append("  \(Escaped.text(message))") }
    if let patch = answer.patch {
      lines += PatchRows.lines(of: patch, on: terminal).map { "  \($0)" }
    }
    return lines
  }

  /// Whether the failure of a minimized branch still happens.
  static func lines(
    of verdict: FailureVerdict, _ name: String, on terminal: Terminal
  ) -> [String] {
    let entries = "\(verdict.entries) \(verdict.entries == 1 ? "entry" : "entries")"
    let failure = Escaped.text("\(verdict.failure)")
    var lines: [String]
    switch verdict.outcome {
    case .passes:
      lines = [terminal.toned("passes", .good) + "  \(name)  \(entries) without \(failure)"]
    case .fails(let seq):
      lines = [terminal.toned("fails", .bad) + "  \(name)  at entry \(seq): \(failure)"]
    case .inconclusive:
      lines = [terminal.toned("inconclusive", .careful) + "  \(name)  \(failure)"]
    }
    if let message = verdict.message { lines.append("  \(Escaped.text(message))") }
    return lines
  }

  /// The same for programs.
  static func json(of verdict: FailureVerdict, _ name: String) -> JSON {
    var object = JSON.Object()
    object["name"] = .string(name)
    switch verdict.outcome {
    case .passes: object["outcome"] = "passes"
    case .inconclusive: object["outcome"] = "inconclusive"
    case .fails(let seq):
      object["outcome"] = "fails"
      object["seq"] = .number(JSON.Number(seq))
    }
    object["entries"] = .number(JSON.Number(verdict.entries))
    object["failure"] = .string("\(verdict.failure)")
    if let message = verdict.message { object["message"] = .string(message) }
    return .object(object)
  }

  /// A comparison: how many are equal, where the two part, which paths.
  static func lines(of answer: ToInspector.Compare, on terminal: Terminal) -> [String] {
    guard answer.differing > 0 || answer.alone != nil else {
      return [terminal.toned("same", .good) + "  \(answer.equal) entries equal"]
    }
    var lines: [String] = []
    let alone = answer.alone.map { ", \($0) on one side only" } ?? ""
    let counts = "\(answer.equal) entries equal, \(answer.differing) differ\(alone)"
    if let a = answer.a, let b = answer.b {
      let other = a.timeline == b.timeline && a.seq == b.seq ? "" : " (there \(b.seq))"
      lines.append("\(counts), first difference at \(a.seq)\(other)")
    } else {
      lines.append(counts)
    }
    if let message = answer.message { lines.append("  \(Escaped.text(message))") }
    if let patch = answer.patch {
      lines += PatchRows.lines(of: patch, on: terminal).map { "  \($0)" }
    }
    for path in (answer.paths ?? []).prefix(12) {
      lines.append("  \(path.entries)×  \(Escaped.text(path.path.description))")
    }
    return lines
  }
}
