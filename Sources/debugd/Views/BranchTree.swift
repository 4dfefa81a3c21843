import JSONCore
import Timelines
import Wire

/// Timelines as the tree that their branches make.
struct BranchTree {
  private let summaries: [String: ToInspector.TimelineSummary]
  private let children: [String: [String]]

  init(_ all: [ToInspector.TimelineSummary]) {
    var summaries: [String: ToInspector.TimelineSummary] = [:]
    var children: [String: [String]] = [:]
    // The oldest branch first: the list has the newest first.
    for summary in all.reversed() {
      guard let id = summary.header["timeline"]?.string else { continue }
      summaries[id] = summary
      if let parent = summary.header["parent"]?["timeline"]?.string {
        children[parent, default: []].append(id)
      }
    }
    self.summaries = summaries
    self.children = children
  }

  /// A timeline and all that branches from it, each with its depth.
  ///
  /// Each is listed once: an imported header can name any timeline as its parent, even one of its
  /// own branches.
  func rows(from root: TimelineID) -> [(depth: Int, summary: ToInspector.TimelineSummary)] {
    var rows: [(depth: Int, summary: ToInspector.TimelineSummary)] = []
    var waiting = [(depth: 0, id: root.text)]
    var listed: Set<String> = []
    while let next = waiting.popLast() {
      guard let summary = summaries[next.id], listed.insert(next.id).inserted else { continue }
      rows.append((next.depth, summary))
      for child in (children[next.id] ?? []).reversed() { waiting.append((next.depth + 1, child)) }
    }
    return rows
  }

  /// A branch on a line: its id, its name, where it begins, what was done.
  static func line(
    of summary: ToInspector.TimelineSummary, depth: Int, on terminal: Terminal
  ) -> String {
    let header = summary.header
    let id = String((header["timeline"]?.string ?? "").prefix(8))
    var words = [terminal.toned(id, .faint)]
    if let name = summary.name ?? header["machine"]?["name"]?.string {
      words.append(terminal.toned(Escaped.text(name), .name))
    }
    if let parent = header["parent"] {
      words.append("from \(parent["start"]?.int ?? 0)")
      if let edits = parent["edits"] {
        words.append(Escaped.text(shortened(text(of: edits, in: parent))))
      }
      if parent["standIns"]?.bool == true { words.append("(computed from stand-ins)") }
    }
    if summary.computing != nil { words.append("(being computed)") }
    if let ended = summary.ended { words.append("(ended: \(ended.rawValue))") }
    // Deeper ones would leave no room for words.
    return String(repeating: "  ", count: min(depth, 20)) + words.joined(separator: "  ")
  }

  /// What the branch does differently, in words.
  private static func text(of edits: JSONSlice, in parent: JSONSlice) -> String {
    // A newer daemon may know edits that this build does not.
    guard let script = try? EditScript(reading: edits) else { return edits.text }
    let words = EditWords(script.edits)
    guard parent["failure"] != nil, let through = parent["through"]?.int else { return words.text }
    return words.minimizedText(through: through)
  }

  private static func shortened(_ text: String) -> String {
    text.cut(toScalars: 100)
  }
}
