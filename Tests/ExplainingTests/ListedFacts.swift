import Explaining
import JSONCore
import TestSupport
import Timelines

/// A recording as a list, whose queries compare neighbors: slow and obvious.
struct ListedFacts: RecordedFacts {
  static let timeline =
    TimelineID("0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a") ?? TimelineID(high: 0, low: 0)
  static let other =
    TimelineID("7c1d2e3f-4a5b-4c6d-8e7f-901a2b3c4d5e") ?? TimelineID(high: 0, low: 0)

  struct Step {
    var event: JSON?
    /// `nil` where it was not captured.
    var state: JSON?
    var outputs: JSON = [:]
    var cause: EntryCause?
    var error: String?
  }

  private let entries: [Entry]
  private let moments: [Moment]

  init(_ steps: [Step]) throws {
    var entries: [Entry] = []
    var last: (state: JSON, outputs: JSON)?
    for (index, step) in steps.enumerated() {
      var draft = EntryDraft(seq: Int64(index), t: Int64(index) * 10)
      draft.event = step.event?.encoded()[...]
      draft.cause = step.cause
      draft.error = step.error
      if let state = step.state {
        if let last {
          draft.patch = Patch.difference(from: last.state, to: state).json.encoded()[...]
          let outputs = Patch.difference(from: last.outputs, to: step.outputs)
          if last.outputs != step.outputs { draft.outputs = outputs.json.encoded()[...] }
        } else {
          draft.state = state.encoded()[...]
          draft.outputState = step.outputs.encoded()[...]
        }
        last = (state, step.outputs)
      }
      entries.append(try draft.entry())
    }
    self.entries = entries
    moments = steps.map { step in
      step.state.map { .known(Snapshot(state: $0, outputs: step.outputs)) }
        ?? .thinned(omitted: nil)
    }
  }

  static func place(_ seq: Int64) -> EntryReference {
    EntryReference(timeline: timeline, seq: seq)
  }

  func entry(_ place: EntryReference) async throws -> Entry? {
    guard place.timeline == Self.timeline, entries.indices.contains(Int(place.seq)) else {
      return nil
    }
    return entries[Int(place.seq)]
  }

  func moment(after place: EntryReference) async throws -> Moment? {
    moments.indices.contains(Int(place.seq)) ? moments[Int(place.seq)] : nil
  }

  func changes(
    of path: Pointer, upTo place: EntryReference, limit: Int
  ) async throws -> RecordedChanges {
    var changes = RecordedChanges()
    for seq in stride(from: place.seq, to: 0, by: -1) {
      guard let new = value(path, after: seq), let old = value(path, after: seq - 1) else {
        changes.unknown.insert(seq...seq, at: 0)
        continue
      }
      guard new != old else { continue }
      changes.seqs.append(seq)
      if changes.seqs.count == limit { break }
    }
    return changes
  }

  /// The value, in an optional of its own where it is missing; `nil` where it is not known.
  private func value(_ path: Pointer, after seq: Int64) -> JSON?? {
    guard case .known(let snapshot) = moments[Int(seq)] else { return nil }
    let whole: JSON = ["state": snapshot.state, "outputs": snapshot.outputs]
    return .some(whole[path])
  }
}
