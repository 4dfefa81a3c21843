import DebugServer
import JSONCore
internal import Reruns
import Timelines
import Wire

extension CommandSpec {
  static let compare = CommandSpec(
    name: "compare", summary: "compare two timelines, or one with the results of today's code",
    operands: [
      .timelineOrFile,
      Operand(
        name: "OTHER", summary: "the other timeline, such as a branch, or file", isOptional: true,
        completion: .timelinesOrFiles),
    ],
    options: [
      .value("on", nil, "HOST", "the host, where there are several; see 'debugd hosts'"), .json,
      .data, .socket,
    ],
    details: """
      Without OTHER, a host runs the recorded events again, and the command compares the results with \
      the recording: after a change to your code, this shows its effects. Branches are aligned with \
      what they were made from, entry by entry. Independent recordings are aligned by their events; \
      the command names the first event that led from the same state to different ones.
      """,
    examples: [
      ("debugd compare coin", "what does today's code make of this recording?"),
      ("debugd compare coin 7c1d2e3f", "how does a branch differ from its parent?"),
    ]
  ) { arguments, terminal in
    try await ComparedFiles.use(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      var other: TimelineID?
      if let word = inquiry.arguments.operand(1) {
        other = try await inquiry.timeline(named: word)
      }
      let with = other
      if let with, let remark = try await inquiry.remarkOnMachines(timeline, with) {
        terminal.complain(remark)
      }
      let request = FromInspector.Compare {
        $0.timeline = timeline
        $0.with = with
        $0.host = arguments.value("on")
      }
      let answer = try await inquiry.asking.ask(request)
      if arguments.has("json") {
        inquiry.printJSON(ProofRows.json(of: answer))
      } else {
        let old = await inquiry.asking.values(replacedBy: answer.patch, at: answer.a)
        let other = arguments.operand(1).map { Escaped.quoted($0) } ?? "today's code"
        for line in ProofRows.lines(of: answer, with: other, replacing: old, on: terminal) {
          terminal.print(line)
        }
        if let with, !answer.isSame,
          let outcome = await inquiry.endDifference(timeline, with)
        {
          terminal.print("  " + outcome)
        }
      }
      return answer.isSame ? .done : .failed
    }
  }

  /// `debugd minimize`. The protocol's message keeps the spelling that it began with.
  static let minimize = CommandSpec(
    name: "minimize", aliases: ["minimise"],
    summary: "find the fewest events that lead to a failure",
    operands: [.timeline],
    options: [
      .value(
        "until", "u", "PREDICATE", "the failure condition: 'state.total < 0'", isRequired: true),
      .value("through", nil, "SEQ", "the last entry to use"),
      .value("time", nil, "TIME", "the time limit (default: 1m)"),
      .value("name", nil, "NAME", "the name of the branch"),
      .flag("later-start", nil, "allow starting from a recorded state instead of a fresh machine"),
      .flag("keep-payloads", nil, "leave the remaining events as they were recorded"),
      .json, .data, .socket,
    ],
    details: """
      Events are left out, and payloads made simpler, while the predicate still becomes true; the \
      result ends with the event after which it does. Values that differ between events stay \
      different. An event stays only together with the one that caused it. If the predicate reads 'error', only the \
      recorded error of the same event counts. The result is a branch: look at it, or export it as a \
      test.
      """,
    examples: [
      ("debugd minimize cart --until 'state.total < 0'", "which events make the total negative?"),
      ("debugd minimize cart --until 'error != null' --time 5m", "the shortest way to an error"),
    ]
  ) { arguments, terminal in
    guard let text = arguments.value("until") else {
      throw arguments.error("minimize needs --until PREDICATE, the failure condition.")
    }
    let seconds = try arguments.amount(
      "time", Amounts.seconds(reading:), "a time such as 10s or 2m")
    let through = try arguments.int("through")
    try arguments.expectName(arguments.value("name"))
    return try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let predicate = try await inquiry.predicate(text, of: timeline)
      try arguments.expectEntry("through", of: try await inquiry.summary(of: timeline))
      let request = FromInspector.Minimize {
        $0.timeline = timeline
        $0.predicate = predicate
        $0.through = through
        $0.seconds = seconds
        $0.laterStart = arguments.has("later-start")
        $0.keepPayloads = arguments.has("keep-payloads")
      }
      let found = try await inquiry.minimize(request)
      // If no event can be left out, there is no branch that could get the name.
      let isRecording = found.timeline == timeline
      if let name = arguments.value("name"), !isRecording {
        try await inquiry.rename(found.timeline, to: name)
      }
      if arguments.has("json") {
        inquiry.printJSON([
          "timeline": .string(found.timeline.text),
          "events": .number(JSON.Number(found.events)),
          "runs": .number(JSON.Number(found.runs)), "minimal": .bool(found.minimal),
        ])
      } else {
        let runs = Amounts.count(found.runs, "run")
        let events = "\(found.events) \(found.events == 1 ? "event" : "events")"
        terminal.print("\(found.timeline.text.prefix(8))  \(events) after \(runs)")
      }
      for line in remarks(on: found, isRecording, arguments) { terminal.complain(line) }
      if !arguments.has("json") {
        terminal.complain(
          try await inquiry.advice(on: found.timeline, failure: isRecording ? text : nil))
      }
      return found.minimal ? .done : .loss
    }
  }
}

/// What the search did not achieve.
///
/// - Parameter isRecording: whether the result is the recording itself.
private func remarks(
  on found: ToInspector.Minimize, _ isRecording: Bool, _ arguments: ParsedArguments
) -> [String] {
  var remarks: [String] = []
  if !found.minimal {
    remarks.append("The time ran out before it was sure that none can be left out.")
  } else if isRecording {
    remarks.append("Every event is needed, so the result is the recording itself.")
  }
  if isRecording, let name = arguments.value("name") {
    let old = "debugd rename \(found.timeline.text.prefix(8)) \(Escaped.shell(name))"
    remarks.append(
      """
      No branch was made, so the name '\(Escaped.text(name))' was not used. To give it to the \
      recording, run: \(old)\(ServeSettings.dataOption(arguments))
      """)
  }
  return remarks
}

extension Inquiry {
  func minimize(
    _ request: FromInspector.Minimize
  ) async throws -> ToInspector.Minimize {
    let terminal = terminal
    do {
      let answer = try await asking.ask(
        .minimize(request),
        each: { message in
          guard case .progress(let progress) = message, let words = progress.message,
            terminal.isInteractive
          else { return }
          terminal.complain(Escaped.text(words))
        })
      guard case .message(.minimize(let found)) = answer else {
        throw BackendError.unexpected("\(answer)")
      }
      return found
    } catch let error as BackendError {
      if case .refused(let reply) = error, reply.code == .notFound, reply.path == "predicate" {
        if let why = await misspelling(in: request.predicate, of: request.timeline) {
          throw CommandError(why)
        }
      }
      throw error
    }
  }

  /// How to keep the fewest events as a test.
  ///
  /// - Parameter failure: the predicate, where the timeline does not know it: a recording does not, a
  ///   branch of the fewest events does.
  func advice(on timeline: TimelineID, failure: String? = nil) async throws -> String {
    let header = try Header(reading: try await summary(of: timeline).header)
    let data = ServeSettings.dataOption(arguments)
    let never = failure.map { " --never \(Escaped.shell($0))" } ?? ""
    let id = timeline.text.prefix(8)
    guard ExportAdvice.isSwiftTestPossible(of: header) else {
      // 'verify' runs the hosts of any language.
      return """
        The machine is not one in Swift, so there is no test to export. To keep these events in a \
        file for 'debugd verify', run: debugd export \(id) -o \(id).timeline\(data)
        """
    }
    return """
      To export a test that fails until this is fixed, run: debugd export \(id) --as swift-testing\
      \(never)\(data)
      """
  }
}

extension ProofRows {
  static func json(of answer: ToInspector.Compare) -> JSON {
    var object = JSON.Object()
    object["equal"] = .number(JSON.Number(answer.equal))
    object["differing"] = .number(JSON.Number(answer.differing))
    if let a = answer.a { object["a"] = reference(a) }
    if let b = answer.b { object["b"] = reference(b) }
    if let alone = answer.alone { object["alone"] = .number(JSON.Number(alone)) }
    if let message = answer.message { object["message"] = .string(message) }
    if let patch = answer.patch { object["patch"] = patch.value }
    if let paths = answer.paths {
      object["paths"] = .array(
        paths.map {
          [
            "path": .string($0.path.description), "entries": .number(JSON.Number($0.entries)),
          ]
        })
    }
    return .object(object)
  }

  private static func reference(_ reference: EntryReference) -> JSON {
    [
      "timeline": .string(reference.timeline.text), "seq": .number(JSON.Number(reference.seq)),
    ]
  }
}
