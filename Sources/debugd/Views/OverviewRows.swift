import JSONCore
import Timelines
import Wire

/// Shows counts over a stretch as rows of bars.
enum OverviewRows {
  private static let bars: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// A row for each column that counts anything, with its sum.
  static func lines(of frame: OverviewFrame, on terminal: Terminal) -> [String] {
    let fixed = ["entries", "errors", "lost", "keyframes", "thinned"]
    let names = fixed + frame.head.lanes.map { Escaped.text($0) }
    let width = min(28, names.map(\.count).max() ?? 0)
    return zip(names, frame.columns).enumerated().compactMap { index, row in
      let sum = row.1.reduce(into: Int64(0)) { $0 += Int64($1) }
      guard sum > 0 || index == 0 else { return nil }
      let tone: Tone = index == 1 || index == 2 ? .bad : index < 5 ? .strong : .name
      let name = row.0.prefix(width)
      return name + String(repeating: " ", count: width - name.count + 2)
        + terminal.toned(bars(row.1), tone) + "  " + Amounts.count(sum)
    }
  }

  /// The tallest bar is the greatest count; whatever is not zero can be seen.
  static func bars(_ counts: [UInt32]) -> String {
    let greatest = max(1, counts.max() ?? 1)
    return String(
      counts.map { count in
        guard count > 0 else { return bars[0] }
        let height = Int((UInt64(count) * 8 + UInt64(greatest) - 1) / UInt64(greatest))
        return bars[min(8, max(1, height))]
      })
  }
}
