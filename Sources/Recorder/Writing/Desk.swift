import JSONCore
import StatesCore
import Timelines

/// Where scribes put their entries on the way to the sinks; on the recorder's thread alone.
final class Desk {
  let core: RecorderCore
  /// Which events are recorded, of machines that have no filter of their own.
  var filter = EventFilter.all
  /// The timelines of the machines by their identity, for causes that lead from one to another.
  private var timelines: [UInt: (timeline: TimelineID, base: Int)] = [:]
  private var hasToldOfLosses = false

  init(_ core: RecorderCore) {
    self.core = core
  }

  var sinks: [any TimelineSink & Sendable] { core.sinks }

  /// Opens a timeline of a machine at all sinks.
  func open(_ header: Header, identity: UInt, base: Int) {
    timelines[identity] = (header.timeline, base)
    for sink in sinks { sink.open(header) }
  }

  /// Gives entries to all sinks.
  func append(_ entries: [WrittenEntry], to timeline: TimelineID) {
    guard !entries.isEmpty else { return }
    for sink in sinks { sink.append(entries[...], to: timeline) }
  }

  /// Closes a timeline of a machine.
  func close(_ timeline: TimelineID, identity: UInt, gap: Gap?) {
    timelines[identity] = nil
    for sink in sinks { sink.close(timeline, gap: gap) }
  }

  /// The entry that stands for another machine's step.
  func entry(of cause: Cause) -> EntryReference? {
    guard let (timeline, base) = timelines[cause.machine], cause.number >= base else { return nil }
    return EntryReference(timeline: timeline, seq: Int64(cause.number - base))
  }

  /// Passes on what the sinks ask for.
  func answerSinks(_ scribes: [any Scribe]) {
    for sink in sinks {
      guard let sink = sink as? any AskingSink else { continue }
      for request in sink.takeRequests() {
        for scribe in scribes { scribe.answer(request) }
      }
    }
  }

  /// Says in the log that something is lost: once, for the statistics go on counting.
  func tellOfLoss(_ sentence: @autoclosure () -> String) {
    let text = sentence()
    core.counters.update { $0.lastError = text }
    guard !hasToldOfLosses else { return }
    hasToldOfLosses = true
    core.options.log("\(text) From now on losses are only counted.")
  }
}
