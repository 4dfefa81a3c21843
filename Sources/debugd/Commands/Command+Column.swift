import DebugServer
import JSONCore
import Timelines
import Wire

extension CommandSpec {
  static let column = CommandSpec(
    name: "column", summary: "print values at some paths, entry by entry",
    operands: [
      .timelineOrFile,
      Operand(name: "PATH", summary: "where a value is: /count, /outputs/side", repeats: true),
    ],
    options: [.from, .count, .json, .data, .socket],
    details: "Prints tab-separated JSON values; with --json, one object for each entry.",
    examples: [("debugd column coin /isHeads /outputs/side --count 100", "a hundred rows")]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let paths = try arguments.operands.dropFirst().map { try inquiry.path($0) }
      guard !paths.isEmpty else { throw arguments.error("column needs PATH, such as /count.") }
      let summary = try await inquiry.summary(of: timeline)
      guard let first = summary.first, let last = summary.last else { return .done }
      try await inquiry.expectPaths(Array(paths), in: timeline)
      var from = max(first, try arguments.entry("from", of: summary) ?? first)
      var left = try arguments.int("count", 1...1_000_000_000) ?? last - from + 1
      var unknown: [SeqRange] = []
      if !arguments.has("json") {
        terminal.print(
          (["seq"] + paths.map { Escaped.text($0.description) }).joined(separator: "\t"))
      }
      while left > 0, from <= last {
        let (start, count) = (from, min(left, 1000, last - from + 1))
        let request = FromInspector.Column {
          $0.timeline = timeline
          $0.paths = Array(paths)
          $0.from = start
          $0.count = count
        }
        let answer = try await inquiry.asking.ask(request)
        unknown += answer.unknown ?? []
        inquiry.show(answer, Array(paths))
        from += count
        left -= count
        guard answer.isUnknown(count), left > 0, from <= last else { continue }
        let next = try await inquiry.nextEntry(from: from, of: timeline) ?? last + 1
        guard next > from else { continue }
        unknown.append(SeqRange(from...next - 1))
        left -= next - from
        from = next
      }
      try await inquiry.report(unknown: SeqRange.union(unknown), "The value", of: timeline)
      return .done
    }
  }

  static let overview = CommandSpec(
    name: "overview", summary: "show how entries are distributed over a timeline",
    operands: [.timelineOrFile],
    options: [
      .from, .value("to", "t", "SEQ", "the last entry"),
      .value("buckets", "n", "N", "how many parts (default: 60)"),
      .value("by", nil, "WORD", "what divides the parts evenly", choices: ["seq", "t"]), .json,
      .data, .socket,
    ],
    details: "With --by t, --from and --to are microseconds since the start."
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let summary = try await inquiry.summary(of: timeline)
      let axis = TimelineAxis(rawValue: arguments.value("by") ?? "seq") ?? .seq
      let given =
        try axis == .seq
        ? arguments.range(of: summary) : (from: arguments.int("from"), to: arguments.int("to"))
      let from = given.from ?? (axis == .seq ? summary.first ?? 0 : 0)
      let to = given.to ?? (axis == .seq ? summary.last ?? 0 : summary.duration)
      guard from <= to else { throw arguments.error("--from \(from) is after --to \(to).") }
      let buckets = try arguments.int("buckets", 1...16_384) ?? 60
      let request = FromInspector.Overview {
        $0.timeline = timeline
        $0.from = from
        $0.to = to
        $0.buckets = buckets
        $0.by = axis
      }
      let frame = try await inquiry.asking.ask(request)
      if arguments.has("json") {
        inquiry.printJSON(OverviewRows.json(of: frame))
      } else {
        for line in OverviewRows.lines(of: frame, on: terminal) { terminal.print(line) }
      }
      return .done
    }
  }
}

extension Inquiry {
  fileprivate func show(_ answer: ToInspector.Column, _ paths: [Pointer]) {
    let columns = answer.columns.map { column in column.elements.map { $0 } }
    for row in 0..<(columns.map(\.count).min() ?? 0) {
      let seq = answer.from + Int64(row)
      if arguments.has("json") {
        var object = JSON.Object()
        object["seq"] = .number(JSON.Number(seq))
        for (path, column) in zip(paths, columns) { object[path.description] = column[row].value }
        printJSON(.object(object))
      } else {
        let cells = columns.map { Escaped.text($0[row].text) }
        terminal.print((["\(seq)"] + cells).joined(separator: "\t"))
      }
    }
  }
}

extension SeqRange {
  /// Ascending ranges, with adjacent ones as one.
  fileprivate static func union(_ ranges: [SeqRange]) -> [SeqRange] {
    ranges.reduce(into: []) { union, range in
      if let last = union.last, last.seqs.upperBound + 1 == range.seqs.lowerBound {
        union[union.count - 1] = SeqRange(last.seqs.lowerBound...range.seqs.upperBound)
      } else {
        union.append(range)
      }
    }
  }
}

extension ToInspector.Column {
  /// Whether none of the values is known: it may be the beginning of a long loss.
  func isUnknown(_ count: Int64) -> Bool {
    (unknown ?? []).reduce(0) { $0 + Int64($1.seqs.count) } >= count
  }
}

extension Inquiry {
  /// The first entry that a timeline has from a seq on; `nil` if there is none. A recording can lack
  /// 2^50 entries in a row, which no command may pass one by one.
  func nextEntry(
    from seq: Int64, of timeline: TimelineID, _ direction: SearchDirection = .forward
  ) async throws -> Int64? {
    let request = FromInspector.Entries {
      $0.timeline = timeline
      $0.from = seq
      $0.count = 1
      $0.direction = direction
    }
    return try await asking.ask(request).entries.first?["seq"]?.int
  }
}

extension OverviewRows {
  static func json(of frame: OverviewFrame) -> JSON {
    let names = ["entries", "errors", "lost", "keyframes", "thinned"]
    var columns = JSON.Object()
    for (name, column) in zip(names, frame.columns) { columns[name] = counts(column) }
    var lanes = JSON.Object()
    for (name, column) in zip(frame.head.lanes, frame.columns.dropFirst(names.count)) {
      lanes[name] = counts(column)
    }
    columns["lanes"] = .object(lanes)
    return .object(columns)
  }

  private static func counts(_ column: [UInt32]) -> JSON {
    .array(column.map { .number(JSON.Number(Int64($0))) })
  }
}
