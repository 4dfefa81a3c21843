import DebugServer
import JSONCore
import Timelines
import Wire

/// Whether a recording ends because the app died, as its last entry says.
enum CrashReport {
  /// It does not.
  case none
  /// The app died while it handled an event.
  case crashed(seq: Int64, event: String)
  /// The last entry cannot be read.
  case unknown

  /// What is shown of it; `nil` for nothing.
  var text: String? {
    switch self {
    case .none: nil
    case .crashed(let seq, let event):
      "at entry \(seq), while it handled \(Escaped.quoted(event))"
    case .unknown: "unknown, because the last entry cannot be read"
    }
  }

  /// The value of `crashed` in JSON; `nil` to leave it out.
  var json: JSON? {
    switch self {
    case .none: nil
    case .crashed(let seq, let event): ["seq": .number(JSON.Number(seq)), "event": .string(event)]
    case .unknown: .null
    }
  }
}

extension Inquiry {
  /// How a timeline ended. An entry that is refused hides nothing else that is known of the timeline.
  func crash(of timeline: TimelineID, at last: Int64?) async throws -> CrashReport {
    guard let last else { return .none }
    // As a row, whose state is cut: whole, it may be longer than an answer.
    var row = Window(
      timeline: timeline, from: last, count: 1, filter: nil, direction: .forward)
    let entry: JSONSlice?
    do {
      entry = try await row.next(self)?.first
    } catch BackendError.refused {
      return .unknown
    }
    // The summary names it, so it is there; what is damaged is left out of rows.
    guard let entry else { return .unknown }
    guard entry["error"]?.string == "trapped" else { return .none }
    return .crashed(seq: last, event: entry["event"].flatMap { Entry.name(of: $0) } ?? "an event")
  }
}
