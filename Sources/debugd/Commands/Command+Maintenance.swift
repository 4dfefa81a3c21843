import DebugServer
import Foundation
import JSONCore
import Timelines
import Wire

extension CommandSpec {
  static let prune = CommandSpec(
    name: "prune", summary: "delete the oldest timelines until the rest is within limits",
    options: [
      .value("bytes", nil, "BYTES", "the maximum size of what stays: 20G, 500M"),
      .value("age", nil, "AGE", "the maximum age since the last entry: 30d, 12h"),
      .value("per-app", nil, "N", "the maximum number of timelines of an app"),
      .flag("yes", "y", "do not ask for confirmation"), .json, .data, .socket,
    ],
    details: """
      Keeps marked timelines. Deletes a timeline together with its branches. Asks for confirmation on \
      a terminal.
      """,
    examples: [("debugd prune --age 30d", "delete everything older than a month")]
  ) { arguments, terminal in
    let bytes = try arguments.prunedBytes()
    let seconds = try arguments.amount("age", Amounts.seconds(reading:), "an age such as 30d")
    let perApp = try arguments.int("per-app", 1...1_000_000)
    guard bytes != nil || seconds != nil || perApp != nil else {
      throw arguments.error("prune needs a limit: --bytes, --age, or --per-app.")
    }
    return try await Inquiry.run(arguments, terminal) { inquiry in
      let isAsking = terminal.isInteractive && !arguments.has("yes")
      if isAsking, try await !inquiry.confirmsPruning() {
        terminal.complain("Nothing was deleted.")
        return .failed
      }
      let request = FromInspector.Prune {
        $0.bytes = bytes
        $0.seconds = seconds
        $0.perApp = perApp
      }
      let answer = try await inquiry.asking.ask(request)
      if arguments.has("json") {
        inquiry.printJSON([
          "deleted": .array(answer.deleted.map { .string($0.text) }),
          "shortened": .array(answer.shortened.map { .string($0.text) }),
        ])
      } else {
        for sentence in answer.sentences { terminal.print(Escaped.text(sentence)) }
        if answer.sentences.isEmpty {
          terminal.print("Nothing was deleted: everything is within the limits.")
        }
      }
      return .done
    }
  }

  static let check = CommandSpec(
    name: "check", summary: "check that all stored data can be read",
    options: [
      .flag("quick", nil, "check only the structure of the database"), .json, .data, .socket,
    ],
    details: """
      Exits with 0 when all is well, and with 1 when the database is damaged, or when a recorder or \
      a host sent entries that contradict each other, which are stored as they arrived.
      """
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let request = FromInspector.Check { $0.thorough = !arguments.has("quick") }
      let answer = try await inquiry.asking.ask(request)
      if arguments.has("json") {
        inquiry.printJSON([
          "timelines": .number(JSON.Number(answer.timelines)),
          "entries": .number(JSON.Number(answer.entries)),
          "findings": .array(answer.findings.map { .string($0.text) }),
        ])
      } else {
        for finding in answer.findings {
          let text = Escaped.text(finding.text)
          let place = finding.timeline.map { "\($0.text.prefix(8))  \(text)" } ?? text
          terminal.print(terminal.toned(place, .bad))
        }
        terminal.print(
          "\(Amounts.count(answer.timelines, "timeline")), "
            + "\(Amounts.count(answer.entries, "entry", "entries")): "
            + (try verdict(answer, arguments)))
      }
      return answer.findings.isEmpty ? .done : .failed
    }
  }

  /// What to do about what was found. Recovering is of no use where nothing is damaged.
  static func verdict(_ answer: ToInspector.Check, _ arguments: ParsedArguments) throws -> String {
    if answer.findings.isEmpty { return "all is well" }
    if answer.findings.contains(where: { $0.origin == .storage }) {
      let environment = ProcessInfo.processInfo.environment
      guard try !ServeSettings.quiet(arguments, environment).hasDatabase else {
        return "to fix, restore the PostgreSQL database from its own backup"
      }
      return "to save what can be read, stop the daemon if it is running, and run: debugd recover"
        + ServeSettings.dataOption(arguments)
    }
    return "the database is intact; to fix, correct the recorder or host that sent these entries"
  }

  static let recover = CommandSpec(
    name: "recover", summary: "save what can be read from a damaged database",
    options: [.json, .data],
    details: """
      Stop the daemon of the data first. The damaged database stays next to the new one. Exits with 0 \
      when nothing is lost, and with 3 when something is.
      """
  ) { arguments, terminal in
    let environment = ProcessInfo.processInfo.environment
    let configuration = try ServeSettings.quiet(arguments, environment)
    try configuration.checkIsRecoverable()
    guard Recovery.hasData(in: configuration.data) else { throw CommandError(configuration.noData) }
    let report = try await Recovery.run(data: configuration.data)
    if arguments.has("json") {
      Inquiry.printJSON(
        [
          "timelines": .number(JSON.Number(Int64(report.timelines))),
          "entries": .number(JSON.Number(report.entries)),
          "losses": .array(report.losses.map { .string($0) }),
          "wasDamaged": .bool(report.wasDamaged),
        ], on: terminal)
    } else {
      for loss in report.losses { terminal.print(terminal.toned(Escaped.text(loss), .bad)) }
      if let file = report.damagedFile {
        terminal.print(
          "Saved \(Amounts.count(Int64(report.timelines), "timeline")) with "
            + "\(Amounts.count(report.entries, "entry", "entries")). "
            + "The damaged database is \(Escaped.text(file)).")
      } else {
        terminal.print("All is well; nothing was changed.")
      }
    }
    return report.losses.isEmpty ? .done : .loss
  }
}

extension ParsedArguments {
  /// An option's value as an amount with a unit.
  func amount(
    _ name: String, _ read: (String) -> Int64?, _ what: String
  ) throws -> Int64? {
    guard let text = value(name) else { return nil }
    guard let number = read(text) else {
      throw error("--\(name) takes \(what), not \(Escaped.quoted(text)).")
    }
    return number
  }
}
