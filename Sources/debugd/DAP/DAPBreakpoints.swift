import JSONCore
import Predicates
import Timelines
import Wire

/// A condition at which a recording stops.
struct DAPBreakpoint: Sendable {
  /// The kinds, with the reason of a stop.
  enum Kind: String, Sendable {
    case source = "breakpoint"
    case function = "function breakpoint"
    case data = "data breakpoint"
    case exception
  }

  let kind: Kind
  /// Its number in the editor; exceptions have none.
  var id: Int64?
  let predicate: Predicates.Predicate
  /// What a stop is described with.
  let text: String
  /// The value whose changes it stops at.
  var path: Pointer?
  /// What it stops at, if it is an exception.
  var filter: DAPExceptionFilter?
}

/// All breakpoints of an editor.
struct DAPBreakpoints: Sendable {
  /// Those in sources, by the path of the file.
  var sources: [String: [DAPBreakpoint]] = [:]
  var functions: [DAPBreakpoint] = []
  var data: [DAPBreakpoint] = []
  var exceptions: [DAPBreakpoint] = []
  private var lastID: Int64 = 0

  /// In a fixed order: sources by their paths.
  var all: [DAPBreakpoint] {
    sources.sorted { $0.key < $1.key }.flatMap(\.value) + functions + data + exceptions
  }

  mutating func newID() -> Int64 {
    lastID += 1
    return lastID
  }
}

/// Where a run stops.
struct DAPHit: Sendable {
  let seq: Int64
  let breakpoints: [DAPBreakpoint]

  /// The reason that the editor shows: that of the first breakpoint.
  var reason: String { breakpoints.first?.kind.rawValue ?? "breakpoint" }
}

extension DAPSession {
  /// The nearest entry at which a machine stops; `nil` if there is none that way.
  func nextHit(of machine: Machine, _ direction: SearchDirection) async throws -> DAPHit? {
    let from = machine.cursor + (direction == .forward ? 1 : -1)
    guard machine.seqs.contains(from) else { return nil }
    var hit: DAPHit?
    for breakpoint in breakpoints.all {
      guard
        let seq = try await first(
          breakpoint.predicate, in: machine.timeline, from, direction, upTo: hit?.seq)
      else { continue }
      let others = hit.map { $0.seq == seq ? $0.breakpoints : [] } ?? []
      hit = DAPHit(seq: seq, breakpoints: others + [breakpoint])
    }
    return hit
  }

  /// The first entry for which a predicate holds; with an end, none beyond it.
  func first(
    _ predicate: Predicates.Predicate, in timeline: TimelineID, _ from: Int64,
    _ direction: SearchDirection, upTo end: Int64? = nil
  ) async throws -> Int64? {
    let request = FromInspector.Find {
      $0.timeline = timeline
      $0.predicate = end.map { Self.ending(predicate, after: $0, direction) } ?? predicate
      $0.from = from
      $0.direction = direction
    }
    let seq = try await inquiry.search(request, limit: 1).seqs.first
    guard let seq, let end else { return seq }
    return (direction == .forward ? seq <= end : seq >= end) ? seq : nil
  }

  /// A predicate that also holds for every entry beyond an end, where a search for it stops.
  ///
  /// One that would be too long or too deep stays as it is; its search is only slower.
  static func ending(
    _ predicate: Predicates.Predicate, after end: Int64, _ direction: SearchDirection
  ) -> Predicates.Predicate {
    let beyond = direction == .forward ? "seq > \(end)" : "seq < \(end)"
    return (try? Predicates.Predicate("(\(predicate)) || \(beyond)")) ?? predicate
  }

  mutating func setBreakpoints(_ request: DAPRequest) async throws -> DAPReply {
    let source = request.arguments["source"]?.object
    guard let path = source?["path"]?.string else {
      throw DAPError("The source has no path, so its call sites are not known.")
    }
    var set: [DAPBreakpoint] = []
    var shown: [JSON] = []
    for wanted in request.list("breakpoints") {
      guard let asked = wanted["line"]?.int, 0...Int64(Int32.max) ~= asked else {
        shown.append(MadeBreakpoint(problem: "The breakpoint has no line of a file.").json())
        continue
      }
      let line = asked + Int64(1 - client.firstLine)
      let text = "an event from \(Self.fileName(path)):\(line)"
      let made = await make(.source, Self.sites(path, line), wanted["condition"]?.string, text)
      set += made.breakpoint.map { [$0] } ?? []
      shown.append(made.json(line: wanted["line"]))
    }
    breakpoints.sources[path] = set
    return DAPReply(body: ["breakpoints": .array(shown)])
  }

  mutating func setFunctionBreakpoints(_ request: DAPRequest) async throws -> DAPReply {
    breakpoints.functions = []
    var shown: [JSON] = []
    for wanted in request.list("breakpoints") {
      let name = wanted["name"]?.string ?? ""
      let made = await make(
        .function, "name == \(Self.literal(name))", wanted["condition"]?.string, "the event \(name)"
      )
      breakpoints.functions += made.breakpoint.map { [$0] } ?? []
      shown.append(made.json())
    }
    return DAPReply(body: ["breakpoints": .array(shown)])
  }

  func dataBreakpointInfo(_ request: DAPRequest) throws -> DAPReply {
    let name = request.text("name") ?? ""
    let path =
      try request.number("variablesReference").map { reference in
        try handles.place(reference).path.appending(name)
      } ?? inquiry.path(name.replacing(".", with: "/"))
    guard let root = path.tokens.first, ["state", "outputs"].contains(root) else {
      return DAPReply(
        body: ["dataId": .null, "description": "Only values of the state and outputs change."])
    }
    return DAPReply(
      body: [
        "dataId": .string("\(path)"), "description": .string("changes of \(path)"),
        "accessTypes": ["write"], "canPersist": true,
      ])
  }

  mutating func setDataBreakpoints(_ request: DAPRequest) async throws -> DAPReply {
    breakpoints.data = []
    var shown: [JSON] = []
    for wanted in request.list("breakpoints") {
      let text = wanted["dataId"]?.string ?? ""
      let made: MadeBreakpoint
      if let path = try? Pointer(text) {
        made = await make(
          .data, "changed(\(Self.expression(path)))", wanted["condition"]?.string,
          "a change of \(text)", path: path)
      } else {
        made = MadeBreakpoint(problem: "\(Escaped.quoted(text)) is not a path.")
      }
      breakpoints.data += made.breakpoint.map { [$0] } ?? []
      shown.append(made.json())
    }
    return DAPReply(body: ["breakpoints": .array(shown)])
  }

  mutating func setExceptionBreakpoints(_ request: DAPRequest) -> DAPReply {
    let filters = request.texts("filters").compactMap(DAPExceptionFilter.init)
    breakpoints.exceptions = filters.compactMap { filter in
      guard let predicate = try? Predicates.Predicate(filter.predicate) else { return nil }
      return DAPBreakpoint(
        kind: .exception, predicate: predicate, text: filter.label.lowercased(), filter: filter)
    }
    return DAPReply()
  }

  /// A breakpoint, or why there is none.
  struct MadeBreakpoint {
    var breakpoint: DAPBreakpoint?
    var problem: String?

    func json(line: JSON? = nil) -> JSON {
      var json: JSON.Object = ["verified": .bool(breakpoint != nil && problem == nil)]
      json["id"] = breakpoint?.id.map { .number(JSON.Number($0)) }
      json["message"] = problem.map { .string($0) }
      json["line"] = line
      return .object(json)
    }
  }

  /// Makes a breakpoint. One that no entry hits stays, and says so.
  private mutating func make(
    _ kind: DAPBreakpoint.Kind, _ text: String, _ condition: String?, _ description: String,
    path: Pointer? = nil
  ) async -> MadeBreakpoint {
    let condition = condition.flatMap { $0.isEmpty ? nil : $0 }
    guard let own = machines.first(where: { $0.thread == launched }) else {
      return MadeBreakpoint()
    }
    do {
      var whole = text
      if let condition {
        // A named filter is what it means.
        let meant = try await inquiry.predicate(condition, of: own.timeline)
        whole = "(\(text)) && (\(meant))"
      }
      let predicate = try Predicates.Predicate(whole)
      var made = MadeBreakpoint(
        breakpoint: DAPBreakpoint(
          kind: kind, id: breakpoints.newID(), predicate: predicate, text: description,
          path: path))
      made.problem = try await problem(predicate, description)
      if made.problem != nil {
        made.problem =
          try await explanation(of: predicate, without: condition == nil ? nil : text, description)
          ?? made.problem
      }
      return made
    } catch {
      return MadeBreakpoint(problem: "\(error)")
    }
  }

  /// Long recordings would delay the answer, so no more entries are searched for a breakpoint.
  static let maximumVerified: Int64 = 100_000

  /// Why a breakpoint is not verified; `nil` if an entry hits it.
  private func problem(
    _ predicate: Predicates.Predicate, _ description: String
  ) async throws -> String? {
    let cut =
      "None of the first \(Self.maximumVerified) entries is \(description). Later ones were not "
      + "searched, but the breakpoint stops at them, too."
    var left = Self.maximumVerified
    for machine in machines {
      let (from, last) = (machine.seqs.lowerBound, machine.seqs.upperBound)
      guard left > 0 else { return cut }
      let end = last - from < left ? nil : from + left - 1
      if try await first(predicate, in: machine.timeline, from, .forward, upTo: end) != nil {
        return nil
      }
      guard end == nil else { return cut }
      left -= last - from + 1
    }
    return "No entry of the recording is \(description)."
  }
}

// What breakpoints mean, as predicates.
extension DAPSession {
  /// Entries sent from a line: recordings name the file by its module, which is a folder on the path.
  private static func sites(_ path: String, _ line: Int64) -> String {
    let folders = path.split(separator: "/").dropLast().suffix(16)
    let files = [fileName(path)] + folders.map { "\($0)/\(fileName(path))" }
    return Set(files).sorted().map { "at == \(literal("\($0):\(line)"))" }.joined(separator: " || ")
  }

  static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func literal(_ text: String) -> String {
    String(decoding: JSON.string(text).encoded(), as: UTF8.self)
  }

  /// A path in the language of predicates.
  static func expression(_ path: Pointer) -> String {
    path.tokens.dropFirst().reduce(path.tokens.first ?? "state") { text, token in
      let isIndex =
        !token.isEmpty && token.count < 10 && token.allSatisfy(\.isASCII)
        && token.allSatisfy(\.isNumber)
      return "\(text)[\(isIndex ? token : literal(token))]"
    }
  }
}
