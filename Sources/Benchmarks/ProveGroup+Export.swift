import JSONCore
import TestSource
import Timelines

extension Group {
  /// The time to export a test from a timeline.
  static let exportMetric = Metric(
    "prove.export_100k_ms", "milliseconds to export 100,000 entries as a test and its fixture",
    goal: .atMost(1_000))

  /// Exports a stretch of a timeline as a test with a fixture.
  static func exportTimes(_ measure: Measure) throws -> [String: Double] {
    let timeline = try payments(count: 100_001)
    let export = TestExport(as: .swiftTesting)
    let files = try export.files(of: timeline.stretch(from: 1))
    guard files.count == 2, try TimelineFile.read(files[1].bytes).timeline.entries.count == 100_000
    else { throw BenchmarkError("the fixture differs from the exported timeline") }
    let times = try measure.inTurns([
      { use(try export.files(of: timeline.stretch(from: 1))) }
    ])
    return ["prove.export_100k_ms": times[0] / 1_000_000]
  }

  /// A machine for payments. Each event changes two of four members.
  private static func payments(count: Int) throws -> Timeline {
    var machine = Header.Machine(type: "Shop.Payments", name: "payments")
    machine.kind = "states"
    machine.module = "Shop"
    var fields = Header.Fields(
      timeline: .random(), app: Header.App(name: "Shop"), machine: machine,
      started: Timestamp(microseconds: 0))
    fields.outputs = [Header.Output("total", kind: "data")]
    var timeline = Timeline(try Header(fields))
    for seq in 0..<count {
      let line =
        seq == 0
        ? #"{"seq":0,"t":0,"state":{"total":0,"last":"","open":[],"ok":true},"outputState":{"total":0}}"#
        : #"""
        {"seq":\#(seq),"t":\#(seq * 900),"event":{"paid":{"id":"p-\#(seq)","cents":\#(seq % 997)}},\#
        "patch":[{"op":"replace","path":"/total","value":\#(seq * 499)},\#
        {"op":"replace","path":"/last","value":"p-\#(seq)"}],\#
        "outputs":[{"op":"replace","path":"/total","value":\#(seq * 499)}],"ns":880}
        """#
      try timeline.append(Entry(reading: Array(line.utf8)))
    }
    return timeline
  }
}
