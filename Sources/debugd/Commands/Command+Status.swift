import DebugServer
import JSONCore
import Timelines
import Wire

extension CommandSpec {
  static let status = CommandSpec(
    name: "status", summary: "show the daemon's health and its open sessions",
    options: [.json, .data, .socket],
    details: """
      Exits with 1 when no daemon answers, or when something keeps it from storing. A standby is \
      shown with the host whose daemon it waits for.
      """,
    need: .daemon
  ) { arguments, terminal in
    try await StatusRows.showingStandby(arguments, terminal) { inquiry in
      let status = try await inquiry.asking.ask(FromInspector.Status())
      let sessions = try await inquiry.asking.ask(FromInspector.Sessions()).sessions
      if arguments.has("json") {
        inquiry.printJSON(StatusRows.json(status, sessions))
      } else {
        for line in StatusRows.lines(status, sessions, on: terminal) { terminal.print(line) }
      }
      return status.problem == nil ? .done : .failed
    }
  }

  static let revoke = CommandSpec(
    name: "revoke", summary: "end sessions of the inspector",
    operands: [
      Operand(name: "SESSION", summary: "an id that 'debugd status' shows", repeats: true)
    ],
    options: [.data, .socket]
  ) { arguments, terminal in
    guard !arguments.operands.isEmpty else { throw arguments.error("revoke needs SESSION.") }
    return try await Inquiry.run(arguments, terminal) { inquiry in
      for session in arguments.operands {
        let request = FromInspector.Revoke { $0.session = session }
        _ = try await inquiry.asking.ask(request)
        terminal.print("revoked  \(Escaped.text(session))")
      }
      return .done
    }
  }
}

enum StatusRows {
  /// Runs an inquiry; if the daemon is a standby, shows that instead.
  static func showingStandby(
    _ arguments: ParsedArguments, _ terminal: Terminal,
    _ body: (Inquiry) async throws -> ExitCode
  ) async throws -> ExitCode {
    do {
      return try await Inquiry.run(arguments, terminal, body)
    } catch let error as ServerError {
      guard case .standby(_, let host) = error.reason else { throw error }
      if arguments.has("json") {
        Inquiry.printJSON(["standby": ["waitsFor": .string(host)]], on: terminal)
      } else {
        terminal.print(terminal.toned("daemon       ", .faint) + "standby")
        terminal.print(terminal.toned("waits for    ", .faint) + Escaped.text(host))
      }
      return .done
    }
  }

  /// A line a fact, then a line a session.
  static func lines(
    _ status: ToInspector.Status, _ sessions: [ToInspector.Session], on terminal: Terminal
  ) -> [String] {
    var rows: [(String, String)] = [
      ("daemon", status.daemon),
      ("running for", Amounts.duration(status.seconds * 1_000_000)),
      ("recorders", "\(status.recorders)"),
      ("inspectors", "\(status.inspectors)"),
      ("timelines", Amounts.count(status.timelines)),
      ("entries", Amounts.count(status.entries)),
      ("on disk", Amounts.bytes(status.bytes)),
    ]
    if let store = status.store { rows.append(("store", store)) }
    if let machines = status.machines {
      rows.append(("saved on", machines == 1 ? "1 machine" : "\(machines) machines"))
    }
    if let dropped = status.dropped, dropped > 0 {
      rows.append(("duplicates", Amounts.count(dropped)))
    }
    var lines = rows.map { name, text in
      terminal.toned(name + String(repeating: " ", count: 13 - name.count), .faint)
        + Escaped.text(text)
    }
    if let problem = status.problem {
      lines.append(terminal.toned("problem      \(Escaped.text(problem))", .bad))
    }
    for session in sessions {
      let words = session.capabilities.map(\.rawValue).joined(separator: ", ")
      let client = session.client.map { "  " + Escaped.text($0) } ?? ""
      let end = session.expires.map { "  until \(Escaped.text($0))" } ?? ""
      let now = session.connected ? "  connected" : ""
      lines.append(
        terminal.toned("session      ", .faint) + Escaped.text(session.id) + "  \(words)" + client
          + "  since \(Escaped.text(session.created))\(end)" + terminal.toned(now, .good))
    }
    return lines
  }

  /// All of it as one object.
  static func json(_ status: ToInspector.Status, _ sessions: [ToInspector.Session]) -> JSON {
    var list = ToInspector.Sessions()
    list.sessions = sessions
    var object = body(.status(status))
    object["sessions"] = body(.sessions(list))["sessions"]
    return .object(object)
  }

  private static func body(_ message: ToInspector) -> JSON.Object {
    guard case .object(var object)? = try? JSON(parsing: Envelope(message).encoded()) else {
      return JSON.Object()
    }
    object["type"] = nil
    return object
  }
}
