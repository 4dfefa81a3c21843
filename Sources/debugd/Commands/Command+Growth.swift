import DebugServer
import JSONCore
import Timelines
import Wire

extension CommandSpec {
  static let growth = CommandSpec(
    name: "growth", summary: "show which parts of the state grow, in bytes",
    operands: [.timelineOrFile],
    options: [
      .from, .value("to", "t", "SEQ", "the last entry"),
      .value("samples", nil, "N", "at how many entries to measure, up to 64 (default: 24)"),
      .value("limit", "n", "N", "the maximum number of paths (default: 20)"), .json, .data,
      .socket,
    ],
    details: """
      The bytes are those of the state as JSON. An array, or an object whose keys are data, counts \
      as a whole.
      """,
    examples: [("debugd growth coin", "what gets larger from entry to entry?")]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let summary = try await inquiry.summary(of: timeline)
      let (from, to) = try arguments.range(of: summary)
      let samples = try arguments.int("samples", 2...64)
      let limit = try arguments.int("limit", 1...200)
      let answer = try await inquiry.asking.ask(
        FromInspector.Growth {
          $0.timeline = timeline
          $0.from = from
          $0.to = to
          $0.samples = samples
          $0.limit = limit
        })
      inquiry.show(answer)
      return .done
    }
  }
}

extension Inquiry {
  fileprivate func show(_ answer: ToInspector.Growth) {
    if arguments.has("json") {
      for path in answer.paths { printJSON(GrowthRows.json(path, answer.seqs)) }
    } else {
      for line in GrowthRows.lines(answer, on: terminal) { terminal.print(line) }
    }
    if answer.more { terminal.complain("More parts grew. To see them, use --limit N.") }
    if let unknown = answer.unknown {
      terminal.complain("\(Amounts.count(unknown, "state is", "states are")) not known.")
    }
  }
}
