import JSONCore

/// Shows a patch: a line an operation, what goes in red, what comes in green.
enum PatchRows {
  /// The lines of a patch, as entries and `diff` have it.
  static func lines(of patch: JSONSlice, on terminal: Terminal) -> [String] {
    let width = max(20, (terminal.columns ?? 160) - 24)
    return patch.elements.map { operation in
      let path = Escaped.text(operation["path"]?.string ?? "")
      let value = operation["value"].map { PrettyJSON.line($0.value, width: width) } ?? ""
      switch operation["op"]?.string {
      case "add": return terminal.toned("+ \(path)", .good) + "  \(value)"
      case "remove": return terminal.toned("- \(path)", .bad)
      default: return terminal.toned("~ \(path)", .careful) + "  \(value)"
      }
    }
  }
}
