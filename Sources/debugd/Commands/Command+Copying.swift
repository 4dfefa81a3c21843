import DebugServer
import Foundation
import JSONCore
import Timelines
import Wire

extension CommandSpec {
  static let push = CommandSpec(
    name: "push", summary: "copy timelines to another daemon",
    operands: [.copied],
    options: [
      .value("to", "t", "ADDRESS", "the other daemon: wss://HOST:PORT", isRequired: true),
      .flag("all", "a", "all timelines"),
    ] + remoteOptions,
    details: """
      Copies entries, branches with their parents, names and marks. What the other daemon already has \
      is not sent again, so a copy that was interrupted continues where it ended. The key is in \
      DEBUGD_KEY or in a file; to get one, run on the other machine: debugd open --key push
      """,
    examples: [
      ("debugd push cart --to wss://team.example", "copy the newest recording of a machine"),
      (
        "debugd push --all --to wss://team.example",
        "copy everything, such as at the end of a CI job"
      ),
    ]
  ) { arguments, terminal in
    try await CopyCommand(arguments, terminal, direction: .push).run()
  }

  static let pull = CommandSpec(
    name: "pull", summary: "copy timelines from another daemon",
    operands: [.copied],
    options: [
      .value("from", "f", "ADDRESS", "the other daemon: wss://HOST:PORT", isRequired: true),
      .flag("all", "a", "all timelines"),
    ] + remoteOptions,
    details: """
      Copies entries, branches with their parents, names and marks. What this daemon already has is \
      not sent again, so a copy that was interrupted continues where it ended. The key is in \
      DEBUGD_KEY or in a file; to get one, run on the other machine: debugd open --key pull
      """,
    need: .nothing,
    examples: [
      ("debugd pull last --from wss://team.example", "look at what CI recorded last")
    ]
  ) { arguments, terminal in
    try await CopyCommand(arguments, terminal, direction: .pull).run()
  }

  private static let remoteOptions: [OptionSpec] = [
    .value("key-file", nil, "FILE", "the file with the key (default: the variable DEBUGD_KEY)"),
    .value(
      "fingerprint", nil, "HEX", "the SHA-256 fingerprint of the certificate to accept",
      environment: "DEBUGD_FINGERPRINT"),
    .value(
      "authority", nil, "FILE", "the PEM file of the authority to accept certificates from",
      environment: "DEBUGD_AUTHORITY"),
    .json, .data, .socket,
  ]
}

extension Operand {
  /// The timelines that are copied.
  fileprivate static let copied = Operand(
    name: "TIMELINE", summary: Operand.timeline.summary, isOptional: true, repeats: true,
    completion: .timelines)
}
