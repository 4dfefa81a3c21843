import JSONCore

/// Shows a patch: a line an operation, what goes in red, what comes in green.
enum PatchRows {
  /// The lines of a patch, as entries and `diff` have it.
  static func lines(of patch: JSONSlice, on terminal: Terminal) -> [String] {
    let width = max(20, (terminal.columns ?? 160) - 24)
    return patch.elements.flatMap { operation -> [String] in
      if operation["path"]?.string == "", let value = operation["value"]?.value {
        return whole(value, width: width, on: terminal)
      }
      return [line(of: operation, width: width, on: terminal)]
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
    of operation: JSONSlice, width: Int, on terminal: Terminal
  ) -> String {
    let path = Escaped.text(operation["path"]?.string ?? "")
    let value = operation["value"].map { PrettyJSON.line($0.value, width: width) } ?? ""
    switch operation["op"]?.string {
    case "add": return terminal.toned("+ \(path)", .good) + "  \(value)"
    case "remove": return terminal.toned("- \(path)", .bad)
    default: return terminal.toned("~ \(path)", .careful) + "  \(value)"
    }
  }
}
