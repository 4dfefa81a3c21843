import JSONCore
import Timelines
import Wire

/// Shows changes of a value, one line each: the entry, old and new value, and who set it.
struct ChangeRows {
  private let terminal: Terminal
  private var rows: [(seq: String, old: String, new: String, event: [String])] = []

  /// The widest pair of values that the next column waits for.
  private static let maximumPair = 48

  init(on terminal: Terminal) {
    self.terminal = terminal
  }

  /// Adds a change, with its entry as far as it is known.
  mutating func add(_ change: ToInspector.Change, _ entry: JSONSlice?) {
    var old = change.old.map { PrettyJSON.line($0.value, width: 60) } ?? "nothing"
    var new = change.new.map { PrettyJSON.line($0.value, width: 60) } ?? "nothing"
    if let before = change.old, let after = change.new {
      (old, new) = PrettyJSON.pair(before.value, after.value, width: 60)
    }
    rows.append((EntryRows.right("\(change.seq)", 8), old, new, setter(entry)))
  }

  /// The event with its payload, and the line that sent it.
  private func setter(_ entry: JSONSlice?) -> [String] {
    guard let entry else { return [] }
    return [EntryRows.name(of: entry, on: terminal)]
      + [EntryRows.payload(of: entry, width: 40)].compactMap(\.self)
      + [entry["at"]?.string].compactMap { $0.map { terminal.toned(Escaped.text($0), .faint) } }
  }

  /// The titles of the columns, for people.
  var header: String {
    let values = Self.padded("old → new", count: 9, to: width)
    return terminal.toned("\(EntryRows.right("seq", 8))  \(values)  event", .faint)
  }

  var lines: [String] {
    rows.map { row in
      let pair = terminal.toned(row.old, .bad) + " → " + terminal.toned(row.new, .good)
      let values = row.event.isEmpty ? pair : Self.padded(pair, count: Self.count(row), to: width)
      return ([row.seq, values] + row.event).joined(separator: "  ")
    }
  }

  private var width: Int { min(Self.maximumPair, max(9, rows.map(Self.count).max() ?? 0)) }

  private static func count(_ row: (seq: String, old: String, new: String, event: [String])) -> Int
  {
    row.old.count + row.new.count + 3
  }

  private static func padded(_ text: String, count: Int, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - count))
  }

  /// A change as JSON, with its entry's event and call site as they were recorded.
  static func json(_ change: ToInspector.Change, _ entry: JSONSlice?) -> JSON {
    var object = JSON.Object()
    object["seq"] = .number(JSON.Number(change.seq))
    object["old"] = change.old?.value
    object["new"] = change.new?.value
    object["event"] = entry?["event"]?.value
    object["at"] = entry?["at"]?.value
    return .object(object)
  }
}
