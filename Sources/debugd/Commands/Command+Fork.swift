import DebugServer
import JSONCore
import Predicates
import Timelines
import Wire

extension CommandSpec {
  static let fork = CommandSpec(
    name: "fork", summary: "make a branch: a changed past, computed by the machine's own reducer",
    operands: [.timeline],
    options: [
      .value(
        "through", nil, "SEQ", "the last entry of the parent to use (default: the newest)"),
      .value(
        "drop", nil, "SEQ[-SEQ][,…]", "leave entries out: 7, 12-15, or 7,12-15", repeats: true),
      .flag("with-effects", nil, "drop what the dropped entries caused, too"),
      .value("replace", nil, "SEQ=EVENT", "give an entry another event", repeats: true),
      .value("insert", nil, "SEQ=EVENT", "insert a new event before an entry", repeats: true),
      .value("move", nil, "SEQ=SEQ", "move an entry before another one", repeats: true),
      .value("append", nil, "EVENT", "add a new event at the end", repeats: true),
      .value("repeat", nil, "SEQ", "send an entry's event again, right after it", repeats: true),
      .value("redispatch", nil, "SEQ", "send an entry's event again, at the end", repeats: true),
      .value("cut", nil, "SEQ", "leave out everything after an entry", repeats: true),
      .value("start", nil, "SEQ", "begin with the state after an entry", repeats: true),
      .value("start-state", nil, "JSON", "begin with this state", repeats: true),
      .value("edits", nil, "JSON", "a whole edit script", repeats: true),
      .flag(
        "again", nil, "repeat the edits of the branch TIMELINE on its parent, with today's reducer"),
      .value("name", nil, "NAME", "the name of the branch (default: its edits in words)"),
      .flag("no-wait", nil, "do not wait until it is computed"), .json, .data, .socket,
    ],
    details: """
      Edits apply in the order in which you give them. Every SEQ is a number in the parent, whatever \
      earlier edits did. What an effect of a dropped event sent later stays, unless you add \
      --with-effects; that needs recorded causes. An EVENT is JSON, as 'debugd entries --json' shows \
      it, or the name of a case without payload. Needs a running daemon with a host for the machine; \
      without one, and when the host cannot decode the event of the first edit, no branch is made. If \
      the host is lost while the branch is computed, the branch waits for another one, and the \
      command reports that. It says how the end differs from that of TIMELINE. Ctrl-C ends the wait; \
      the daemon still computes the branch.
      """,
    examples: [
      ("debugd fork coin --drop 12 --replace 40=flipped", "undo one event, edit another"),
      ("debugd fork coin --redispatch 12", "the same event once more, on the newest state"),
      ("debugd fork coin --start 30 --name 'from here'", "forget what led to entry 30"),
      ("debugd fork 'from here' --again", "the same, after you changed the reducer"),
    ]
  ) { arguments, terminal in
    try arguments.expectName(arguments.value("name"))
    return try await Inquiry.run(arguments, terminal) { inquiry in
      var request = FromInspector.Fork()
      request.timeline = try await inquiry.timeline()
      request.through = try arguments.int("through")
      let shown = request.timeline
      if arguments.has("again") { try arguments.expectOnlyRepetition() }
      let script = try await inquiry.edits(of: request.timeline, through: request.through)
      let left = try await inquiry.leftEffects(of: script, in: request)
      request.edits = try script.with(left, arguments)
      request.name = arguments.value("name")
      if arguments.has("again") {
        try await inquiry.repeats(&request)
      } else if request.name == nil {
        request.name = try await inquiry.defaultName(for: request.edits, of: request.timeline)
      }
      do {
        let code = try await inquiry.fork(request, comparedWith: shown)
        if let sentence = left?.sentence, !arguments.has("with-effects") {
          terminal.complain(sentence)
        }
        return code
      } catch BackendError.refused(var reply) {
        reply.message = script.named(reply.message)
        throw BackendError.refused(reply)
      }
    }
  }

  static let branches = CommandSpec(
    name: "branches", summary: "show a timeline's branches as a tree, with their edits",
    operands: [.timeline], options: [.json, .data, .socket]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let tree = BranchTree(try await inquiry.asking.timelines())
      for (depth, summary) in tree.rows(from: timeline) {
        if arguments.has("json") {
          inquiry.printJSON(TimelineRows.json(summary))
        } else {
          terminal.print(BranchTree.line(of: summary, depth: depth, on: terminal))
        }
      }
      return .done
    }
  }

  static let compute = CommandSpec(
    name: "compute", summary: "compute states that were not captured",
    operands: [.timeline],
    options: [.from, .value("to", "t", "SEQ", "the last entry"), .data, .socket],
    details: """
      The recording stays as it is: computed states are stored next to it, and marked as computed. \
      Needs a running daemon with a host for the machine.
      """,
    examples: [("debugd compute coin --from 100 --to 199", "states of a hundred entries")]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let summary = try await inquiry.summary(of: timeline)
      let request = FromInspector.Compute {
        $0.timeline = timeline
        $0.from = summary.first ?? 0
        $0.to = summary.last ?? 0
      }
      var asked = request
      let given = try arguments.range(of: summary)
      asked.from = given.from ?? asked.from
      asked.to = given.to ?? asked.to
      let range = asked
      _ = try await inquiry.asking.ask(range)
      terminal.print("computed  entries \(range.from) to \(range.to) of \(timeline.text.prefix(8))")
      return .done
    }
  }
}

extension Inquiry {
  /// Makes the request that made a branch once more.
  fileprivate func repeats(_ request: inout FromInspector.Fork) async throws {
    let summary = try await summary(of: request.timeline)
    let header = try Header(reading: summary.header)
    guard let fork = header.parent else {
      throw CommandError(
        """
        \(header.timeline.text) is not a branch, so it has no edits to repeat. To compare it with \
        today's reducer, run: debugd verify \(header.timeline.text.prefix(8))\
        \(ServeSettings.dataOption(arguments))
        """)
    }
    request.timeline = fork.timeline
    request.through = fork.through
    request.edits = try JSONSlice(validating: fork.edits.text)
    if request.name == nil { request.name = try await nameAgain(summary.name, fork) }
    request.failure = fork.failure
  }

  /// The name of a branch that is computed again, which no timeline has; `nil` when it had none.
  ///
  /// The name that a minimization made contains its condition, which may no longer be true.
  private func nameAgain(_ given: String?, _ fork: Header.Parent) async throws -> String? {
    guard var name = given ?? fork.name else { return nil }
    let start = name.prefix { $0 != ":" }
    if fork.failureText != nil, start.wholeMatch(of: /\d+ events?/) != nil { name = String(start) }
    return try await unusedName(name.replacing(/, again( \(\d+\))?$/, with: "") + ", again")
  }

  /// What the edits leave of the effects of dropped entries.
  fileprivate func leftEffects(
    of script: ForkScript, in request: FromInspector.Fork
  ) async throws -> LeftEffects? {
    try await leftEffects(
      of: try script.slice, in: request.timeline, through: request.through,
      findsAll: arguments.has("with-effects"))
  }

  /// Makes the branch, and says how its end differs from that of the timeline that was named.
  fileprivate func fork(
    _ request: FromInspector.Fork, comparedWith shown: TimelineID
  ) async throws -> ExitCode {
    let waits = !arguments.has("no-wait")
    // Before the request, so that nothing reported right after the answer is missed.
    let news = waits ? await asking.news() : nil
    let branch = try await asking.ask(request)
    let why =
      if let news { try await BranchWait(self, branch.timeline)(news) } else { nil as String? }
    let summary = try await summary(of: branch.timeline)
    if arguments.has("json") {
      printJSON(TimelineRows.json(summary))
    } else {
      for line in TimelineRows.details(summary, on: terminal) { terminal.print(line) }
      if let outcome = await endDifference(shown, branch.timeline) {
        terminal.print(outcome)
      }
      if waits, summary.ended == nil {
        let word = try await word(for: summary, branch.timeline)
        let data = ServeSettings.dataOption(arguments)
        terminal.complain("To look at its end, run: debugd state \(word)\(data)")
      }
    }
    guard let ended = summary.ended else { return .done }
    terminal.complain(
      "The branch ends at entry \(summary.last ?? 0), before all edits were applied: "
        + ended.story(of: branch.timeline, ServeSettings.dataOption(arguments)))
    if let why { terminal.complain("The host says: \(Escaped.text(why))") }
    return .loss
  }
}

extension ForkScript {
  /// The edits, with what the dropped entries caused if that is to be dropped, too.
  fileprivate func with(_ left: LeftEffects?, _ arguments: ParsedArguments) throws -> JSONSlice {
    guard arguments.has("with-effects") else { return try slice }
    guard let left else {
      throw arguments.error("--with-effects needs --drop SEQ, the entries whose effects to drop.")
    }
    var all = self
    all.add(left.entries.map { ["drop": .number(JSON.Number($0.seq))] }, "--with-effects")
    return try all.slice
  }
}

extension ParsedArguments {
  /// Refuses edits next to `--again`, which would be ignored.
  fileprivate func expectOnlyRepetition() throws {
    let edits: Set = [
      "through", "drop", "with-effects", "replace", "insert", "move", "append", "repeat",
      "redispatch", "cut", "start", "start-state", "edits",
    ]
    guard let other = order.first(where: { edits.contains($0.name) }) else { return }
    throw error("--again repeats the branch's own edits, so remove --\(other.name).")
  }
}
