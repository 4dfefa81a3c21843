import DebugServer
import Reruns
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
    let summaries = try await asking.timelines().compactMap { summary in
      (try? Header(reading: summary.header)).map { (header: $0, summary: summary) }
    }
    let named = summaries.filter { timelines.contains($0.header.timeline) }
    let types = Set(named.map { $0.header.machine.type })
    guard types.count == 1, let only = types.first else {
      throw CommandError(
        "These are recordings of different types of machine. To fix, name one type.")
    }
    let others = summaries.filter {
      withOthers && $0.header.isRecording(of: only) && !timelines.contains($0.header.timeline)
    }
    return (named + others).compactMap { header, summary in
      guard let first = summary.first, let last = summary.last, first <= last else { return nil }
      return RecordedStretch(timeline: header.timeline, seqs: first...last)
    }
  }
}
