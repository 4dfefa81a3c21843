import DebugServer
import JSONCore
import Predicates
import Timelines
import Wire

extension CommandSpec {
  static let explain = CommandSpec(
    name: "explain", summary: "show what led to an entry: values, who set them, causes",
    operands: [
      .timelineOrFile,
      Operand(name: "SEQ", summary: "an entry (default: the last one)", isOptional: true),
    ],
    options: [
      .value("predicate", "p", "PREDICATE", "what to explain: 'outputs.total < 0'"),
      .value("healthy", nil, "TIMELINE", "a recording without the failure (default: the nearest)"),
      .value("seconds", nil, "N", "the time limit of the fewest events (default: 20)"),
      .flag("recorded", "r", "run nothing: leave out the fewest events"), .json, .data, .socket,
    ],
    details: """
      Shows the values that the predicate reads and the entries that set them, the chain of causes, \
      the fewest events that lead there, and the first entry that a healthy recording of the same type \
      does not have. Each step is marked as recorded or inferred.

      Without --predicate, it explains the failure of a minimized branch or the error of the entry, \
      else what the entry changed. The fewest events need a running daemon with a host; what is \
      missing is named, with how to get it.
      """,
    examples: [
      ("debugd explain cart 12 --predicate 'state.total < 0'", "why is the total negative?"),
      ("debugd explain cart 12", "what led to this entry?"),
    ]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let request = try await inquiry.explanationRequest()
      let found: ToInspector.Explain
      do {
        found = try await inquiry.explainUntilSignal(request)
      } catch let problem as NotHolding {
        throw problem.advice(arguments)
      }
      let rows = ExplanationRows(found)
      if arguments.has("json") {
        inquiry.printJSON(rows.json)
      } else {
        for line in rows.lines(on: terminal) { terminal.print(line) }
      }
      return .done
    }
  }
}

extension Inquiry {
  fileprivate func explanationRequest() async throws -> FromInspector.Explain {
    var request = FromInspector.Explain()
    request.seconds = try arguments.int("seconds", 1...3_600)
    request.fewest = !arguments.has("recorded")
    request.timeline = try await timeline()
    request.seq = try await seq(at: 1, of: request.timeline)
    if let text = arguments.value("predicate") {
      let predicate = try await predicate(text, of: request.timeline)
      try await expectPaths(of: [predicate], in: request.timeline)
      request.predicate = predicate
    }
    if let word = arguments.value("healthy") {
      request.healthy = try await timeline(named: word)
    }
    return request
  }

  /// What led to an entry; a signal cancels the question.
  fileprivate func explainUntilSignal(
    _ request: FromInspector.Explain
  ) async throws -> ToInspector.Explain {
    try await Interruptible.run { try await explain(request) }
  }

  /// What led to an entry; a file's advice says how to get its timeline into a daemon.
  func explain(_ request: FromInspector.Explain) async throws -> ToInspector.Explain {
    let answer: BackendAnswer
    do {
      answer = try await asking.ask(.explain(request))
    } catch {
      guard case .refused(let reply) = error, reply.code == .failed, reply.path == "predicate"
      else {
        throw error
      }
      throw NotHolding(predicate: request.predicate ?? .always, seq: request.seq)
    }
    guard case .message(.explain(var found)) = answer else {
      throw BackendError.unexpected("\(answer)")
    }
    if files != nil, request.fewest, request.predicate != nil {
      found.missing = found.missing?.map { text in
        text.hasPrefix("The fewest events: ")
          ? "The fewest events: a file has no host. To get them, import it into a running daemon."
          : text
      }
    }
    return found
  }
}

/// A predicate to explain does not hold after the entry.
struct NotHolding: Error, CustomStringConvertible {
  let predicate: Predicates.Predicate
  let seq: Int64

  var fact: String { Escaped.text("\(predicate) does not hold after entry \(seq).") }

  var description: String { "\(fact) To get an entry after which it does, call find." }

  /// What to say on the command line.
  func advice(_ arguments: ParsedArguments) -> CommandError {
    let word = arguments.operand(0).flatMap { ShellWord.text($0) } ?? "TIMELINE"
    return CommandError(
      """
      \(fact) To find an entry after which it does, run: debugd find \(word) \
      \(Escaped.shell("\(predicate)"))\(ServeSettings.dataOption(arguments))
      """)
  }
}
