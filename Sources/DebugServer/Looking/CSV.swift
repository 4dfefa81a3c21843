internal import JSONCore
internal import Timelines

/// Entries as the rows of a table, as RFC 4180 writes them.
enum CSV {
  /// The names of the columns.
  static func head(_ paths: [Pointer]) -> [UInt8] {
    row(["seq", "t", "name", "event", "error"] + paths.map { cell($0.description) })
  }

  /// An entry, with the values at some paths.
  static func row(_ entry: Entry, _ moment: Moment?, _ paths: [Pointer]) -> [UInt8] {
    let values = paths.map { path -> String in
      let rest = Pointer(tokens: Array(path.tokens.dropFirst()))
      let value: JSON? =
        switch path.tokens.first {
        case "state": moment?.state?[rest]
        case "outputs": moment?.outputs?[rest]
        case "event": entry.event?[rest]?.value
        default: nil
        }
      return value.map(text) ?? ""
    }
    let own = [
      String(entry.seq), String(entry.t), cell(entry.eventName ?? ""),
      cell(entry.event?.text ?? ""), cell(entry.error ?? ""),
    ]
    return row(own + values)
  }

  private static func text(_ value: JSON) -> String {
    if case .number = value { return value.description }
    return cell(value.string ?? value.description)
  }

  /// A cell in quotes where it needs them. What a spreadsheet would take for a formula begins with an
  /// apostrophe: recorded text must not compute anything there.
  static func cell(_ text: String) -> String {
    var text = text
    if let first = text.utf8.first, Array("=+-@\t\r\n".utf8).contains(first) { text = "'" + text }
    let needsQuotes = text.utf8.contains { Array("\",\r\n".utf8).contains($0) }
    return needsQuotes
      ? "\""
        + text.split(
          separator: "\"", omittingEmptySubsequences: false
        ).joined(separator: "\"\"") + "\"" : text
  }

  private static func row(_ cells: [String]) -> [UInt8] {
    Array((cells.joined(separator: ",") + "\r\n").utf8)
  }
}
