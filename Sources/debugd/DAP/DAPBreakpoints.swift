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

struct DAPBreakpoints: Sendable {
  /// Breakpoints that an editor sets together: a request replaces all of them.
  enum Group: Hashable, Sendable {
    /// Those in a file, by its path.
    case source(String)
    case functions, data
  }

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
    var set = SetBreakpoints(.source(path), self)
    for wanted in request.list("breakpoints") {
      guard let asked = wanted["line"]?.int, 0...Int64(Int32.max) ~= asked else {
        set.add(MadeBreakpoint(problem: "The breakpoint has no line of a file."))
        continue
      }
      let line = asked + Int64(1 - client.firstLine)
      let text = "an event from \(Self.fileName(path)):\(line)"
      let made = await make(.source, Self.sites(path, line), wanted["condition"]?.string, text)
      set.add(made, line: wanted["line"])
    }
    breakpoints.sources[path] = set.breakpoints
    return set.reply
  }

  mutating func setFunctionBreakpoints(_ request: DAPRequest) async throws -> DAPReply {
    var set = SetBreakpoints(.functions, self)
    for wanted in request.list("breakpoints") {
      let name = wanted["name"]?.string ?? ""
      let made = await make(
        .function, "name == \(Self.literal(name))", wanted["condition"]?.string, "the event \(name)"
      )
      set.add(made)
    }
    breakpoints.functions = set.breakpoints
    return set.reply
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
    var set = SetBreakpoints(.data, self)
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
      set.add(made)
    }
    breakpoints.data = set.breakpoints
    return set.reply
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

  /// A breakpoint, and whether an entry hits it.
  struct MadeBreakpoint {
    enum State {
      /// The recording has yet to be searched.
      case pending
      case verified
      /// Why the search found no entry, or was not possible.
      case failed(String)
    }

    var breakpoint: DAPBreakpoint?
    let state: State
    /// What it stops at without its condition; `nil` if it has none.
    var unconditional: String?

    func json(line: JSON? = nil) -> JSON {
      var json = JSON.Object()
      switch state {
      case .verified: json["verified"] = true
      case .pending:
        json["verified"] = false
        json["reason"] = "pending"
        json["message"] = "The recording is being searched for an entry that hits it."
      case .failed(let problem):
        json["verified"] = false
        json["message"] = .string(problem)
      }
      json["id"] = breakpoint?.id.map { .number(JSON.Number($0)) }
      json["line"] = line
      return .object(json)
    }
  }

  private struct SetBreakpoints {
    private(set) var breakpoints: [DAPBreakpoint] = []
    private var shown: [JSON] = []
    private var search: DAPBreakpointSearch

    init(_ group: DAPBreakpoints.Group, _ session: DAPSession) {
      search = DAPBreakpointSearch(group: group, session: session)
    }

    mutating func add(_ made: MadeBreakpoint, line: JSON? = nil) {
      shown.append(made.json(line: line))
      guard let breakpoint = made.breakpoint else { return }
      breakpoints.append(breakpoint)
      search.wanted.append(
        DAPBreakpointSearch.Wanted(
          breakpoint: breakpoint, unconditional: made.unconditional, line: line))
    }

    var reply: DAPReply { DAPReply(body: ["breakpoints": .array(shown)], search: search) }
  }

  /// Makes a breakpoint. One that no entry hits stays, and says so.
  private mutating func make(
    _ kind: DAPBreakpoint.Kind, _ text: String, _ condition: String?, _ description: String,
    path: Pointer? = nil
  ) async -> MadeBreakpoint {
    let condition = condition.flatMap { $0.isEmpty ? nil : $0 }
    guard let own = machines.first(where: { $0.thread == launched }) else {
      return MadeBreakpoint(problem: "The recording has no entries.")
    }
    do {
      var whole = text
      if let condition {
        // A named filter is what it means.
        let meant = try await inquiry.predicate(condition, of: own.timeline)
        whole = "(\(text)) && (\(meant))"
      }
      let predicate = try Predicates.Predicate(whole)
      return MadeBreakpoint(
        breakpoint: DAPBreakpoint(
          kind: kind, id: breakpoints.newID(), predicate: predicate, text: description, path: path),
        state: .pending, unconditional: condition == nil ? nil : text)
    } catch {
      return MadeBreakpoint(problem: "\(error)")
    }
  }
}

extension DAPSession.MadeBreakpoint {
  /// What cannot be a breakpoint.
  init(problem: String) { self.init(state: .failed(problem)) }
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
