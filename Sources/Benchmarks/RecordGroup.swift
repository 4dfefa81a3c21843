import Foundation
import Recorder

extension Group {
  /// The cost of recording: the app's thread, the processor, and memory.
  static let record = Group(
    name: "record",
    summary: "recording machines",
    metrics: [
      Metric(
        "record.send_vs_floor",
        "times copying both values and pushing them under a mutex, added to a send",
        goal: .atMost(1.6)),
      Metric(
        "record.send_growth", "times the added cost at 100 B, a pure reducer's state of 1 MB",
        goal: .atMost(1.5)),
      Metric(
        "record.in_place_1mb_ns",
        "ns added to a send that changes one element of 1 MB in place, a million sends",
        goal: .atMost(60)),
      Metric(
        "record.in_place_growth", "times what is added with a state of 100 B", goal: .atMost(1.5)),
      Metric(
        "record.cpu_vs_jsonencoder",
        "times the processor time of encoding each 1 KB state with JSONEncoder, whole process",
        goal: .atMost(0.25)),
      Metric("record.cpu_us", "µs of processor time of such an entry, whole process"),
      Metric(
        "record.vs_full_encode",
        "times as many entries a second into a file as encodings of the whole state, 110 KB",
        goal: .atLeast(3)),
      Metric(
        "record.redacted_vs_plain",
        "times writing an entry of one change in 100 KB, after 1,000 texts were hidden",
        goal: .atMost(3)),
      Metric("record.rss_mb", "MB resident after a million sends as fast as possible"),
      Metric("record.vs_print", "times the time of printing the event, added to a send"),
      Metric("record.floor_ns", "ns of the floor"),
      Metric("record.send_added_ns", "ns added to a send"),
    ]
  ) { measure in
    var values: [String: Double] = [:]
    try RecordedSends(measure).measure(into: &values)
    try RecordedGrowth(measure).measure(into: &values)
    try RecordedInPlace(measure).measure(into: &values)
    try RedactedEntries(measure).measure(into: &values)
    try RecordedEntries(measure).measure(into: &values)
    return values
  }
}

/// A recorder for measurements (default: with a sink that costs nothing).
func measuredRecorder(_ destination: RecordingDestination? = nil) -> StateRecorder {
  var options = RecorderOptions()
  options.log = { _ in }
  options.destinations = [destination ?? .file("/dev/null/nowhere")]
  return StateRecorder(app: "Benchmarks", options: options, environment: RecorderEnvironment([:]))
}
