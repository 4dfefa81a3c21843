import DebugServer
import JSONCore
import Predicates
import Timelines
import Wire

extension CommandSpec {
  static let explore = CommandSpec(
    name: "explore", summary: "search for events that lead to a failure, from any entry",
    operands: [.timeline],
    options: [
      .value("from", "f", "SEQ", "the entry after which to begin (default: the newest)"),
      .value("until", "u", "PREDICATE", "the condition to reach: 'state.total < 0'"),
      .value("always", "a", "PREDICATE", "the condition to break: 'state.total >= 0'"),
      .flag(
        "invariants", nil,
        "break an invariant: those that were confirmed, else what always held"),
      .value("exclude", "x", "EVENT", "the name of an event not to send", repeats: true),
      .value("seconds", nil, "N", "the time limit of the search (default: 60)"),
      .value("depth", nil, "N", "the maximum number of events (default: 64)"),
      .value("states", nil, "N", "the maximum number of states (default: 200000)"),
      .value(
        "findings", nil, "N", "how many ways to find, each with another last event (default: 1)"),
      .value(
        "processes", "p", "N",
        "in how many processes, 1 to 8 (default: one for each core, at most 4)"),
      .value("seed", nil, "N", "the seed of the random walks (default: 0)"),
      .flag("ignore-errors", nil, "errors that the reducer throws are expected"),
      .json, .data, .socket,
    ],
    details: """
      Sends recorded events, cases of the schema, and small changes of both, breadth-first: shorter \
      ways come first, and no state is visited twice. What lies deeper than --depth or --states allow is \
      searched by random walks. Traps and errors that the reducer throws are found, too; without \
      --until and --always, only these. Each finding is minimized, which takes up to 20 \
      seconds more, and becomes a branch. Needs a running daemon with an executable as host.

      Exits with 0 when something was found, with 1 when there is nothing to find, and with 3 when the \
      time, the depth, or the number of states ended the search first.
      """,
    examples: [
      ("debugd explore cart --from 0 --until 'state.total < 0'", "which events make it negative?"),
      (
        "debugd explore cart --always 'state.total >= 0' --exclude scrolled",
        "can this be broken from here?"
      ),
      ("debugd explore cart", "which events trap, or throw?"),
    ]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let request = try await inquiry.exploration()
      let found = try await inquiry.explore(request)
      let rows = ExplorationRows(found, of: request)
      if arguments.has("json") {
        inquiry.printJSON(rows.json)
      } else {
        for line in rows.lines(on: terminal) { terminal.print(line) }
        if let advice = try await inquiry.advice(on: found) { terminal.complain(advice) }
      }
      return rows.exitCode
    }
  }
}

extension Inquiry {
  /// The request that the options make.
  fileprivate func exploration() async throws -> FromInspector.Explore {
    guard arguments.value("until") == nil || arguments.value("always") == nil else {
      throw arguments.error("Use --until to reach a condition or --always to break one, not both.")
    }
    guard !arguments.has("invariants") || !arguments.has("until") && !arguments.has("always") else {
      throw arguments.error("Use --invariants without --until and --always.")
    }
    var request = FromInspector.Explore()
    request.from = try arguments.int("from")
    request.seconds = try arguments.int("seconds", 1...86_400)
    request.depth = try arguments.int("depth", 1...10_000)
    request.states = try arguments.int("states", 1...20_000_000)
    request.findings = try arguments.int("findings", 1...100)
    request.processes = try arguments.int("processes", 1...8)
    request.seed = try arguments.int("seed")
    request.ignoreErrors = arguments.has("ignore-errors")
    request.timeline = try await timeline()
    let timeline = request.timeline
    request.until = try await condition("until", of: timeline)
    request.always = try await condition("always", of: timeline)
    if arguments.has("invariants") { request.always = try await invariants(of: timeline) }
    let excluded = arguments.values["exclude"] ?? []
    if !excluded.isEmpty {
      let schema = try await schema(of: timeline)
      for name in excluded { try EventText.expect(name, in: schema) }
      request.exclude = excluded
    }
    let summary = try await summary(of: timeline)
    try arguments.expectEntry("from", of: summary)
    return request
  }

  /// The confirmed invariants of a machine's type, together; without any, what always held in its
  /// recordings.
  private func invariants(of timeline: TimelineID) async throws -> Predicates.Predicate {
    let confirmed = try await confirmedInvariants(of: [timeline]).map {
      try Predicates.Predicate($0.predicate).expression
    }
    if !confirmed.isEmpty { return try together(confirmed, of: timeline) }
    let found = try await asking.ask(
      FromInspector.Invariants {
        $0.timelines = [timeline]
        $0.others = true
        $0.meant = true
        $0.limit = 12
      })
    guard !found.invariants.isEmpty else {
      throw CommandError(
        "No invariants were found, so there is nothing to break.")
    }
    return try together(found.invariants.map(\.predicate.expression), of: timeline)
  }

  private func together(
    _ all: [Predicates.Predicate.Expression], of timeline: TimelineID
  ) throws -> Predicates.Predicate {
    let one = Predicates.Predicate(all.count == 1 ? all[0] : .all(all))
    let count = "\(one)".utf8.count
    guard count <= Predicates.Predicate.maxBytes else {
      throw CommandError(
        "Together, the \(all.count) invariants have \(count) bytes, and a condition at most "
          + "\(Predicates.Predicate.maxBytes). To remove some, see their numbers: debugd invariants "
          + "\(timeline.text.prefix(8)) --confirmed" + ServeSettings.dataOption(arguments))
    }
    return one
  }

  private func condition(
    _ option: String, of timeline: TimelineID
  ) async throws -> Predicates.Predicate? {
    guard let text = arguments.value(option) else { return nil }
    let predicate = try await predicate(text, of: timeline)
    // Not an error: an event may lead to a member that no state had yet.
    if let hint = await misspelling(in: predicate, of: timeline) { terminal.complain(hint) }
    return predicate
  }

  fileprivate func explore(
    _ request: FromInspector.Explore
  ) async throws -> ToInspector.Explore {
    let terminal = terminal
    let answer = try await Interruptible.run {
      try await asking.ask(
        .explore(request),
        each: { message in
          guard case .progress(let progress) = message, let words = progress.message,
            terminal.isInteractive
          else { return }
          terminal.write(Array("\r\u{1B}[K\(Escaped.text(words))".utf8))
        })
    }
    if terminal.isInteractive { terminal.write(Array("\r\u{1B}[K".utf8)) }
    guard case .message(.explore(let found)) = answer else {
      throw BackendError.unexpected("\(answer)")
    }
    return found
  }

  /// How to keep the first finding as a test, or to try it again.
  fileprivate func advice(on found: ToInspector.Explore) async throws -> String? {
    guard let finding = found.findings.first(where: { $0.timeline != nil }),
      let branch = finding.timeline
    else { return nil }
    switch finding.cause {
    case .predicate, .error: return try await advice(on: branch)
    case .trap, .limit:
      let data = ServeSettings.dataOption(arguments)
      return """
        To see whether a fix helps, run: debugd fork \(branch.text.prefix(8))\(data) --again
        """
    }
  }
}
