import DebugServer
import Foundation
import JSONCore
import Recorder
import Replaying
import StatesCore
import TimelineStore
import Timelines
import Wire

/// A daemon with one recording, whose host is this program.
struct HostedRecording: Sendable {
  let timeline: TimelineID
  /// What was recorded, in order, without the first entry.
  let steps: [HostedStep]
  let backend: SocketBackend
  private let daemon: IngestDaemon

  /// Records events of a machine, and starts a daemon that has the recording.
  init<State: Reducible & Codable>(
    of type: State.Type, from first: State, _ events: some Sequence<String>
  ) async throws where State.Event: Decodable {
    timeline = .random()
    let folder = "/tmp/prove-\(UInt32.random(in: .min ... .max))"
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    steps = try await Self.fill(folder, timeline, Replay(reducible: type), first, events)
    daemon = try IngestDaemon(folder: folder, options: ["--host", own])
    backend = try await SocketBackend.connect(to: daemon.socket)
  }

  /// Ends the daemon and removes its data.
  func end() async {
    await backend.close()
    daemon.end()
  }

  /// The peak memory of the daemon and its hosts.
  func peakMegabytes() throws -> Double { try daemon.peakMegabytesWithHosts() }

  /// Sends a request, and returns the answer with the seconds it took.
  func ask(_ request: FromInspector) async throws -> (answer: ToInspector, seconds: Double) {
    let clock = ContinuousClock()
    let start = clock.now
    guard case .message(let answer) = try await backend.ask(request) else {
      throw BenchmarkError("the daemon's answer cannot be used")
    }
    let (seconds, attoseconds) = (clock.now - start).components
    return (answer, Double(seconds) + Double(attoseconds) / 1e18)
  }

  private static func fill(
    _ folder: String, _ timeline: TimelineID, _ replay: Replay, _ first: some Encodable,
    _ events: some Sequence<String>
  ) async throws -> [HostedStep] {
    var machine = Header.Machine(type: replay.type, name: "machine")
    machine.kind = replay.kind.rawValue
    machine.make = replay.make
    let header = try Header(
      Header.Fields(
        timeline: timeline, app: Header.App(name: "Benchmarks"), machine: machine,
        started: Timestamp(microseconds: 0)))
    let store = try Store(folder: folder, indexer: TimelineIndexer())
    _ = try await store.open(header)
    let replayer = try replay.makeReplayer()
    var start = EntryDraft(seq: 0, t: 0)
    start.state = try CanonicalEncoder().encode(first)[...]
    var batch = [
      try replayer.run(PlannedStep(seq: 0, t: 0, action: .take(try start.entry()))).entry()
    ]
    var steps: [HostedStep] = []
    var seq: Int64 = 0
    for event in events {
      seq += 1
      let event = try JSONSlice(validating: Array(event.utf8))
      let step = PlannedStep(seq: seq, t: seq * 1_000, action: .reduce(event), origin: .app)
      let entry = try replayer.run(step).entry()
      batch.append(entry)
      steps.append(HostedStep(event: event, patch: Array(entry.patch?.bytes ?? [])))
      guard batch.count == 1_000 else { continue }
      _ = try await store.append(AppendBatch(timeline, batch))
      batch = []
    }
    if !batch.isEmpty { _ = try await store.append(AppendBatch(timeline, batch)) }
    try await store.end(timeline)
    while try await store.read({ try $0.tailBytes(of: timeline) }) > 0 {
      try await Task.sleep(for: .milliseconds(20))
    }
    await store.close()
    return steps
  }
}

/// An event of a recording, and the bytes of the patch that it caused.
struct HostedStep: Sendable {
  let event: JSONSlice
  let patch: [UInt8]
}
