import DebugServer
import JSONCore
import Timelines
import Wire

extension CommandSpec {
  static let invariants = CommandSpec(
    name: "invariants", summary: "list what always held in recordings of a machine",
    operands: [
      Operand(
        name: "TIMELINE", summary: "recordings of one type of machine", repeats: true,
        completion: .timelines)
    ],
    options: [
      .flag("all", nil, "also the other recordings of this type"),
      .value("count", "n", "N", "the maximum number of invariants (default: 20)"),
      .value(
        "confirm", nil, "N",
        "keep the invariant with this number in the list, or a predicate of your own",
        repeats: true),
      .flag("confirmed", nil, "list those that were confirmed"),
      .value("remove", nil, "N", "remove the one with this number in that list", repeats: true),
      .json, .data, .socket,
    ],
    details: """
      The most surprising ones come first: sums, two values that are always equal or in order, lists \
      that contain a value or another list, then what always holds after an event, numbers that never \
      fall, signs, texts that are one of a few, ranges, and constants. Each was tried at every entry of these recordings. To try to break one, \
      use 'debugd explore --always'; to break any of them, 'debugd explore --invariants'.

      The daemon keeps what you confirm for all recordings of this type of machine. It marks the first \
      entry of a live machine that breaks one, and notifies the page, 'debugd watch', and \
      'debugd tail'.
      """,
    examples: [
      ("debugd invariants cart", "what held in this recording?"),
      ("debugd invariants cart --all --count 5", "what held in all recordings of this machine?"),
      ("debugd invariants cart --all --confirm 1", "the first one is meant to hold"),
      ("debugd invariants cart --confirmed", "what must hold?"),
    ]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let limit = try arguments.int("count", 1...200)
      var timelines: [TimelineID] = []
      for word in arguments.operands {
        let timeline = try await inquiry.timeline(named: word)
        if !timelines.contains(timeline) { timelines.append(timeline) }
      }
      if let code = try await inquiry.changeConfirmed(of: timelines) { return code }
      let found = try await inquiry.asking.ask(
        FromInspector.Invariants {
          $0.timelines = timelines
          $0.others = arguments.has("all")
          $0.limit = limit
        })
      let numbers = try inquiry.confirmedNumbers()
      if !numbers.isEmpty { return try await inquiry.confirm(numbers, of: found, timelines) }
      inquiry.show(found)
      return found.invariants.isEmpty ? .failed : .done
    }
  }
}

extension Inquiry {
  fileprivate func show(_ found: ToInspector.Invariants) {
    let unknown = found.unknown ?? 0
    if arguments.has("json") {
      for one in found.invariants {
        printJSON([
          "kind": .string(one.kind.rawValue), "predicate": .string("\(one.predicate)"),
          "entries": .number(JSON.Number(found.entries)),
          "unknown": .number(JSON.Number(unknown)),
        ])
      }
      return
    }
    var table = Table([("", .right), ("kind", .left), ("what held", .left)])
    for (index, one) in found.invariants.enumerated() {
      table.add([
        ("\(index + 1)", .faint), (one.kind.rawValue, .faint), ("\(one.predicate)", nil),
      ])
    }
    for line in table.lines(on: terminal) { terminal.print(line) }
    let tried = Amounts.count(found.entries, "entry", "entries")
    let place = Amounts.count(found.recordings, "recording")
    terminal.complain(
      found.invariants.isEmpty
        ? "No condition worth listing held at all \(tried) of \(place)."
        : "Tried at \(tried) of \(place).")
    if unknown > 0 {
      let entries = Amounts.count(unknown, "entry", "entries")
      terminal.complain("Of \(entries), the recordings do not say whether it held there.")
    }
    if let skipped = found.skipped {
      terminal.complain("\(skipped) older recordings were not looked at.")
    }
  }
}
