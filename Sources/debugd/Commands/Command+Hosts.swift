import DebugServer
import Foundation
import JSONCore
internal import Reruns
import Timelines
import Wire

extension CommandSpec {
  static let hosts = CommandSpec(
    name: "hosts",
    summary: "list the hosts that can run reducers, in the order in which they are used",
    options: [.json, .data, .socket],
    details: """
      A host runs reducers on fresh values, for branches, undo, and states that were not captured. If \
      a reducer traps, only the host process ends, unless the host is a live app. Exits with 1 \
      if there is no host, or one cannot be used.
      """,
    need: .daemon
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let hosts = try await inquiry.asking.ask(FromInspector.Hosts()).hosts
      if arguments.has("json") {
        for host in hosts { inquiry.printJSON(HostRows.json(host)) }
      } else {
        for line in HostRows.lines(hosts, on: terminal) { terminal.print(line) }
      }
      if hosts.isEmpty {
        terminal.complain(
          "There are no hosts. \(HostPool.remedy("App", ServeSettings.dataOption(arguments)))")
      }
      for host in hosts {
        guard let problem = host.problem else { continue }
        terminal.complain("\(Escaped.text(host.name)): \(Escaped.text(problem))")
      }
      return hosts.isEmpty || hosts.contains { $0.problem != nil } ? .failed : .done
    }
  }

  static let host = CommandSpec(
    name: "host", summary: "add an executable that runs reducers to the running daemon",
    operands: [
      Operand(name: "EXECUTABLE", summary: "its path", completion: .files),
      Operand(
        name: "ARGUMENT", summary: "an argument for it; write -- before arguments with a hyphen",
        isOptional: true, repeats: true),
    ],
    options: [
      .value("app", "a", "NAME", "the app whose timelines it serves (default: all)"),
      .value("app-version", nil, "VERSION", "the version of that app (default: all)"),
      .data, .socket,
    ],
    details: """
      The daemon keeps it until it ends; to add it at every start, use 'debugd serve --host'. The \
      executable's main calls ReducerHost.run(…), or ReducerHost.runIfAsked(…) first.
      """,
    need: .daemon,
    examples: [("debugd host .build/debug/Commute", "then 'debugd hosts' shows what it makes")]
  ) { arguments, terminal in
    guard let path = arguments.operand(0) else { throw arguments.error("host needs EXECUTABLE.") }
    if arguments.has("app-version"), !arguments.has("app") {
      throw arguments.error("--app-version needs the app that has it: --app NAME.")
    }
    return try await Inquiry.run(arguments, terminal) { inquiry in
      let request = FromInspector.Host {
        $0.executable = ServeSettings.absolute(path)
        $0.arguments = Array(arguments.operands.dropFirst())
        $0.app = arguments.value("app")
        $0.version = arguments.value("app-version")
      }
      _ = try await inquiry.asking.ask(request)
      let hosts = try await inquiry.asking.ask(FromInspector.Hosts()).hosts
      guard let host = hosts.last(where: { $0.executable == request.executable }) else {
        return .done
      }
      let makes = host.makes.isEmpty ? "nothing" : host.makes.joined(separator: ", ")
      terminal.print(Escaped.text("\(host.name) makes \(makes)"))
      return .done
    }
  }
}

enum HostRows {
  static func lines(_ hosts: [ToInspector.HostSummary], on terminal: Terminal) -> [String] {
    var table = Table([
      ("name", .left), ("where", .left), ("app", .left), ("state", .left), ("makes", .left),
    ])
    for host in hosts {
      table.add([
        (host.name, .name), (host.place == .live ? "live app" : "process", nil),
        (app(host), nil), (state(host), host.problem == nil ? .good : .careful),
        (host.makes.joined(separator: ", ") + (host.restarted.map { "  (\($0))" } ?? ""), nil),
      ])
    }
    return table.lines(on: terminal)
  }

  /// The app that it is for, and its version.
  private static func app(_ host: ToInspector.HostSummary) -> String {
    [host.app, host.version].compactMap(\.self).joined(separator: " ")
  }

  /// What it does now, in a word.
  static func state(_ host: ToInspector.HostSummary) -> String {
    if host.problem != nil { return "failed" }
    if host.busy { return "running" }
    return host.executable != nil && host.started == nil ? "asleep" : "idle"
  }

  static func json(_ host: ToInspector.HostSummary) -> JSON {
    let message = ToInspector.Hosts { $0.hosts = [host] }
    guard let summary = try? JSON(parsing: Envelope(ToInspector.hosts(message)).encoded()),
      case .object(var members)? = summary["hosts"]?[0]
    else { return .null }
    members["busy"] = nil
    members["state"] = .string(state(host))
    return .object(members)
  }
}
