import DebugServer
import Timelines

extension CommandSpec {
  /// `debugd capture`.
  static let capture = CommandSpec(
    name: "capture", summary: "say which events a live machine records from now on",
    operands: [machine],
    options: [
      .value("only", nil, "EVENT", "this event, and others for which that is said", repeats: true),
      .value("without", nil, "EVENT", "all but this, and others like it", repeats: true),
      .flag("pause", nil, "nothing, until it is said otherwise"), .json, .data,
    ],
    details: """
      Without an option recording goes on as the app itself chose. Nothing that was recorded goes away; \
      what is left out is counted, and the next entry has its state in full. \(consent)
      """,
    examples: [
      ("debugd capture map --without scrolled --without zoomed", "what comes too often"),
      ("debugd capture map --pause", "until 'debugd capture map'"),
    ]
  ) { arguments, terminal in
    let given = { (name: String) in
      arguments.order.filter { $0.name == name }.map(\.value)
    }
    let (only, without) = (given("only"), given("without"))
    guard !arguments.has("pause") || only.isEmpty && without.isEmpty else {
      throw arguments.error("--pause leaves nothing for --only and --without.")
    }
    return try await Inquiry.run(arguments, terminal) { inquiry in
      let machine = try await LiveMachine(inquiry)
      let request = FromInspector.Capture {
        $0.timeline = machine.timeline
        if arguments.has("pause") || !only.isEmpty { $0.allow = only }
        if !without.isEmpty { $0.deny = without }
      }
      machine.tell(try await machine.ask(.capture(request)), word(only, without, arguments))
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
