import DebugServer
import JSONCore
import Mining
import Timelines
import Wire

extension CommandSpec {
  static let coverage = CommandSpec(
    name: "coverage", summary: "count which events occurred in which states of a machine",
    operands: [
      Operand(
        name: "TIMELINE", summary: "recordings of one type of machine", repeats: true,
        completion: .timelines)
    ],
    options: [
      .flag("all", nil, "also the other recordings of this type"),
      .value("path", "p", "POINTER", "the value that names the state: /mode (default: the state)"),
      .json, .data, .socket,
    ],
    details: """
      A state is named by the path of a statechart, the case of an enum, or the value at --path. Each \
      row has how often an event occurred in a state, how often it changed the state or an output, and \
      how often it ended with an error. Below are the events that nothing handled.
      """,
    examples: [
      ("debugd coverage door --all", "which events were tried in which states?"),
      ("debugd coverage cart --path /screen", "in which screen did events occur?"),
    ]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let path = try arguments.value("path").map { try inquiry.path($0) }
      var timelines: [TimelineID] = []
      for word in arguments.operands { timelines.append(try await inquiry.timeline(named: word)) }
      let recordings = try await inquiry.recordings(timelines, withOthers: arguments.has("all"))
      var reading = CoverageReading(inquiry, path ?? Pointer(tokens: ["state"]))
      for recording in recordings { try await reading.add(recording) }
      if let path, reading.namesNothing, let timeline = timelines.first {
        try await inquiry.expectPaths([path], in: timeline)
      }
      let rows = CoverageRows(reading)
      if arguments.has("json") {
        inquiry.printJSON(rows.json)
      } else {
        for line in rows.lines(on: terminal) { terminal.print(line) }
        if reading.unnamed > 0 {
          let count = Amounts.count(reading.unnamed, "event")
          terminal.complain(
            "\(count) occurred in states without a name. To name them, use --path POINTER.")
        }
        if reading.uncaptured > 0 {
          let count = Amounts.count(reading.uncaptured, "event")
          terminal.complain("Left out: \(count) whose effect was not captured.")
        }
        if reading.coverage.isCut {
          terminal.complain("Only the first \(MachineCoverage.nameLimit) names are counted.")
        }
      }
      return .done
    }
  }
}

/// Counts the events of recordings, with the queries for entries and for columns.
struct CoverageReading {
  private let inquiry: Inquiry
  private let path: Pointer
  private(set) var coverage = MachineCoverage()
  /// How many events occurred in states without a name, or that are not known.
  private(set) var unnamed: Int64 = 0
  /// How many events were recorded without what they did.
  private(set) var uncaptured: Int64 = 0

  /// Whether the path led to a value at no entry.
  var namesNothing: Bool { coverage.states == ["null"] }

  private static let part: Int64 = 1_000

  init(_ inquiry: Inquiry, _ path: Pointer) {
    (self.inquiry, self.path) = (inquiry, path)
  }

  mutating func add(_ recording: RecordedStretch) async throws {
    var before: String?
    var from = recording.seqs.lowerBound
    while from <= recording.seqs.upperBound {
      let (start, count) = (from, min(Self.part, recording.seqs.upperBound - from + 1))
      let answer = try await column(of: recording.timeline, from: start, count)
      let names = Self.names(in: answer, from: start)
      guard !names.isEmpty else { return }
      let lines = try await inquiry.asking.ask(
        FromInspector.Entries {
          $0.timeline = recording.timeline
          $0.from = start
          $0.count = Int64(names.count)
        }
      ).entries
      for line in lines {
        guard let seq = line["seq"]?.int, seq >= start, seq - start < names.count else { continue }
        let index = Int(seq - start)
        add(line, in: index > 0 ? names[index - 1] : before)
      }
      before = names[names.count - 1]
      from += Int64(names.count)
      guard answer.isUnknown(Int64(names.count)) else { continue }
      guard let next = try await inquiry.nextEntry(from: from, of: recording.timeline) else {
        return
      }
      from = max(from, next)
    }
  }

  private mutating func add(_ line: JSONSlice, in state: String?) {
    guard let event = line["event"] else { return }
    guard let state, let name = Entry.name(of: event) else {
      unnamed += 1
      return
    }
    guard ["state", "outputState", "patch", "outputs"].contains(where: { line[$0] != nil }) else {
      uncaptured += 1
      return
    }
    let changes = ["patch", "outputs"].contains { name in
      line[name]?.elements.first { _ in true } != nil
    }
    // Without a patch, only the state after it is known.
    let isEffective = changes || line["patch"] == nil
    coverage.add(name, in: state, isEffective: isEffective, isFailure: line["error"] != nil)
  }

  /// The states after some entries.
  private func column(
    of timeline: TimelineID, from: Int64, _ count: Int64
  ) async throws -> ToInspector.Column {
    try await inquiry.asking.ask(
      FromInspector.Column {
        $0.timeline = timeline
        $0.paths = [path]
        $0.from = from
        $0.count = count
      })
  }

  /// The names of the states after some entries.
  private static func names(in answer: ToInspector.Column, from: Int64) -> [String?] {
    let unknown = answer.unknown ?? []
    let values = answer.columns.first.map { Array($0.elements) } ?? []
    return values.enumerated().map { index, value in
      let seq = from + Int64(index)
      guard !unknown.contains(where: { $0.seqs.contains(seq) }) else { return nil }
      return MachineCoverage.name(of: value.value)
    }
  }
}

/// Which events occurred in which states, for people and as JSON.
struct CoverageRows {
  private let coverage: MachineCoverage
  private let unnamed: Int64
  private let uncaptured: Int64

  init(_ reading: CoverageReading) {
    coverage = reading.coverage
    (unnamed, uncaptured) = (reading.unnamed, reading.uncaptured)
  }

  func lines(on terminal: Terminal) -> [String] {
    var table = Table([
      ("state", .left), ("event", .left), ("events", .right), ("effects", .right),
      ("errors", .right),
    ])
    for (state, event, count) in counted {
      table.add([
        (state, nil), (event, nil), ("\(count.events)", nil),
        ("\(count.effects)", count.isUnhandled ? .careful : nil),
        ("\(count.failures)", count.failures > 0 ? .careful : nil),
      ])
    }
    var lines = table.lines(on: terminal)
    let unhandled = coverage.unhandled.map { Escaped.text($0) }
    if !unhandled.isEmpty {
      lines += ["", "nothing handled  \(unhandled.joined(separator: ", "))"]
    }
    return lines
  }

  private var counted: [(state: String, event: String, count: MachineCoverage.Count)] {
    coverage.states.flatMap { state in
      coverage.events.compactMap { event in
        let count = coverage.count(of: event, in: state)
        return count.events > 0 ? (state, event, count) : nil
      }
    }
  }

  var json: JSON {
    let rows = counted.map { row -> JSON in
      [
        "state": .string(row.state), "event": .string(row.event),
        "events": .number(JSON.Number(Int64(row.count.events))),
        "effects": .number(JSON.Number(Int64(row.count.effects))),
        "errors": .number(JSON.Number(Int64(row.count.failures))),
      ]
    }
    return [
      "counts": .array(rows), "unhandled": .array(coverage.unhandled.map { .string($0) }),
      "unnamed": .number(JSON.Number(unnamed)), "uncaptured": .number(JSON.Number(uncaptured)),
    ]
  }
}
