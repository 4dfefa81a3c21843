import Timelines
import Wire

extension ParsedArguments {
  /// The number of an entry that an option names; refused when a timeline cannot have it.
  ///
  /// The number after the last entry is accepted: a script that polls for new entries names it.
  func entry(_ name: String, of summary: ToInspector.TimelineSummary) throws -> Int64? {
    guard let seq = try int(name), let last = summary.last, summary.computing == nil else {
      return try int(name)
    }
    guard seq <= last + 1 else {
      throw error("--\(name) \(seq): the timeline has \(Self.entries(summary)).")
    }
    return seq
  }

  /// Fails if an option names an entry that a timeline does not have.
  func expectEntry(_ name: String, of summary: ToInspector.TimelineSummary) throws {
    guard let seq = try int(name), let first = summary.first, let last = summary.last,
      summary.computing == nil, !(first...last ~= seq)
    else { return }
    throw error("--\(name) \(seq): the timeline has \(Self.entries(summary)).")
  }

  /// `--from` and `--to`, in order.
  func range(
    of summary: ToInspector.TimelineSummary
  ) throws -> (from: Int64?, to: Int64?) {
    let (from, to) = (try entry("from", of: summary), try entry("to", of: summary))
    if let from, let to = to ?? summary.last, from > to {
      throw error(
        value("to") == nil
          ? "--from \(from): the timeline has \(Self.entries(summary))."
          : "--from \(from) is after --to \(to).")
    }
    return (from, to)
  }

  /// `entries 0 to 29`.
  static func entries(_ summary: ToInspector.TimelineSummary) -> String {
    guard let first = summary.first, let last = summary.last else { return "no entries" }
    return first == last ? "only entry \(first)" : "entries \(first) to \(last)"
  }
}
