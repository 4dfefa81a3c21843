import JSONCore
import Timelines
import Wire

/// A row of the list: one timeline, or finished machines of one name: those of an app's newest run, or
/// those of all its earlier runs.
struct TimelineFold {
  let newest: ToInspector.TimelineSummary
  /// What all are called; `nil` for a single timeline.
  let name: String?
  let count: Int
  /// The entries of all.
  let entries: Int64
  /// The bytes of all.
  let bytes: Int64

  /// Fewer timelines each have a row of their own.
  static let minimum = 3

  /// A timeline of its own.
  init(of summary: ToInspector.TimelineSummary) {
    self.init([summary], name: nil, newest: summary)
  }

  private init(
    _ all: [ToInspector.TimelineSummary], name: String?, newest: ToInspector.TimelineSummary
  ) {
    self.newest = newest
    self.name = name
    count = all.count
    entries = all.reduce(0) { $0.addingReportingOverflow($1.entries).partialValue }
    bytes = all.reduce(0) { $0.addingReportingOverflow($1.bytes).partialValue }
  }

  /// The rows of timelines, the newest first.
  static func rows(_ summaries: [ToInspector.TimelineSummary]) -> [TimelineFold] {
    var newestRuns: [[String]: String] = [:]
    let keys = summaries.map { summary -> [String]? in
      let (app, run) = origin(of: summary)
      let newest = newestRuns[app, default: run]
      newestRuns[app] = newest
      return name(of: summary).map { app + [run == newest ? "newest" : "earlier", $0] }
    }
    var groups: [[String]: [ToInspector.TimelineSummary]] = [:]
    for (summary, key) in zip(summaries, keys) {
      if let key { groups[key, default: []].append(summary) }
    }
    var shown: Set<[String]> = []
    return zip(summaries, keys).compactMap { summary, key in
      guard let key, let group = groups[key], group.count >= minimum else {
        return TimelineFold(of: summary)
      }
      return shown.insert(key).inserted
        ? TimelineFold(group, name: key.last, newest: summary) : nil
    }
  }

  /// The app and its run.
  private static func origin(
    of summary: ToInspector.TimelineSummary
  ) -> (app: [String], run: String) {
    let app = summary.header["app"]
    let run = app?["run"]?.string ?? app?["pid"]?.int.map { "\($0)" } ?? ""
    return ([app?["name"]?.string ?? "", app?["host"]?.string ?? ""], run)
  }

  /// What the timelines of a row are called; `nil` for one that is never folded.
  private static func name(of summary: ToInspector.TimelineSummary) -> String? {
    let header = summary.header
    guard !summary.live, summary.name == nil, header["parent"] == nil, (summary.branches ?? 0) == 0,
      summary.gap == nil
    else { return nil }
    return base(header["machine"]?["name"]?.string ?? "")
  }

  /// A name without the number that a recorder gives to a machine of the same name.
  private static func base(_ name: String) -> String {
    guard let space = name.lastIndex(of: " ") else { return name }
    let number = name[name.index(after: space)...]
    return !number.isEmpty && number.allSatisfy { ("0"..."9").contains($0) }
      ? String(name[..<space]) : name
  }
}
