import DebugServer
import JSONCore
import Timelines
import Wire

/// A recording in an editor: each machine's position, and where to stop.
struct DAPSession: Sendable {
  /// Opens the timeline that a word means; returns it, and what answers queries.
  typealias Open = @Sendable (_ word: String) async throws -> (Inquiry, TimelineID)

  /// A machine, which the editor shows as a thread.
  struct Machine: Sendable {
    /// Its number, from 1.
    let thread: Int64
    let timeline: TimelineID
    let name: String
    let seqs: ClosedRange<Int64>
    /// The current entry.
    var cursor: Int64
  }

  let inquiry: Inquiry
  let client: DAPClient
  /// The file, if the editor opened one.
  private let file: String?
  /// The sources, if the editor names their folder.
  let sources: SourceFolder?
  var machines: [Machine]
  /// The number of the machine that was launched.
  let launched: Int64
  var breakpoints = DAPBreakpoints()
  var handles = DAPHandles()
  /// The thread of the last stop, and what it hit there.
  var lastHit: (thread: Int64, filters: [DAPExceptionFilter])?

  /// More machines than this are not shown.
  private static let maximumMachines = 100

  /// Opens what a launch names.
  init(_ request: DAPRequest, _ client: DAPClient, open: Open) async throws {
    guard let word = request.text("timeline"), !word.isEmpty else {
      throw DAPError(
        """
        The launch configuration names no recording. To fix, add "timeline": a machine's name, an \
        id, 'last', or a .timeline file.
        """)
    }
    let (inquiry, timeline) = try await open(word)
    self.inquiry = inquiry
    self.client = client
    file = try FileTimelines.isFile(word) ? word : nil
    sources = try request.text("sources").map { try SourceFolder($0) }
    let all = try await inquiry.asking.timelines()
    machines = Self.machines(of: timeline, in: all)
    guard let place = machines.firstIndex(where: { $0.timeline == timeline }) else {
      throw DAPError("The recording has no entries yet.")
    }
    launched = machines[place].thread
    if let seq = request.number("seq") {
      guard machines[place].seqs.contains(seq) else {
        throw DAPError(
          "There is no entry \(seq): the recording has \(machines[place].seqs.lowerBound) to "
            + "\(machines[place].seqs.upperBound).")
      }
      machines[place].cursor = seq
    }
  }

  /// The machines of a timeline's process, each at its last entry; the timeline's own is among them.
  private static func machines(
    of timeline: TimelineID, in all: [ToInspector.TimelineSummary]
  ) -> [Machine] {
    func id(_ summary: ToInspector.TimelineSummary) -> TimelineID? {
      summary.header["timeline"]?.string.flatMap(TimelineID.init)
    }
    guard let own = all.first(where: { id($0) == timeline }) else { return [] }
    let app = own.header["app"]
    let isOneProcess = app?["pid"] != nil || app?["run"] != nil
    let others = all.filter { other in
      isOneProcess && id(other) != timeline && other.header["parent"] == nil
        && ["name", "pid", "run", "host"].allSatisfy {
          other.header["app"]?[$0]?.value == app?[$0]?.value
        }
    }
    return ([own] + others.prefix(maximumMachines - 1)).enumerated().compactMap { place, summary in
      guard let timeline = id(summary), let first = summary.first, let last = summary.last,
        first <= last
      else { return nil }
      return Machine(
        thread: Int64(place + 1), timeline: timeline,
        name: summary.header["machine"]?["name"]?.string ?? timeline.text,
        seqs: first...last, cursor: last)
    }
  }

  /// Answers a request about the recording.
  mutating func answer(_ request: DAPRequest) async throws -> DAPReply {
    switch request.command {
    case "configurationDone":
      return DAPReply(events: [stopped(launched, "entry", "the recording is open")])
    case "setBreakpoints": return try await setBreakpoints(request)
    case "setFunctionBreakpoints": return try await setFunctionBreakpoints(request)
    case "dataBreakpointInfo": return try dataBreakpointInfo(request)
    case "setDataBreakpoints": return try await setDataBreakpoints(request)
    case "setExceptionBreakpoints": return setExceptionBreakpoints(request)
    case "threads": return threads()
    case "stackTrace": return try await stackTrace(request)
    case "scopes": return try scopes(request)
    case "variables": return try await variables(request)
    case "evaluate": return try await evaluate(request)
    case "exceptionInfo": return try await exceptionInfo(request)
    case "next", "stepIn", "stepOut": return try await step(request, .forward)
    case "stepBack": return try await step(request, .backward)
    case "continue": return try await run(request, .forward)
    case "reverseContinue": return try await run(request, .backward)
    case "pause":
      return DAPReply(
        events: [stopped(try machine(request).thread, "pause", "a recording does not run")])
    case "setVariable": throw refusalToChange()
    default: throw DAPError("The adapter has no request '\(request.command)'.")
    }
  }

  /// A recording is what happened; other values need a branch.
  private func refusalToChange() -> DAPError {
    if let file {
      return DAPError(
        """
        A recording does not change. To try another value, change an event in the browser: debugd view \
        \(ShellWord.text(file) ?? "FILE") --host EXE
        """)
    }
    let id = machines.first { $0.thread == launched }?.timeline.text.prefix(8) ?? ""
    return DAPError(
      """
      A recording does not change. To try another value, fork it: debugd fork \(id) --replace \
      SEQ=EVENT
      """)
  }
}

// Threads, and moving them.
extension DAPSession {
  /// The machine that a request is about.
  func machine(_ request: DAPRequest) throws -> Machine {
    let thread = request.number("threadId") ?? launched
    guard let machine = machines.first(where: { $0.thread == thread }) else {
      throw DAPError("There is no thread \(thread).")
    }
    return machine
  }

  private func threads() -> DAPReply {
    let threads = machines.map { machine -> JSON in
      ["id": .number(JSON.Number(machine.thread)), "name": .string(machine.name)]
    }
    return DAPReply(body: ["threads": .array(threads)])
  }

  /// The event that a thread stopped.
  func stopped(
    _ thread: Int64, _ reason: String, _ description: String, hits: [Int64] = []
  ) -> (name: String, body: JSON.Object) {
    var body: JSON.Object = [
      "reason": .string(reason), "description": .string(description),
      "threadId": .number(JSON.Number(thread)), "allThreadsStopped": true,
    ]
    if !hits.isEmpty {
      body["hitBreakpointIds"] = .array(hits.map { .number(JSON.Number($0)) })
    }
    return ("stopped", body)
  }

  /// Moves a machine; what the editor knows of values is then outdated.
  mutating func move(_ machine: Machine, to seq: Int64) {
    guard let place = machines.firstIndex(where: { $0.thread == machine.thread }) else { return }
    machines[place].cursor = seq
    handles.forgetAll()
    lastHit = nil
  }

  /// Moves to the next entry that the recording has: millions can be lost in a row.
  private mutating func step(
    _ request: DAPRequest, _ direction: SearchDirection
  ) async throws -> DAPReply {
    let machine = try machine(request)
    let isForward = direction == .forward
    guard machine.cursor != (isForward ? machine.seqs.upperBound : machine.seqs.lowerBound) else {
      return DAPReply(events: [stopped(machine.thread, "step", Self.end(direction))])
    }
    let neighbor = machine.cursor + (isForward ? 1 : -1)
    let seq =
      try await inquiry.nextEntry(from: neighbor, of: machine.timeline, direction) ?? neighbor
    move(machine, to: machine.seqs.contains(seq) ? seq : neighbor)
    return DAPReply(events: [stopped(machine.thread, "step", "one entry")])
  }

  private mutating func run(
    _ request: DAPRequest, _ direction: SearchDirection
  ) async throws -> DAPReply {
    let machine = try machine(request)
    let isForward = direction == .forward
    let hit = try await nextHit(of: machine, direction)
    let body: JSON.Object = isForward ? ["allThreadsContinued": true] : [:]
    guard let hit else {
      move(machine, to: isForward ? machine.seqs.upperBound : machine.seqs.lowerBound)
      return DAPReply(
        body: body, events: [stopped(machine.thread, "pause", Self.end(direction))])
    }
    let text = await description(of: hit, in: machine)
    move(machine, to: hit.seq)
    lastHit = (machine.thread, hit.breakpoints.compactMap(\.filter))
    return DAPReply(
      body: body,
      events: [
        stopped(machine.thread, hit.reason, text, hits: hit.breakpoints.compactMap(\.id))
      ])
  }

  private static func end(_ direction: SearchDirection) -> String {
    switch direction {
    case .forward: "the end of the recording"
    case .backward: "the start of the recording"
    }
  }
}
