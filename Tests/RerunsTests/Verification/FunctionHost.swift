import JSONCore
import Synchronization
import Timelines
import Wire

@testable import Reruns

/// A machine as a function of JSON, for tests of what happens to its entries.
struct FunctionMachine: Sendable {
  /// The state of a fresh one.
  var initial: JSON
  /// What an event makes of a state; `nil` when the process dies of it.
  var reduce: @Sendable (JSON, JSON) -> JSON?

  /// Doors that are opened and closed, with a counter.
  static let doors = FunctionMachine(initial: ["count": 0, "open": [], "total": 0]) {
    state, event in
    guard case .object(let members) = event, let name = members.keys.first else { return state }
    let count = state["count"]?.int ?? 0
    var open = state["open"]?.array ?? []
    var total = state["total"]?.int ?? 0
    switch name {
    case "opened":
      if let door = event["opened"]?["door"], !open.contains(door) { open.append(door) }
    case "closed": if let door = event["closed"]?["door"] { open.removeAll { $0 == door } }
    case "paid": total += event["paid"]?["amount"]?.int ?? 0
    case "crashed": if open.count > 1 { return nil }
    default: break
    }
    return [
      "count": .number(JSON.Number(count + 1)), "open": .array(open),
      "total": .number(JSON.Number(total)),
    ]
  }

  /// The entries of a run from a state, written in the simplest way: patches that replace the whole
  /// state, keyframes at the beginning.
  func entries(
    _ steps: [(event: JSON?, state: JSON?)], from state: JSON?, seq: Int64,
    sources: [Int64?] = [], remembered: [Int64: JSON] = [:]
  ) throws -> (entries: [Entry], died: Bool) {
    var current = state ?? initial
    var entries: [Entry] = []
    var next = seq
    // What an undo can go back to, by the numbers of the recording, as a form's host keeps it.
    var known = remembered
    if seq == 0 {
      known[0] = current
      entries.append(try Self.entry(0, event: nil, current, nil))
      next = 1
    }
    for (index, step) in steps.enumerated() {
      let before = current
      defer {
        if let source = sources.isEmpty ? next - 1 : sources[index] { known[source] = current }
      }
      if let target = step.event?["undo"]?["to"]?.int {
        guard let state = known[target] else {
          var draft = EntryDraft(
            try Self.entry(
              next, event: step.event, entries.isEmpty ? Optional(before) : Optional.none,
              Patch([])))
          draft.error = "The undo goes to the state of entry \(target), which is not part of this."
          entries.append(try draft.entry())
          next += 1
          continue
        }
        current = state
      } else if let event = step.event {
        guard let after = reduce(current, event) else { return (entries, true) }
        current = after
      } else if let given = step.state {
        current = given
      }
      let isKeyframe = entries.isEmpty || step.event == nil
      entries.append(
        try Self.entry(
          next, event: step.event, isKeyframe ? Optional(current) : Optional.none,
          Patch.difference(from: before, to: current)))
      next += 1
    }
    return (entries, false)
  }

  private static func entry(
    _ seq: Int64, event: JSON?, _ state: JSON?, _ patch: Patch?
  ) throws -> Entry {
    var draft = EntryDraft(seq: seq, t: seq * 10)
    draft.event = event?.encoded()[...]
    draft.state = state?.encoded()[...]
    draft.patch = patch?.json.encoded()[...]
    draft.isJump = event == nil && seq > 0
    return try draft.entry()
  }
}

/// A host that runs a function in this process, and counts what it runs.
final class FunctionHost: ReducerHosting {
  let summary = ToInspector.HostSummary {
    $0.name = "function"
    $0.place = .process
  }
  private let machine: FunctionMachine
  /// How many of the entries that are due it leaves out without a word.
  private let omitted: Int
  /// Whether it supports `confirm`.
  private let confirms: Bool
  private let counts = Mutex((requests: 0, events: 0, confirmed: 0))

  init(_ machine: FunctionMachine, omitting omitted: Int = 0, confirming confirms: Bool = false) {
    self.machine = machine
    self.omitted = omitted
    self.confirms = confirms
  }

  /// How many requests and events it has run, and how many entries it confirmed.
  var counted: (requests: Int, events: Int, confirmed: Int) { counts.withLock { $0 } }

  func confirm(_ request: ToRecorder.Confirm) async throws -> FromRecorder.Confirmed? {
    guard confirms else { return nil }
    var confirmed = FromRecorder.Confirmed()
    var state = request.state.value
    for line in request.lines.elements {
      let entry = try Entry(reading: line)
      guard let event = entry.event?.value, event["undo"] == nil, let patch = entry.patch,
        entry.gap == nil, !entry.isFixedPoint, entry.error == nil,
        let after = machine.reduce(state, event),
        Patch.difference(from: state, to: after).json.encoded()[...] == patch.bytes
      else { break }
      state = after
      confirmed.entries += 1
      confirmed.redacted = confirmed.redacted || !entry.redacted.isEmpty
    }
    counts.withLock { $0.confirmed += Int(confirmed.entries) }
    return confirmed
  }

  func reduce(
    _ request: ToRecorder.Reduce,
    part: @Sendable (FromRecorder.Reduced) async throws -> Void
  ) async throws {
    counts.withLock {
      $0.requests += 1
      $0.events += request.steps.count
    }
    let known = (request.remembered ?? []).map { ($0.was, $0.state.value) }
    let (all, died) = try machine.entries(
      request.steps.map { ($0.event?.value, $0.state?.value) }, from: request.state?.value,
      seq: request.seq, sources: request.steps.map(\.was),
      remembered: Dictionary(known) { $1 })
    let entries = Array(all.dropFirst(Int(request.quiet ?? 0)).dropLast(omitted))
    let end = request.snapshot && !died ? try Self.state(after: all) : nil
    // In two parts, as a host may do.
    let half = entries.count / 2
    try await part(
      FromRecorder.Reduced {
        $0.entries = entries[..<half].map(\.line)
        $0.more = true
      })
    try await part(
      FromRecorder.Reduced {
        $0.entries = entries[half...].map(\.line)
        $0.state = end
        if died {
          $0.ended = EarlyEnd {
            $0.why = .trap
            $0.seq = request.seq + Int64(all.count)
            $0.message = "signal 5"
          }
        }
      })
  }

  /// The first entry of an answer has the whole state.
  private static func state(after entries: [Entry]) throws -> JSONSlice? {
    var moment = Snapshot(state: .null)
    for entry in entries { try Agreement.advance(&moment, by: entry) }
    return try moment.state.slice
  }
}

struct FunctionHosts: ReducerHosts {
  /// The machine for each process that is started, in turn.
  var machines: [FunctionMachine]
  let host: FunctionHost
  private let confirms: Bool
  private let started = Started()

  private final class Started: Sendable {
    let count = Mutex(0)
  }

  init(
    _ machines: FunctionMachine..., omitting omitted: Int = 0, confirming confirms: Bool = false
  ) {
    self.machines = machines
    self.confirms = confirms
    host = FunctionHost(machines[0], omitting: omitted, confirming: confirms)
  }

  /// How many processes of their own were started.
  var startedCount: Int { started.count.withLock { $0 } }

  func host(for header: Header, named name: String?) async throws -> any ReducerHosting { host }

  func freshHost(
    for header: Header, named name: String?, environment: [String: String]
  ) async throws -> any ReducerHosting {
    let index = started.count.withLock { count in
      count += 1
      return count - 1
    }
    return FunctionHost(machines[index % machines.count], confirming: confirms)
  }
}
