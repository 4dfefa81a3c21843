import DebugServer
import JSONCore
import Timelines
import Wire

/// A recording, and the entries that it has.
struct RecordedStretch {
  var timeline: TimelineID
  var seqs: ClosedRange<Int64>
}

extension Inquiry {
  /// Recordings of one type of machine, with the entries that they have.
  ///
  /// - Parameter withOthers: whether to add all other recordings of the type, without branches.
  func recordings(
    _ timelines: [TimelineID], withOthers: Bool
  ) async throws -> [RecordedStretch] {
    let summaries = try await asking.timelines()
    let type = { (summary: ToInspector.TimelineSummary) in
      summary.header["machine"]?["type"]?.string
    }
    let id = { (summary: ToInspector.TimelineSummary) in
      summary.header["timeline"]?.string.flatMap { TimelineID($0) }
    }
    let named = summaries.filter { id($0).map(timelines.contains) ?? false }
    let types = Set(named.map(type))
    guard types.count == 1, let only = types.first else {
      throw CommandError(
        "These are recordings of different types of machine. To fix, name one type.")
    }
    let others = summaries.filter {
      withOthers && type($0) == only && $0.header["parent"] == nil
        && !(id($0).map(timelines.contains) ?? false)
    }
    return (named + others).compactMap { summary in
      guard let timeline = id(summary), let first = summary.first, let last = summary.last,
        first <= last
      else { return nil }
      return RecordedStretch(timeline: timeline, seqs: first...last)
    }
  }
}
