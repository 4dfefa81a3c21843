internal import JSONCore
internal import Timelines

/// Entries as CSV rows (RFC 4180).
enum CSV {
  /// The row with the column names.
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
      entry.event.map { json($0.text) } ?? "", cell(entry.error ?? ""),
    ]
    return row(own + values)
  }

  private static func text(_ value: JSON) -> String {
    if case .number = value { return value.description }
    return value.string.map(cell) ?? json(value.description)
  }

  /// JSON text as a cell.
  private static func json(_ text: String) -> String {
    let harmless = PlainText.json(Array(CSVGuard.json(text).utf8))
    return quoted(String(decoding: harmless, as: UTF8.self))
  }

  /// Recorded text as a cell: quoted where needed, never evaluated by a spreadsheet, and without
  /// terminal control characters.
  static func cell(_ text: String) -> String { quoted(escaped(CSVGuard.text(text))) }

  /// Line ends and tabs stay: a cell may have them, and they do not move the cursor upward.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "\n" || scalar == "\t" || !PlainText.isHostile(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += PlainText.escaping(String(scalar))
      }
    }
    return result
  }

  /// Scalar by scalar: a quote and a combining accent after it are one `Character`, and must be
  /// doubled.
  private static func quoted(_ text: String) -> String {
    let quote = UInt8(ascii: "\"")
    guard text.utf8.contains(where: { Array("\",\r\n".utf8).contains($0) }) else { return text }
    let doubled = text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
    return String(decoding: [quote] + doubled + [quote], as: UTF8.self)
  }

  private static func row(_ cells: [String]) -> [UInt8] {
    Array((cells.joined(separator: ",") + "\r\n").utf8)
  }
}
