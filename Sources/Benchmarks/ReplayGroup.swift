import DebugServer
import Foundation
import JSONCore
import Recorder
import Replaying
import StatesCore
import TimelineStore
import Timelines
import Wire

extension Group {
  /// Changes earlier events of a recording, through a daemon and a host process.
  static let replay = Group(
    name: "replay",
    summary: "undo, and other branches: a daemon, a spawned host, and the disk",
    metrics: [
      Metric(
        "replay.entries_per_s",
        "entries a second, from the request to the last one durable, 40,000 of them"),
      Metric(
        "replay.vs_direct",
        "that, relative to the same reducer, encoder, diff, and outputs in a loop in process",
        goal: .atLeast(0.5)),
      Metric(
        "replay.toggle_first_of_40k_ms",
        "milliseconds from leaving out the first of 40,000 events to the state after the last",
        goal: .atMost(150)),
      Metric(
        "replay.first_toggle_of_40k_ms",
        "the same if the host has not received the events before"),
      Metric(
        "replay.fork_to_reply_ms",
        "milliseconds from leaving out an event to state and rows at its end, 10,000 later",
        goal: .atMost(50)),
    ]
  ) { measure in
    let rounds = measure.isQuick ? 2 : 7
    return try blocking {
      let daemon = try await ReplayDaemon(count: 40_000)
      do {
        let results = try await daemon.measure(rounds: rounds)
        await daemon.end()
        return results
      } catch {
        await daemon.end()
        throw error
      }
    }
  }
}

/// The machine whose events are changed: a typical cart.
struct ReplayedCart: Reducible, Codable {
  struct Line: Codable {
    var name: String
    var count: Int
    var price: Double
  }

  var lines: [Line] = (0..<20).map { Line(name: "article \($0)", count: 1, price: 9.95) }
  var note = ""
  var total = 199.0

  enum Event: Codable {
    case changed(line: Int, count: Int)
    case noted(String)
  }

  static func reduce(state: ReplayedCart, event: Event) -> ReplayedCart {
    var next = state
    switch event {
    case .changed(let line, let count):
      guard next.lines.indices.contains(line) else { return next }
      next.total += Double(count - next.lines[line].count) * next.lines[line].price
      next.lines[line].count = count
    case .noted(let text): next.note = text
    }
    return next
  }

  static var outputs: Outputs<ReplayedCart> { Output("count", \.lines.count) }

  static func event(_ number: Int) -> String {
    number % 10 == 9
      ? #"{"noted":{"_0":"note \#(number)"}}"#
      : #"{"changed":{"line":\#(number % 20),"count":\#(number % 7)}}"#
  }
}

/// A daemon with a recording, whose host is this program.
private struct ReplayDaemon {
  private let daemon: IngestDaemon
  private let backend: SocketBackend
  private let parent: TimelineID
  private let count: Int
  private let events: [JSONSlice]
  private let first: JSONSlice

  init(count: Int) async throws {
    self.count = count
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    events = try (1...count).map { try JSONSlice(validating: Array(ReplayedCart.event($0).utf8)) }
    first = try JSONSlice(validating: CanonicalEncoder().encode(ReplayedCart()))
    parent = .random()
    let folder = "/tmp/replay-\(UInt32.random(in: .min ... .max))"
    try await Self.fill(folder, parent, try Self.record(first, events))
    daemon = try IngestDaemon(folder: folder, options: ["--host", own])
    backend = try await SocketBackend.connect(to: daemon.socket)
  }

  func end() async {
    await backend.close()
    daemon.end()
  }

  /// The work of a host in a loop, without a host.
  private static func record(_ first: JSONSlice, _ events: [JSONSlice]) throws -> [Entry] {
    let replayer = try Replay(reducible: ReplayedCart.self).makeReplayer()
    var start = EntryDraft(seq: 0, t: 0)
    start.state = first.bytes
    let draft = try replayer.run(PlannedStep(seq: 0, t: 0, action: .take(try start.entry())))
    var entries = [try draft.entry()]
    for (index, event) in events.enumerated() {
      let step = PlannedStep(
        seq: Int64(index + 1), t: Int64(index) * 1_000, action: .reduce(event), origin: .app)
      entries.append(try replayer.run(step).entry())
    }
    return entries
  }

  private static func fill(_ folder: String, _ id: TimelineID, _ entries: [Entry]) async throws {
    let replay = Replay(reducible: ReplayedCart.self)
    var machine = Header.Machine(type: replay.type, name: "cart")
    machine.kind = replay.kind.rawValue
    machine.make = replay.make
    let header = try Header(
      Header.Fields(
        timeline: id, app: Header.App(name: "Benchmarks"), machine: machine,
        started: Timestamp(microseconds: 0)))
    let store = try Store(folder: folder)
    _ = try await store.open(header)
    var rest = entries[...]
    while !rest.isEmpty {
      _ = try await store.append(AppendBatch(id, rest.prefix(1_000)))
      rest = rest.dropFirst(1_000)
    }
    try await store.end(id)
    await store.close()
  }

  func measure(rounds: Int) async throws -> [String: Double] {
    // The host has started, because an inspector is connected. It does not have the events yet.
    _ = try await branch(dropping: Int64(count) - 10)
    let cold = try await branch(dropping: 1)
    var (toggles, replies, rates, ratios): ([Double], [Double], [Double], [Double]) = (
      [], [], [], []
    )
    for round in 0..<rounds {
      // Another event each time, so that no answer is cached.
      let toggled = try await branch(dropping: Int64(2 + round))
      toggles.append(toggled.look * 1e3)
      let rate = Double(count - 2 - round) / toggled.durable
      rates.append(rate)
      let clock = ContinuousClock()
      let start = clock.now
      _ = try Self.record(first, events)
      ratios.append(rate / (Double(count) / (clock.now - start).inSeconds))
      replies.append(try await branch(dropping: Int64(30_001 - round)).look * 1e3)
    }
    return [
      "replay.entries_per_s": rates.median, "replay.vs_direct": ratios.median,
      "replay.toggle_first_of_40k_ms": toggles.median,
      "replay.first_toggle_of_40k_ms": cold.look * 1e3,
      "replay.fork_to_reply_ms": replies.median,
    ]
  }

  /// Drops an event; returns the seconds until the state and rows at the end were answered, and until
  /// everything is durable.
  private func branch(dropping seq: Int64) async throws -> (look: Double, durable: Double) {
    let edits = try JSONSlice(validating: Array(#"[{"drop":\#(seq)}]"#.utf8))
    let news = await backend.news()
    let clock = ContinuousClock()
    let start = clock.now
    guard
      case .message(.fork(let branch)) = try await backend.ask(
        .fork(
          FromInspector.Fork {
            $0.timeline = parent
            $0.edits = edits
          }))
    else { throw BenchmarkError("the daemon did not create a branch") }
    let last = Int64(count - 1)
    let state = try await backend.ask(
      .state(
        FromInspector.State {
          $0.timeline = branch.timeline
          $0.seq = last
          $0.path = Pointer(tokens: ["state"])
        }))
    let rows = try await backend.ask(
      .entries(
        FromInspector.Entries {
          $0.timeline = branch.timeline
          $0.from = last
          $0.count = 40
          $0.direction = .backward
        }))
    let look = (clock.now - start).inSeconds
    guard case .message(.state(let answer)) = state, answer.value != nil,
      case .message(.entries(let window)) = rows, window.entries.count == 40
    else { throw BenchmarkError("the branch has no end") }
    _ = try await backend.ask(
      .watch(FromInspector.Watch { $0.timeline = branch.timeline }))
    try await complete(branch.timeline, news)
    return (look, (clock.now - start).inSeconds)
  }

  private func complete(_ branch: TimelineID, _ news: AsyncStream<ToInspector>) async throws {
    guard
      case .message(.timelines(let all)) = try await backend.ask(
        .timelines(FromInspector.Timelines()))
    else { throw BenchmarkError("the daemon did not list timelines") }
    let known = all.timelines.first { $0.header["timeline"]?.string == branch.text }
    if known?.computing == nil { return }
    for await message in news {
      guard case .timeline(let changed) = message,
        changed.timeline.header["timeline"]?.string == branch.text
      else { continue }
      if changed.timeline.computing == nil { return }
    }
  }
}

extension [Double] {
  fileprivate var median: Double {
    let sorted = sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
  }
}

extension Duration {
  fileprivate var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
