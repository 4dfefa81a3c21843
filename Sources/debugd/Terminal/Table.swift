/// Rows in columns that fit their widest cell, the last one cut to the terminal.
struct Table {
  /// The alignment of a cell in its column.
  enum Alignment { case left, right }

  private let headings: [(title: String, alignment: Alignment)]
  private var rows: [[(text: String, tone: Tone?)]] = []

  init(_ headings: [(title: String, alignment: Alignment)]) {
    self.headings = headings
  }

  /// Adds a row; its text may be anybody's.
  mutating func add(_ cells: [(text: String, tone: Tone?)]) {
    rows.append(cells.map { (Escaped.text($0.text), $0.tone) })
  }

  /// The lines, with the headings on a terminal.
  func lines(on terminal: Terminal) -> [String] {
    let titles = headings.map { (text: $0.title, tone: Tone?.some(.faint)) }
    let all = terminal.isInteractive ? [titles] + rows : rows
    let widths = headings.indices.map { column in all.map { $0[column].text.count }.max() ?? 0 }
    return all.map { row in line(row, widths, terminal) }
  }

  private func line(
    _ row: [(text: String, tone: Tone?)], _ widths: [Int], _ terminal: Terminal
  ) -> String {
    var line = ""
    var used = 0
    for (column, cell) in row.enumerated() {
      let isLast = column == row.count - 1
      var text = cell.text
      if isLast, let columns = terminal.columns, used + text.count > columns {
        text = text.prefix(max(0, columns - used - 1)) + "…"
      }
      let padding = String(repeating: " ", count: max(0, widths[column] - text.count))
      let shown = cell.tone.map { terminal.toned(text, $0) } ?? text
      switch headings[column].alignment {
      case .right: line += padding + shown
      case .left: line += isLast ? shown : shown + padding
      }
      if !isLast { line += "  " }
      used += widths[column] + 2
    }
    // An empty cell at the end needs no room.
    while line.last == " " { line.removeLast() }
    return line
  }
}
