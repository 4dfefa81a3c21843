internal import Explaining
internal import JSONCore
internal import TimelineStore
internal import Timelines
internal import Wire

extension JSONSlice {
  /// The value, unless it is too large to read in an explanation.
  var short: JSONSlice? { range.count <= 1_024 ? self : nil }
}

extension ToInspector.ExplainedEntry {
  /// - Parameter own: the timeline that is explained.
  init(_ entry: Entry, of timeline: TimelineID, in own: TimelineID) {
    self.init(at: EntryReference(timeline: timeline, seq: entry.seq), in: own)
    name = entry.eventName
    event = entry.event?.short
    at = entry.at
    error = entry.error
  }

  /// An entry that is not stored.
  init(at place: EntryReference, in own: TimelineID) {
    self.init {
      $0.seq = place.seq
      $0.timeline = place.timeline == own ? nil : place.timeline
    }
  }
}

extension StoredFacts {
  /// An entry in an explanation of `own`.
  func explained(
    _ place: EntryReference, in own: TimelineID
  ) async throws -> ToInspector.ExplainedEntry {
    guard let entry = try await entry(place) else {
      return ToInspector.ExplainedEntry(at: place, in: own)
    }
    return ToInspector.ExplainedEntry(entry, of: place.timeline, in: own)
  }
}

extension ToInspector.Explain {
  /// Adds what could not be answered.
  mutating func miss(_ text: String) { missing = (missing ?? []) + [text] }

  /// Adds an explanation of an entry.
  mutating func add(
    _ explanation: Explanation, of place: EntryReference, _ facts: StoredFacts
  ) async throws {
    let places = explanation.entries(of: place)
    for one in places {
      entries.append(try await facts.explained(one, in: place.timeline))
    }
    links = explanation.links.map { link in
      ToInspector.ExplainedLink {
        $0.from = Int64(places.firstIndex(of: link.entry) ?? 0)
        $0.to = Int64(places.firstIndex(of: link.target) ?? 0)
        ($0.reason, $0.path) = link.reason.words
        $0.label = ExplainLabel(link.certainty)
      }
    }
    values = try explanation.values.map { value in
      let (now, before) = (try value.value?.slice, try value.before?.slice)
      return ToInspector.ExplainedValue {
        $0.path = value.path
        $0.value = now?.short
        $0.before = before?.short
        $0.seq = value.setter?.seq
        $0.label = ExplainLabel(value.certainty)
      }
    }
  }
}

extension ExplainLabel {
  fileprivate init(_ certainty: Explanation.Certainty) {
    switch certainty {
    case .recorded: self = .recorded
    case .inferred: self = .inferred
    }
  }
}

extension Explanation.Reason {
  fileprivate var words: (ExplainReason, String?) {
    switch self {
    case .cause: (.cause, nil)
    case .value(let path): (.value, path)
    case .earlierValue(let path): (.earlier, path)
    }
  }
}
