import JSONCore
import Replaying
import StatesCore
import Testing
import Timelines

/// Records a live machine.
final class RecordedRun<Appearance: MachineAppearance> {
  private(set) var drafts: [EntryDraft] = []
  private(set) var problems: [String] = []
  /// The live state and outputs after each entry, encoded independently of the entries.
  private(set) var live: [Snapshot] = []
  private var writer: RunWriter<Appearance>
  /// The thinned steps, as if the recorder fell behind.
  var thins = false
  /// The lost steps, as if the recorder's outbox was full.
  var loses = false
  private var lost: Int64 = 0

  init(_ appearance: Appearance, of kernel: Kernel<Appearance.State, Appearance.Input>) throws {
    writer = RunWriter(appearance, of: kernel)
    drafts.append(try writer.begin(with: kernel.state, after: nil, t: 0))
    record(kernel.state, nil)
    kernel.use { [unowned self] step in receive(step) }
  }

  private func receive(_ step: Step<Appearance.State, Appearance.Input>) {
    record(step.after, step.input)
    let t = Int64(step.number) * 10
    if loses {
      lost += 1
      writer.lost()
      return
    }
    do {
      var draft: EntryDraft
      if thins, let input = step.input {
        draft = try writer.writeThinned(input, step.details, t: t)
      } else {
        draft = try writer.write(step, t: t)
      }
      if lost > 0 { draft.gap = Gap(lost: lost, why: "outbox full") }
      lost = 0
      drafts.append(draft)
    } catch {
      problems.append("\(error)")
    }
  }

  private func record(_ state: Appearance.State, _ input: Appearance.Input?) {
    do {
      let bytes = try CanonicalEncoder().encode(writer.appearance.recorded(state))
      var outputs = JSON.Object()
      for output in writer.appearance.outputs(of: state, after: input) {
        outputs[output.name] = try JSON(parsing: output.json)
      }
      live.append(Snapshot(state: try JSON(parsing: bytes), outputs: .object(outputs)))
    } catch {
      problems.append("\(error)")
    }
  }

  /// The recording, parsed from its lines.
  func timeline() throws -> Timeline { try Timeline.reading(drafts) }

  /// Replays the recording, and expects the recorded states.
  func expectReplays(
    by replay: Replay, _ comment: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(problems == [], "\(comment)", sourceLocation: sourceLocation)
    let timeline = try timeline()
    var run = TimelineReplay(timeline, with: try replay.makeReplayer())
    var computed: [EntryDraft] = []
    while let draft = try run.next() { computed.append(draft) }
    #expect(run.differences == [], "\(comment)", sourceLocation: sourceLocation)
    let again = try Timeline.reading(computed)
    try #require(
      again.entries.count == timeline.entries.count, "\(comment)", sourceLocation: sourceLocation)
    for (entry, other) in zip(timeline.entries, again.entries) {
      let place: Comment = "\(comment), entry \(entry.seq): \(entry.line.text)"
      try #require(other.event?.text == entry.event?.text, place, sourceLocation: sourceLocation)
      try #require(other.error == entry.error, place, sourceLocation: sourceLocation)
      guard case .known(let snapshot)? = again.moment(at: entry.seq) else {
        // The state of a thinned entry right after a gap is unknown.
        try #require(other.isThinned && entry.isThinned, place, sourceLocation: sourceLocation)
        continue
      }
      let expected = live[Int(entry.seq)]
      try #require(snapshot.state == expected.state, place, sourceLocation: sourceLocation)
      try #require(snapshot.outputs == expected.outputs, place, sourceLocation: sourceLocation)
    }
    try expectConfirms(timeline, by: replay, "\(comment)", sourceLocation: sourceLocation)
    // The patches of the computed entries lead to their keyframes.
    #expect(again.disagreements().isEmpty, "\(comment)", sourceLocation: sourceLocation)
  }

  /// Confirms the entries in order, and expects success for all that equal bytes can prove.
  private func expectConfirms(
    _ timeline: Timeline, by replay: Replay, _ comment: Comment, sourceLocation: SourceLocation
  ) throws {
    let replayer = try replay.makeReplayer()
    var hasState = false
    for (before, entry) in zip(timeline.entries, timeline.entries.dropFirst()) {
      if !hasState, case .known(let snapshot)? = timeline.moment(at: before.seq) {
        try replayer.load(
          state: JSONSlice(validating: snapshot.state.encoded()),
          outputs: JSONSlice(validating: snapshot.outputs.encoded()), seq: before.seq)
        hasState = true
      }
      guard hasState, let event = entry.event, entry.patch != nil, !entry.isFixedPoint,
        entry.gap == nil, try replayer.missing(for: event) == nil
      else {
        if hasState {
          #expect(try !replayer.confirms(entry), comment, sourceLocation: sourceLocation)
        }
        hasState = false
        continue
      }
      let place: Comment = "\(comment), confirming \(entry.line.text)"
      try #require(try replayer.confirms(entry), place, sourceLocation: sourceLocation)
    }
  }
}

extension Timeline {
  /// A timeline of these entries, parsed from their lines, with a minimal header.
  static func reading(_ drafts: [EntryDraft]) throws -> Timeline {
    let header = try Header(
      reading: #"""
        {"timeline":"6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f3","app":{"name":"Coins"},"machine":{"type":"Coins.Coin","name":"coin"},"started":"2026-03-01T09:30:00Z","format":1}
        """#)
    var timeline = Timeline(header)
    for draft in drafts { try timeline.append(draft.entry()) }
    return timeline
  }
}

extension JSONSlice {
  init(_ text: String) throws {
    try self.init(validating: Array(text.utf8))
  }
}

extension EntryDraft {
  var eventText: String? { event.map { String(decoding: $0, as: UTF8.self) } }
  var patchText: String? { patch.map { String(decoding: $0, as: UTF8.self) } }
}
