import JSONCore
import TestSource
import Timelines

/// Handwritten timelines in the form that recorders write.
enum Recorded {
  /// A timeline from the lines of its entries.
  static func timeline(
    kind: String = "states", type: String = "App.CoinState", module: String = "App",
    name: String = "coin", make: String? = nil, schema: EventSchema? = nil,
    outputs: [String] = ["side"], encoding: String? = nil, _ lines: [String]
  ) throws -> Timeline {
    var machine = Header.Machine(type: type, name: name)
    machine.kind = kind
    machine.module = module
    machine.make = make
    machine.encoding = encoding
    var fields = Header.Fields(
      timeline: TimelineID("0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a") ?? .random(),
      app: Header.App(name: "Coins"), machine: machine,
      started: Timestamp(microseconds: 1_767_225_600_000_000))
    fields.outputs = outputs.map { Header.Output($0, kind: "data") }
    fields.schema = try schema.map { try JSONSlice(validating: $0.json.encoded()) }
    var timeline = Timeline(try Header(fields))
    for line in lines { try timeline.append(Entry(reading: Array(line.utf8))) }
    return timeline
  }

  /// A coin that is flipped twice and laid down.
  static func coin() throws -> Timeline {
    try timeline(
      schema: EventSchema(
        type: "App.CoinState.Event", encoding: .raw, isComplete: true,
        cases: [.init(name: "flipped", swift: "flipped"), .init(name: "laid", swift: "laid")]),
      [
        #"{"seq":0,"t":0,"state":{"isHeads":true},"outputState":{"side":"Heads"}}"#,
        #"""
        {"seq":1,"t":5,"event":"flipped","patch":[{"op":"replace","path":"/isHeads","value":false}],\#
        "outputs":[{"op":"replace","path":"/side","value":"Tails"}]}
        """#,
        #"{"seq":2,"t":9,"event":"laid","patch":[]}"#,
      ])
  }

  /// The source of a test, as text.
  static func source(_ files: [TestFile]) -> String {
    String(decoding: files.first?.bytes ?? [], as: UTF8.self)
  }
}
