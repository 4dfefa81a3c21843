import DebugServer
import JSONCore
import Timelines
import Wire

enum ProofRows {
  /// A verification's sentence, and what differs.
  static func lines(
    of answer: ToInspector.Verify, _ name: String, replacing old: [Pointer: JSON] = [:],
    on terminal: Terminal
  ) -> [String] {
    let entries = Amounts.count(answer.entries, "entry", "entries")
    var lines: [String]
    switch answer.outcome {
    case .same: lines = [terminal.toned("same", .good) + "  \(name)  \(entries)"]
    case .passes:
      let failure = Escaped.text(answer.failure.map { "\($0)" } ?? "its failure")
      lines = [terminal.toned("passes", .good) + "  \(name)  \(entries), never \(failure)"]
    case .fails:
      let failure = Escaped.text(answer.failure.map { "\($0)" } ?? "its failure")
      lines = [terminal.toned("fails", .bad) + "  \(name)  at entry \(answer.seq ?? 0): \(failure)"]
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
      lines += PatchRows.lines(of: patch, replacing: old, on: terminal).map { "  \($0)" }
    }
    return lines
  }

  /// A comparison: how many are equal, where the two part, which paths.
  static func lines(
    of answer: ToInspector.Compare, with other: String = "today's code",
    replacing old: [Pointer: JSON] = [:], on terminal: Terminal
  ) -> [String] {
    guard !answer.isSame else {
      return [
        terminal.toned("same", .good)
          + "  \(Amounts.count(answer.equal, "entry", "entries")) equal, compared with \(other)"
      ]
    }
    var lines: [String] = []
    let verb = answer.differing == 1 ? "differs" : "differ"
    let alone = answer.alone.map { ", \($0) on one side only" } ?? ""
    let counts =
      "\(Amounts.count(answer.equal, "entry", "entries")) equal, \(answer.differing) \(verb)\(alone)"
    if let a = answer.a, let b = answer.b {
      let place = a.seq == b.seq ? "" : ", which is entry \(b.seq) of \(other)"
      lines.append("\(counts), first difference at \(a.seq)\(place)")
    } else {
      lines.append(counts)
    }
    if let message = answer.message { lines.append("  \(Escaped.text(message))") }
    if let patch = answer.patch {
      lines += PatchRows.lines(of: patch, replacing: old, on: terminal).map { "  \($0)" }
    }
    for path in (answer.paths ?? []).prefix(12) {
      lines.append("  \(path.entries)×  \(Escaped.text(path.path.description))")
    }
    return lines
  }
}

extension ToInspector.Compare {
  /// Whether both sides have the same entries.
  var isSame: Bool { differing == 0 && (alone ?? 0) == 0 }
}
