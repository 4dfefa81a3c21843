import DebugServer
import JSONCore
import Predicates
import Timelines
import Wire

extension CommandSpec {
  static let entries = CommandSpec(
    name: "entries", summary: "list entries of a timeline",
    operands: [.timelineOrFile],
    options: [
      .from, .count, .filter,
      .flag("backward", "b", "go backward (default: from the end)"),
      .json, .data, .socket,
    ],
    details: "Without options, lists the last 20 entries.",
    examples: [
      ("debugd entries coin", "the last 20 entries"),
      ("debugd entries coin --from 1000 --count 40", "a range"),
      (
        "debugd entries coin --from 0 --count 100 --filter 'error != null'",
        "entries that went wrong"
      ),
    ]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let count = try arguments.int("count", 1...1_000_000_000) ?? 20
      let isBackward = arguments.has("backward")
      var filter: Predicate?
      if let text = arguments.value("filter") {
        filter = try await inquiry.predicate(text, of: timeline)
      }
      let summary = try await inquiry.summary(of: timeline)
      guard let last = summary.last else {
        terminal.complain("The timeline has no entries yet.")
        return .done
      }
      let given = try arguments.entry("from", of: summary)
      // The last ones are found from the end, and shown in order.
      let turnsAround = given == nil && !isBackward
      var window = Window(
        timeline: timeline, from: given ?? last, count: count, filter: filter,
        direction: isBackward || turnsAround ? .backward : .forward)
      inquiry.showHeader(EntryRows.header(on: terminal))
      if turnsAround {
        let found = try await window.all(inquiry)
        inquiry.show(found.reversed(), leaves: window.removeLeaves())
        if window.from != nil, !arguments.has("json"), arguments.value("count") == nil {
          terminal.complain(
            "There are earlier ones. To see them, use --count N, or --from 0 for the first.")
        }
      } else {
        while let part = try await window.next(inquiry) {
          inquiry.show(part, leaves: window.removeLeaves())
        }
      }
      try await inquiry.report(unknown: window.unknown, "Whether the filter holds", of: timeline)
      guard let filter else { return .done }
      let text = arguments.value("filter") ?? ""
      if let hint = await inquiry.misspelling(in: filter, of: timeline) {
        terminal.complain(hint)
      } else if window.found == 0 {
        terminal.complain("No entries match \(Escaped.quoted(text)).")
      }
      return window.found == 0 ? .failed : .done
    }
  }

  static let find = CommandSpec(
    name: "find", summary: "find entries that match a predicate",
    operands: [
      .timelineOrFile, Operand(name: "PREDICATE", summary: "a condition, see docs/predicates.md"),
    ],
    options: [
      .from, .flag("backward", "b", "search backward (default: from the end)"),
      .value("limit", "n", "N", "the maximum number (default: 1)"), .json, .data, .socket,
    ],
    details: "Exits with 1 when no entry matches.",
    examples: [
      ("debugd find coin 'state.isHeads == true'", "the first entry after which it shows heads"),
      ("debugd find coin 'error != null' --backward", "the last error"),
      (
        "debugd find shop 'anywhere contains \"4711\"'",
        "the first entry with this text in its event, state, or outputs, and where it is"
      ),
    ]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let predicate = try await inquiry.predicate(arguments.operand(1) ?? "", of: timeline)
      let isBackward = arguments.has("backward")
      let summary = try await inquiry.summary(of: timeline)
      let from =
        try arguments.entry("from", of: summary) ?? (isBackward ? summary.last ?? 0 : 0)
      let request = FromInspector.Find {
        $0.timeline = timeline
        $0.predicate = predicate
        $0.from = from
        $0.direction = isBackward ? .backward : .forward
      }
      let limit = try arguments.int("limit", 1...1_000_000_000) ?? 1
      let answer = try await inquiry.search(request, limit: limit)
      if !answer.seqs.isEmpty { inquiry.showHeader(EntryRows.header(on: terminal)) }
      for seq in answer.seqs {
        var window = Window(
          timeline: timeline, from: seq, count: 1, filter: nil, direction: .forward)
        let leaves = Dictionary(
          (answer.leaves ?? []).map { ($0.seq, $0.path) }, uniquingKeysWith: { first, _ in first })
        if let entries = try await window.next(inquiry) { inquiry.show(entries, leaves: leaves) }
      }
      if answer.unknownCount > 0 {
        let why = try await inquiry.unknownReasons(answer.unknown ?? [], in: timeline)
        terminal.complain(
          "For \(Amounts.count(answer.unknownCount)) \(answer.unknownCount == 1 ? "entry" : "entries") "
            + "the answer is not known: \(why)")
      }
      if let hint = await inquiry.misspelling(in: predicate, of: timeline) {
        terminal.complain(hint)
      } else if answer.seqs.isEmpty {
        terminal.complain("No entry was found.")
      }
      return answer.seqs.isEmpty ? .failed : .done
    }
  }
}

/// A stretch of entries that is asked for part by part.
struct Window {
  /// What one request may ask for.
  private static let most: Int64 = 1000

  let timeline: TimelineID
  var from: Int64?
  var count: Int64
  let filter: Predicate?
  let direction: SearchDirection
  private(set) var unknown: [SeqRange] = []
  private(set) var found: Int64 = 0
  private var leaves: [Int64: Pointer] = [:]

  init(
    timeline: TimelineID, from: Int64, count: Int64, filter: Predicate?, direction: SearchDirection
  ) {
    self.timeline = timeline
    self.from = from
    self.count = count
    self.filter = filter
    self.direction = direction
  }

  /// The next part; nil at the end.
  mutating func next(_ inquiry: Inquiry) async throws -> [JSONSlice]? {
    guard let start = from, count > 0 else { return nil }
    let (timeline, filter, direction) = (timeline, filter, direction)
    let most = min(count, Self.most)
    let request = FromInspector.Entries {
      $0.timeline = timeline
      $0.from = start
      $0.count = most
      $0.direction = direction
      $0.filter = filter
    }
    let answer = try await inquiry.asking.ask(request)
    advance(past: answer, from: start)
    return answer.entries
  }

  /// Continues after an answer; ends where the answer does, or where it does not lead on.
  mutating func advance(past answer: ToInspector.Entries, from start: Int64) {
    unknown += answer.unknown ?? []
    for leaf in answer.leaves ?? [] { leaves[leaf.seq] = leaf.path }
    found += Int64(answer.entries.count)
    count -= Int64(answer.entries.count)
    from = answer.next.flatMap { next in
      (direction == .backward ? next < start : next > start) ? next : nil
    }
  }

  /// Forgets where the filter found leaves, and returns it.
  mutating func removeLeaves() -> [Int64: Pointer] {
    defer { leaves = [:] }
    return leaves
  }

  /// All parts together.
  mutating func all(_ inquiry: Inquiry) async throws -> [JSONSlice] {
    var all: [JSONSlice] = []
    while let part = try await next(inquiry) { all += part }
    return all
  }
}

extension Inquiry {
  /// Shows a header row to people; programs get rows alone.
  func showHeader(_ header: @autoclosure () -> String) {
    if terminal.isInteractive, !arguments.has("json") { terminal.print(header()) }
  }

  /// Shows entries, as rows or as lines of JSON, with the leaves that `anywhere` found in them.
  func show(_ entries: some Sequence<JSONSlice>, leaves: [Int64: Pointer] = [:]) {
    var rows = EntryRows(on: terminal)
    for entry in entries {
      let leaf = entry["seq"]?.int.flatMap { leaves[$0] }
      if !arguments.has("json") {
        terminal.print(rows.line(of: entry, leaf: leaf))
      } else if let leaf, var object = entry.value.object {
        object["leaf"] = .string(leaf.description)
        printJSON(.object(object))
      } else {
        printJSON(entry)
      }
    }
  }

  /// Searches until enough is found or everything was searched.
  func search(_ request: FromInspector.Find, limit: Int64) async throws -> ToInspector.Find {
    var request = request
    var result = ToInspector.Find()
    while Int64(result.seqs.count) < limit {
      request.limit = min(1000, limit - Int64(result.seqs.count))
      let answer = try await asking.ask(request)
      result.seqs += answer.seqs
      result.unknownCount += answer.unknownCount
      result.leaves = (result.leaves ?? []) + (answer.leaves ?? [])
      if (result.unknown?.count ?? 0) < 64 {
        result.unknown = (result.unknown ?? []) + (answer.unknown ?? [])
      }
      guard let next = answer.next else { break }
      request.from = next
    }
    return result
  }
}
