import JSONCore
internal import Reruns

/// Shows a patch: a line an operation, what goes in red, what comes in green.
enum PatchRows {
  /// The lines of a patch, as entries and `diff` have it.
  ///
  /// - Parameter old: the values that the patch replaces, as far as they are known. They are shown, and
  ///   the replacement of an object is split into the members that differ.
  static func lines(
    of patch: JSONSlice, replacing old: [Pointer: JSON] = [:], on terminal: Terminal
  ) -> [String] {
    guard let changes = try? ValueChange.changes(of: Patch(patch), old: { old[$0] }) else {
      return []
    }
    let width = max(20, (terminal.columns ?? 160) - 24)
    return changes.flatMap { change -> [String] in
      if change.path.isRoot, change.old == nil, let value = change.new {
        return whole(value, width: width, on: terminal)
      }
      return [line(of: change, width: width, on: terminal)]
    }
  }

  /// The lines of an operation that replaces everything. What changed may be anywhere in the value, so
  /// it is not cut.
  private static func whole(_ value: JSON, width: Int, on terminal: Terminal) -> [String] {
    let title = terminal.toned("~ (whole value)", .careful)
    let line = PrettyJSON.line(value, width: width + 1)
    if line.count <= width { return [title + "  " + line] }
    return [title]
      + PrettyJSON.lines(value, on: terminal).split(separator: "\n").map(String.init)
  }

  private static func line(
    of change: ValueChange, width: Int, on terminal: Terminal
  ) -> String {
    let path = change.path.isRoot ? "(whole value)" : Escaped.text(change.path.description)
    let value = change.new.map { PrettyJSON.line($0, width: width) } ?? ""
    switch change.kind {
    case .added: return terminal.toned("+ \(path)", .good) + "  \(value)"
    case .removed: return terminal.toned("- \(path)", .bad)
    case .replaced:
      let title = terminal.toned("~ \(path)", .careful)
      guard let old = change.old, let new = change.new else { return title + "  \(value)" }
      let pair = PrettyJSON.pair(old, new, width: max(20, width / 2))
      return title + "  \(pair.old) → \(pair.new)"
    }
  }
}
