import DebugServer
import Timelines
import Wire

extension CommandSpec {
  static let capture = CommandSpec(
    name: "capture", summary: "choose which events a live machine records from now on",
    operands: [machine],
    options: [
      .value("only", nil, "EVENT", "record only this event; repeat it for several", repeats: true),
      .value(
        "without", nil, "EVENT", "do not record this event; repeat it for several", repeats: true),
      .flag("pause", nil, "record nothing, until the next capture command"), .json, .data, .socket,
    ],
    details: """
      Without an option, the app's own choice applies again. Recorded entries stay; omitted events are \
      counted, and the next entry has its whole state. \(consent)
      """,
    need: .daemon,
    examples: [
      ("debugd capture map --without scrolled --without zoomed", "leave out frequent events"),
      ("debugd capture map --pause", "until 'debugd capture map'"),
    ]
  ) { arguments, terminal in
    let given = { (name: String) in
      arguments.order.filter { $0.name == name }.map(\.value)
    }
    let (only, without) = (given("only"), given("without"))
    guard !arguments.has("pause") || only.isEmpty && without.isEmpty else {
      throw arguments.error("--pause records nothing, so leave out --only and --without.")
    }
    return try await Inquiry.run(arguments, terminal) { inquiry in
      let machine = try await LiveMachine(inquiry)
      let schema = try await inquiry.schema(of: machine.timeline)
      for name in only + without { try EventText.expect(name, in: schema) }
      let request = FromInspector.Capture {
        $0.timeline = machine.timeline
        if arguments.has("pause") || !only.isEmpty { $0.allow = only }
        if !without.isEmpty { $0.deny = without }
      }
      machine.report(try await machine.ask(.capture(request)), word(only, without, arguments))
      return .done
    }
  }

  /// What is recorded from now on, in a word.
  private static func word(
    _ only: [String], _ without: [String], _ arguments: ParsedArguments
  ) -> String {
    if arguments.has("pause") { return "paused" }
    return only.isEmpty && without.isEmpty ? "recorded" : "filtered"
  }
}
