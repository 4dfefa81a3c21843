import JSONCore
import Timelines

extension CommandSpec {
  /// `debugd entries`.
  static let entries = CommandSpec(
    name: "entries", summary: "list entries of a timeline",
    operands: [.timeline],
    options: [
      .from, .count, .filter,
      .flag("backward", "b", "go back from there; from the end, unless told"),
      .json, .data,
    ],
    details: "Without options the last 20 entries are listed.",
    examples: [
      ("debugd entries coin", "the last 20 entries"),
      ("debugd entries coin --from 1000 --count 40", "a stretch"),
      (
        "debugd entries coin --from 0 --count 100 --filter 'error != null'",
        "entries that went wrong"
      ),
    ]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let count = try arguments.int("count", 1...1_000_000_000) ?? 20
      let given = try arguments.int("from")
      let isBackward = arguments.has("backward")
      let filter = try arguments.value("filter").map { try inquiry.predicate($0) }
      guard let last = try await inquiry.summary(of: timeline).last else {
        terminal.complain("The timeline has no entries yet.")
        return .done
      }
      // The last ones are found from the end, and shown in order.
      let turnsAround = given == nil && !isBackward
      var window = Window(
        timeline: timeline, from: given ?? last, count: count, filter: filter,
        direction: isBackward || turnsAround ? .backward : .forward)
      if turnsAround {
        let found = try await window.all(inquiry)
        inquiry.show(found.reversed())
      } else {
        while let part = try await window.next(inquiry) { inquiry.show(part) }
      }
      inquiry.tell(unknown: window.unknown, "Whether the filter holds")
      return filter != nil && window.found == 0 ? .failed : .done
    }
  }

  /// `debugd find`.
  static let find = CommandSpec(
    name: "find", summary: "find entries for which a predicate holds",
    operands: [
      .timeline, Operand(name: "PREDICATE", summary: "what must hold, see docs/predicates.md"),
    ],
    options: [
      .from, .flag("backward", "b", "search back; from the end, unless told"),
      .value("limit", "n", "N", "how many at most; 1 unless told"), .json, .data,
    ],
    details: "Exits with 1 when none was found.",
    examples: [
      ("debugd find coin 'state.count > 3'", "the first entry after which count is above 3"),
      ("debugd find coin 'error != null' --backward", "the last error"),
    ]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let predicate = try inquiry.predicate(arguments.operand(1) ?? "")
      let isBackward = arguments.has("backward")
      var from = try arguments.int("from") ?? 0
      if isBackward, !arguments.has("from") {
        from = try await inquiry.summary(of: timeline).last ?? 0
      }
      let request = FromInspector.Find {
        $0.timeline = timeline
        $0.predicate = predicate
        $0.from = from
        $0.direction = isBackward ? .backward : .forward
      }
      let limit = try arguments.int("limit", 1...1_000_000_000) ?? 1
      let answer = try await inquiry.search(request, limit: limit)
      for seq in answer.seqs {
        var window = Window(
          timeline: timeline, from: seq, count: 1, filter: nil, direction: .forward)
        if let entries = try await window.next(inquiry) { inquiry.show(entries) }
      }
      if answer.unknownCount > 0 {
        terminal.complain(
          "Of \(Amounts.count(answer.unknownCount)) entries the answer is not known: states were "
            + "not captured, or were redacted. " + Inquiry.notSearched)
      }
      if answer.seqs.isEmpty { terminal.complain("No entry was found.") }
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
    let answer = try await inquiry.asking.ask(.entries(request)) {
      if case .entries(let answer) = $0 { answer } else { nil }
    }
    take(answer, from: start)
    return answer.entries
  }

  /// Goes on behind an answer; ends where it says so, and where it leads nowhere else.
  mutating func take(_ answer: ToInspector.Entries, from start: Int64) {
    unknown += answer.unknown ?? []
    found += Int64(answer.entries.count)
    count -= Int64(answer.entries.count)
    from = answer.next.flatMap { next in
      (direction == .backward ? next < start : next > start) ? next : nil
    }
  }

  /// All parts together.
  mutating func all(_ inquiry: Inquiry) async throws -> [JSONSlice] {
    var all: [JSONSlice] = []
    while let part = try await next(inquiry) { all += part }
    return all
  }
}

extension Inquiry {
  /// Shows entries, as rows or as lines of JSON.
  func show(_ entries: some Sequence<JSONSlice>) {
    var rows = EntryRows(on: terminal)
    for entry in entries {
      if arguments.has("json") {
        printJSON(entry)
      } else {
        terminal.print(rows.line(of: entry))
      }
    }
  }

  /// Searches until enough is found or everything was searched.
  func search(_ request: FromInspector.Find, limit: Int64) async throws -> ToInspector.Find {
    var request = request
    var result = ToInspector.Find()
    while Int64(result.seqs.count) < limit {
      request.limit = min(1000, limit - Int64(result.seqs.count))
      let answer = try await asking.ask(.find(request)) {
        if case .find(let answer) = $0 { answer } else { nil }
      }
      result.seqs += answer.seqs
      result.unknownCount += answer.unknownCount
      guard let next = answer.next else { break }
      request.from = next
    }
    return result
  }
}
