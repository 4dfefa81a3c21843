import JSONCore
import StatesCore
import Timelines

/// Passes entries to all sinks. Used on the recorder's thread only.
final class SinkFanout {
  let core: RecorderCore
  /// The filter for machines without their own.
  var filter = EventFilter.all
  /// The timelines by machine, for causes in another machine.
  private var timelines: [UInt: (timeline: TimelineID, base: Int)] = [:]
  private var hasLoggedLoss = false

  init(_ core: RecorderCore) {
    self.core = core
  }

  var sinks: [any TimelineSink & Sendable] { core.sinks }

  /// Opens a timeline of a machine in all sinks.
  func open(_ header: Header, identity: UInt, base: Int) {
    timelines[identity] = (header.timeline, base)
    for sink in sinks { sink.open(header) }
  }

  func append(_ entries: [WrittenEntry], to timeline: TimelineID) {
    guard !entries.isEmpty else { return }
    for sink in sinks { sink.append(entries[...], to: timeline) }
  }

  /// Closes a timeline of a machine.
  func close(_ timeline: TimelineID, identity: UInt, gap: Gap?) {
    timelines[identity] = nil
    for sink in sinks { sink.close(timeline, gap: gap) }
  }

  /// The entry of another machine's step.
  func entry(of cause: Cause) -> EntryReference? {
    guard let (timeline, base) = timelines[cause.machine], cause.number >= base else { return nil }
    return EntryReference(timeline: timeline, seq: Int64(cause.number - base))
  }

  /// Forwards the requests of the sinks to the pipelines.
  func forwardSinkRequests(_ pipelines: [any MachinePipeline]) {
    for sink in sinks {
      guard let sink = sink as? any BufferingSink else { continue }
      for request in sink.drainRequests() {
        for pipeline in pipelines { pipeline.answer(request) }
      }
    }
  }

  /// Logs the first loss; the statistics continue to count. Returns whether it did.
  @discardableResult
  func logFirstLoss(_ sentence: @autoclosure () -> String) -> Bool {
    let text = sentence()
    core.counters.update { $0.lastError = text }
    guard !hasLoggedLoss else { return false }
    hasLoggedLoss = true
    core.options.log("\(text) From now on losses are only counted.")
    return true
  }
}
