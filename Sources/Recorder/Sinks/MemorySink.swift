import JSONCore
import Replaying
import Synchronization
public import Timelines

/// Keeps recordings in memory, for tests of your own machines.
///
/// ```swift
/// let memory = MemorySink()
/// var options = RecorderOptions()
/// options.destinations = [.memory(memory)]
/// let recorder = StateRecorder(app: "Tests", options: options)
/// let form = recorder.record(StateForm(state: 1), as: "number")
/// form.apply { $0 += 1 }
/// recorder.flush()
/// assert(memory.timeline(named: "number")?.end?.state == 2)
/// ```
///
/// Call ``StateRecorder/flush(within:)`` before reading, because the recorder writes on its own
/// thread.
public final class MemorySink: Sendable {
  private struct MemoryTimeline: Sendable {
    let header: Header
    var lines: [WrittenEntry] = []
    var isClosed = false
    var endGap: Gap?
  }

  private struct Contents: Sendable {
    var order: [TimelineID] = []
    var recordings: [TimelineID: MemoryTimeline] = [:]
  }

  private let contents = ForkSafeMutex(Contents())

  /// Creates an empty sink.
  public init() {}

  /// The timelines, in the order in which their machines were recorded.
  public var timelines: [Timeline] {
    contents.withLock { contents in contents.order.compactMap { contents.recordings[$0] } }
      .compactMap { recording in
        var timeline = Timeline(recording.header)
        for written in recording.lines {
          guard let entry = try? Entry(reading: written.line) else { continue }
          // A recorder writes consistent entries; a timeline that ends early reveals a mistake.
          guard (try? timeline.append(entry)) != nil else { break }
        }
        return timeline
      }
  }

  /// Returns the first timeline of a machine with this name.
  public func timeline(named name: String) -> Timeline? {
    timelines.first { $0.header.machine.name == name }
  }

  /// Returns the lines of a timeline, without the header.
  public func lines(of timeline: TimelineID) -> [String] {
    contents.withLock { $0.recordings[timeline]?.lines ?? [] }
      .map { String(decoding: $0.line, as: UTF8.self) }
  }

  /// Returns whether a timeline is closed, because its machine is gone or the recorder has ended.
  public func isClosed(_ timeline: TimelineID) -> Bool {
    contents.withLock { $0.recordings[timeline]?.isClosed ?? false }
  }

  /// Returns the entries that are missing at the end of a closed timeline.
  public func gapAtEnd(of timeline: TimelineID) -> Gap? {
    contents.withLock { $0.recordings[timeline]?.endGap }
  }

  /// Removes all recordings.
  public func removeAll() {
    contents.withLock { $0 = Contents() }
  }
}

extension MemorySink: TimelineSink {
  package func open(_ header: Header) {
    contents.withLock { contents in
      guard contents.recordings[header.timeline] == nil else { return }
      contents.order.append(header.timeline)
      contents.recordings[header.timeline] = MemoryTimeline(header: header)
    }
  }

  package func append(_ entries: ArraySlice<WrittenEntry>, to timeline: TimelineID) {
    contents.withLock { $0.recordings[timeline]?.lines.append(contentsOf: entries) }
  }

  package func close(_ timeline: TimelineID, gap: Gap?) {
    contents.withLock { contents in
      contents.recordings[timeline]?.isClosed = true
      contents.recordings[timeline]?.endGap = gap
    }
  }
}
