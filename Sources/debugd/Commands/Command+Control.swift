import DebugServer
import Foundation
import JSONCore
import Timelines

extension CommandSpec {
  /// The machine of a running app.
  static let machine = Operand(
    name: "MACHINE", summary: "a live machine's name, or its timeline", completion: .timelines)

  private static let take = OptionSpec.flag(
    "take", "t", "take it over from an inspector that holds it")

  private static let policy = OptionSpec.value(
    "policy", "p", "WORD", "what becomes of the app's own events meanwhile; queue unless told",
    choices: ["queue", "refuse"])

  private static let stay = OptionSpec.flag("stay", "s", "go on holding it, as 'debugd hold' does")

  /// What is the same for all that reach into an app.
  static let consent = """
    The app must have set allowsControl in its recorder's options. Needs a running daemon.
    """

  /// `debugd hold`.
  static let hold = CommandSpec(
    name: "hold", summary: "hold a live machine, until Ctrl-C or for a time",
    operands: [machine],
    options: [
      policy, take,
      .value("for", nil, "TIME", "let it go after that long: 30s, 5m; by itself unless told"),
      .json, .data,
    ],
    details: """
      While it is held nothing acts but who holds it. Meanwhile, from another terminal, 'debugd step', \
      'dispatch' and 'restore' drive it, and 'debugd resume' lets it go. It goes on by itself when this \
      command ends in any way, even by a kill. \(consent)
      """,
    examples: [("debugd hold coin", "then, elsewhere: debugd step coin")]
  ) { arguments, terminal in
    let time = try arguments.amount("for", Amounts.seconds(reading:), "a time such as 30s or 5m")
    return try await Inquiry.run(arguments, terminal) { inquiry in
      let machine = try await LiveMachine(inquiry)
      let hold = try await machine.hold()
      return try await machine.keep(hold, seconds: time)
    }
  }

  /// `debugd step`.
  static let step = CommandSpec(
    name: "step", summary: "let one waiting event of a held machine through",
    operands: [machine, Operand(name: "N", summary: "how many; 1 unless told", isOptional: true)],
    options: [.json, .data],
    details: """
      The machine is held by 'debugd hold' in another terminal, and the app has sent events meanwhile. \
      \(consent)
      """
  ) { arguments, terminal in
    let count = arguments.operand(1) ?? "1"
    guard let steps = Int(count), (1...10_000).contains(steps) else {
      throw arguments.error("N is a whole number from 1 to 10000, not \(Escaped.quoted(count)).")
    }
    return try await Inquiry.run(arguments, terminal) { inquiry in
      let machine = try await LiveMachine(inquiry)
      guard let lease = try await machine.join() else {
        throw Refusal(
          """
          \(machine.shownName) is not held from this machine. To fix, hold it in another terminal: \
          debugd hold \(machine.shellName)
          """)
      }
      for _ in 0..<steps {
        machine.tell(
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

  /// `debugd dispatch`.
  static let dispatch = CommandSpec(
    name: "dispatch", summary: "send an event to a live machine",
    operands: [
      machine,
      Operand(
        name: "EVENT", summary: "as JSON; the name of a case without payload as it is",
        isOptional: true),
    ],
    options: [
      .value("again", nil, "SEQ", "the event of that entry, once more"), policy, take, stay, .json,
      .data,
    ],
    details: """
      A machine that 'debugd hold' holds takes it at once, before what waits; else it is held for that \
      moment. \(consent)
      """,
    examples: [
      ("debugd dispatch coin flipped", "a case without payload, as the app's type is written"),
      ("debugd dispatch coin '{\"deposit\":{\"amount\":5}}'", "an event with a payload"),
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

  /// `debugd restore`.
  static let restore = CommandSpec(
    name: "restore", summary: "move a live machine to a moment of its timeline, or of another",
    operands: [machine, .seq],
    options: [
      .value("of", nil, "TIMELINE", "the timeline that the moment is of; its own unless told"),
      policy, take, stay, .json, .data,
    ],
    details: consent,
    examples: [("debugd restore coin 7 --stay", "back to entry 7, and held there until Ctrl-C")]
  ) { arguments, terminal in
    guard arguments.operand(1) != nil else { throw arguments.error("restore needs SEQ.") }
    return try await Inquiry.run(arguments, terminal, restored)
  }

  /// A function of its own: Swift 6.3.1 crashes when it optimises this as a closure of the command.
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

  /// `debugd resume`.
  static let resume = CommandSpec(
    name: "resume", summary: "let a held machine go on by itself",
    operands: [machine], options: [take, .json, .data],
    details: "With --take also one that an inspector's page holds. \(consent)"
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let machine = try await LiveMachine(inquiry)
      guard let lease = try await machine.join() else {
        guard arguments.has("take") else {
          throw Refusal(
            "\(machine.shownName) is not held from this machine. To end a page's hold say --take.")
        }
        let hold = try await machine.hold()
        try await machine.letGo(hold.lease)
        return .done
      }
      try await machine.letGo(lease)
      return .done
    }
  }
}
