import DebugServer
import Foundation
import JSONCore
import Timelines
import Wire

extension CommandSpec {
  /// The machine of a running app.
  static let machine = Operand(
    name: "MACHINE",
    summary: "a live machine's name, its timeline, or 'last' for the newest one",
    completion: .timelines)

  private static let take = OptionSpec.flag(
    "take", "t", "take it over from the inspector that holds it")

  private static let policy = OptionSpec.value(
    "policy", "p", "WORD", "what to do with the app's own events meanwhile (default: queue)",
    choices: ["queue", "refuse"])

  private static let stay = OptionSpec.flag("stay", "s", "keep holding it, as 'debugd hold' does")

  /// What all commands that control an app have in common.
  static let consent = """
    The app must have set allowsControl in its recorder's options. Needs a running daemon.
    """

  static let hold = CommandSpec(
    name: "hold", summary: "hold a live machine, until Ctrl-C or for a time",
    operands: [machine],
    options: [
      policy, take,
      .value("for", nil, "TIME", "release it after that long: 30s, 5m (default: at Ctrl-C)"),
      .json, .data, .socket,
    ],
    details: """
      While you hold the machine, its events wait. From another terminal, 'debugd step', 'dispatch', \
      and 'restore' drive it, and 'debugd resume' releases it. When this command ends, even if it is \
      killed, the machine continues. \(consent)
      """,
    need: .daemon,
    examples: [("debugd hold coin", "then, elsewhere: debugd step coin")]
  ) { arguments, terminal in
    let time = try arguments.amount("for", Amounts.seconds(reading:), "a time such as 30s or 5m")
    return try await Inquiry.run(arguments, terminal) { inquiry in
      let machine = try await LiveMachine(inquiry)
      let hold = try await machine.hold()
      return try await machine.keep(hold, seconds: time)
    }
  }

  static let step = CommandSpec(
    name: "step", summary: "run the next waiting event of a held machine",
    operands: [machine, Operand(name: "N", summary: "how many (default: 1)", isOptional: true)],
    options: [.json, .data, .socket],
    details: """
      'debugd hold' in another terminal holds the machine, and the app has sent events meanwhile. \
      \(consent)
      """,
    need: .daemon
  ) { arguments, terminal in
    let count = arguments.operand(1) ?? "1"
    guard let steps = Int(count), (1...10_000).contains(steps) else {
      throw arguments.error("N is a whole number from 1 to 10000, not \(Escaped.quoted(count)).")
    }
    return try await Inquiry.run(arguments, terminal) { inquiry in
      let machine = try await LiveMachine(inquiry)
      guard let lease = try await machine.join() else {
        throw CommandError(
          """
          No debugd command on this computer is holding \(machine.shownName). To fix, hold it in \
          another terminal: debugd hold \(machine.shellName)
          """)
      }
      for _ in 0..<steps {
        machine.report(
          try await machine.ask(
            .step(
              FromInspector.Step {
                $0.timeline = machine.timeline
                $0.lease = lease
              })), "stepped")
      }
      return .done
    }
  }

  static let dispatch = CommandSpec(
    name: "dispatch", summary: "send an event to a live machine",
    operands: [
      machine,
      Operand(
        name: "EVENT", summary: "JSON, or the name of a case without payload",
        isOptional: true),
    ],
    options: [
      .value("again", nil, "SEQ", "send the event of that entry again"), policy, take, stay, .json,
      .data, .socket,
    ],
    details: """
      A machine that 'debugd hold' holds handles it at once, before its waiting events. Otherwise the \
      machine is held for that moment. \(consent)
      """,
    need: .daemon,
    examples: [
      ("debugd dispatch coin flipped", "a case without payload, as the app's type is written"),
      ("debugd dispatch basket '{\"removed\":{\"id\":3}}'", "an event with a payload"),
      ("debugd dispatch coin --again 41", "what entry 41 recorded"),
    ]
  ) { arguments, terminal in
    guard (arguments.operand(1) == nil) != (arguments.value("again") == nil) else {
      throw arguments.error("dispatch takes either EVENT or --again SEQ.")
    }
    let again = try arguments.int("again")
    let given = try arguments.operand(1).map { try EventText($0, arguments) }
    return try await Inquiry.run(arguments, terminal) { inquiry in
      let machine = try await LiveMachine(inquiry)
      let event: JSONSlice
      if let given {
        event = try given.event(try await inquiry.schema(of: machine.timeline))
      } else {
        event = try await machine.event(of: again ?? 0)
      }
      return try await machine.drive("sent") { lease in
        .dispatch(
          FromInspector.Dispatch {
            $0.timeline = machine.timeline
            $0.lease = lease
            $0.event = event
          })
      }
    }
  }

  static let restore = CommandSpec(
    name: "restore", summary: "move a live machine to a moment of its timeline, or of another",
    operands: [machine, .seq],
    options: [
      .value("of", nil, "TIMELINE", "the timeline of the moment (default: its own)"),
      policy, take, stay, .json, .data, .socket,
    ],
    details: consent,
    need: .daemon,
    examples: [("debugd restore coin 7 --stay", "back to entry 7, and held there until Ctrl-C")]
  ) { arguments, terminal in
    guard arguments.operand(1) != nil else { throw arguments.error("restore needs SEQ.") }
    return try await Inquiry.run(arguments, terminal, restored)
  }

  /// A function of its own: Swift 6.3.1 crashes when it optimizes this as a closure of the command.
  @inline(never)
  private static func restored(_ inquiry: Inquiry) async throws -> ExitCode {
    let machine = try await LiveMachine(inquiry)
    let moment = try await moment(of: machine, inquiry)
    return try await machine.drive("restored") { lease in
      .restore(
        FromInspector.Restore {
          $0.timeline = machine.timeline
          $0.lease = lease
          $0.from = moment
        })
    }
  }

  /// The moment that the operand and `--of` name.
  @inline(never)
  private static func moment(
    of machine: LiveMachine, _ inquiry: Inquiry
  ) async throws -> EntryReference {
    guard let other = inquiry.arguments.value("of") else {
      let seq = try await inquiry.seq(at: 1, of: machine.timeline)
      return EntryReference(timeline: machine.timeline, seq: seq)
    }
    let timeline = try await inquiry.timeline(named: other)
    let seq = try await inquiry.seq(at: 1, of: timeline)
    return EntryReference(timeline: timeline, seq: seq)
  }

  static let resume = CommandSpec(
    name: "resume", summary: "release a held machine, so that it continues",
    operands: [machine], options: [take, .json, .data, .socket],
    details: "With --take, also a machine that an inspector's page holds. \(consent)",
    need: .daemon
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let machine = try await LiveMachine(inquiry)
      guard let lease = try await machine.join() else {
        guard arguments.has("take") else {
          throw CommandError(
            """
            No debugd command on this computer is holding \(machine.shownName). To end the hold of a \
            page, add --take.
            """
          )
        }
        let hold = try await machine.hold()
        try await machine.release(hold.lease)
        return .done
      }
      try await machine.release(lease)
      return .done
    }
  }
}
