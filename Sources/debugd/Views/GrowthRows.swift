import JSONCore
import Timelines
import Wire

/// Shows what grows, one line for each part of the state.
enum GrowthRows {
  static func lines(_ answer: ToInspector.Growth, on terminal: Terminal) -> [String] {
    guard let first = answer.bytes.first, let last = answer.bytes.last else {
      return ["No state is known."]
    }
    let stretch = "\(answer.seqs.first ?? 0) to \(answer.seqs.last ?? 0)"
    let whole = "From entry \(stretch), the state went from \(Amounts.bytes(first)) to "
    guard !answer.paths.isEmpty else {
      return ["\(whole)\(Amounts.bytes(last)). No part of it grew."]
    }
    let header = row("first", "last", "growth", bars: "", "path")
    return ["\(whole)\(Amounts.bytes(last)).", terminal.toned(header, .faint)]
      + answer.paths.map { path in
        let (start, end) = (path.bytes.first ?? 0, path.bytes.last ?? 0)
        return row(
          Amounts.bytes(start), Amounts.bytes(end), "+" + Amounts.bytes(max(0, end &- start)),
          bars: terminal.toned(bars(path.bytes), .name),
          Escaped.text(path.path.description) + elements(path, on: terminal))
      }
  }

  private static func row(
    _ first: String, _ last: String, _ growth: String, bars: String, _ path: String
  ) -> String {
    let numbers = [first, last, growth].map { EntryRows.right($0, 9) }
    return (numbers + [bars, path].filter { !$0.isEmpty }).joined(separator: "  ")
  }

  /// The number of elements at the start and at the end.
  private static func elements(_ path: ToInspector.GrowthPath, on terminal: Terminal) -> String {
    guard let elements = path.elements, let first = elements.first, let last = elements.last,
      first != last
    else { return "" }
    let text = "\(Amounts.count(first)) → \(Amounts.count(last, "element"))"
    return "  " + terminal.toned(text, .faint)
  }

  /// A bar for each measured entry.
  private static func bars(_ bytes: [Int64]) -> String {
    let scale = max(1, (bytes.max() ?? 1) / 1_000_000)
    return OverviewRows.bars(
      bytes.map { $0 > 0 ? UInt32(clamping: max(1, $0 / scale)) : 0 })
  }

  /// A part as JSON, with the entries at which it was measured.
  static func json(_ path: ToInspector.GrowthPath, _ seqs: [Int64]) -> JSON {
    func list(_ numbers: [Int64]) -> JSON { .array(numbers.map { .number(JSON.Number($0)) }) }
    var object: JSON.Object = ["path": .string(path.path.description), "seqs": list(seqs)]
    object["bytes"] = list(path.bytes)
    object["elements"] = path.elements.map(list)
    return .object(object)
  }
}
