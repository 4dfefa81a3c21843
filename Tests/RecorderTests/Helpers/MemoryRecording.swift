import JSONCore
import Recorder
import Replaying
import Testing
import Timelines

/// A recorder that records into memory, whatever the environment says.
struct MemoryRecording {
  let memory = MemorySink()
  let recorder: StateRecorder

  init(_ change: (inout RecorderOptions) -> Void = { _ in }) {
    var options = RecorderOptions()
    options.destinations = [.memory(memory)]
    options.log = { _ in }
    change(&options)
    recorder = StateRecorder(
      app: "Tests", options: options, environment: RecorderEnvironment([:]))
  }

  /// The timeline of a machine, once everything is written.
  func timeline(
    named name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Timeline {
    #expect(recorder.flush(within: .seconds(120)), sourceLocation: sourceLocation)
    return try #require(memory.timeline(named: name), sourceLocation: sourceLocation)
  }

  /// Expects that all lines of a timeline are whole and follow one another, which a timeline that is
  /// read leniently would hide.
  func expectSound(_ timeline: Timeline, sourceLocation: SourceLocation = #_sourceLocation) {
    let lines = memory.lines(of: timeline.header.timeline)
    #expect(timeline.entries.count == lines.count, sourceLocation: sourceLocation)
    #expect(throws: Never.self, sourceLocation: sourceLocation) {
      var strict = Timeline(timeline.header)
      for line in lines { try strict.append(Entry(reading: line)) }
      #expect(strict.disagreements().isEmpty, sourceLocation: sourceLocation)
    }
  }

  /// Expects that what a timeline says of each moment is what was seen live.
  func expect(
    _ timeline: Timeline, shows live: [Snapshot], _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectSound(timeline, sourceLocation: sourceLocation)
    #expect(timeline.entries.count == live.count, comment, sourceLocation: sourceLocation)
    var cursor = TimelineCursor(timeline)
    for (entry, snapshot) in zip(timeline.entries, live) {
      guard case .known(let known)? = cursor.move(to: entry.seq) else {
        Issue.record("entry \(entry.seq) is not known", sourceLocation: sourceLocation)
        return
      }
      #expect(known == snapshot, comment, sourceLocation: sourceLocation)
    }
  }

  /// Expects that a timeline runs again to the same states and outputs.
  func expectReplays(
    _ timeline: Timeline, by replay: Replay, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var run = TimelineReplay(timeline, with: try replay.makeReplayer())
    var count = 0
    while try run.next() != nil { count += 1 }
    #expect(count == timeline.entries.count, sourceLocation: sourceLocation)
    #expect(run.differences == [], sourceLocation: sourceLocation)
  }
}

/// A value and outputs as a timeline shows them.
func snapshot<State: Encodable>(
  _ state: State, _ outputs: [RecordedOutput] = []
) throws -> Snapshot {
  var object = JSON.Object()
  for output in outputs { object[output.name] = try JSON(parsing: output.json) }
  return Snapshot(
    state: try JSON(parsing: CanonicalEncoder().encode(state)), outputs: .object(object))
}
