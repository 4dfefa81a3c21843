import Foundation

/// The results of a run as text.
struct Report {
  private var rows: [(metric: Metric, value: Double)] = []
  private var failures: [String] = []

  /// Runs the groups one after another.
  init(groups: [Group], measure: Measure) {
    for group in groups {
      do {
        let values = try group.run(measure)
        for metric in group.metrics {
          if let value = values[metric.name] {
            rows.append((metric, value))
          } else {
            failures.append("\(metric.name) was not measured")
          }
        }
      } catch {
        failures.append("\(group.name): \(error)")
      }
    }
    if !failures.isEmpty {
      HugeScale.clean()
      FileHandle.standardError.write(Data((failures.joined(separator: "\n") + "\n").utf8))
      exit(1)
    }
  }

  /// A JSON object of names and numbers.
  var json: String {
    let members = rows.map { "\"\($0.metric.name)\":\($0.value.shortText)" }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// One line per metric: name, value, goal, and description.
  var table: String {
    let cells = rows.map { row in
      let mark = row.metric.isMet(by: row.value).map { $0 ? "met" : "MISSED" } ?? ""
      return [row.metric.name, row.value.shortText, row.metric.goalText, mark, row.metric.unit]
    }
    let widths = (0..<4).map { column in cells.map { $0[column].count }.max() ?? 0 }
    return cells.map { row in
      let columns = zip(row, widths).enumerated().map { index, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return index == 1 ? space + cell.0 : cell.0 + space
      }
      return (columns + [row[4]]).joined(separator: "  ")
    }.joined(separator: "\n")
  }
}

extension Double {
  /// The number with at least three significant digits, as JSON.
  var shortText: String {
    guard isFinite else { return "null" }
    let places = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : 2
    let text = String(format: "%.\(places)f", self)
    return text.contains(".") ? text.trimmingSuffix("0").trimmingSuffix(".") : text
  }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> String {
    var text = self
    while text.last == character { text.removeLast() }
    return text
  }
}
