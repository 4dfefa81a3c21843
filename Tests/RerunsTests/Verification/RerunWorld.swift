import Foundation
import JSONCore
import Predicates
import Synchronization
import TestSupport
import TimelineStore
import Timelines
import Wire

@testable import Reruns

final class AskedForks: Sendable {
  private let asked = Mutex<[FromInspector.Fork]>([])
  var all: [FromInspector.Fork] { asked.withLock { $0 } }
  func add(_ fork: FromInspector.Fork) { asked.withLock { $0.append(fork) } }

  /// The branch that every fork answers.
  static let branch = TimelineID("11111111-2222-4333-8444-555555555555")
}

/// A store with one recording, and hosts to prove things of it.
struct RerunWorld<Hosts: ReducerHosts> {
  let store: Store
  let timeline: TimelineID
  let hosts: Hosts
  let proofs: RerunService
  let forks = AskedForks()

  /// Runs a test with lines as the recording.
  static func run(
    _ entries: [Entry], _ hosts: Hosts, kind: String = "machine", make: String = "Doors()",
    minimizeLimit: Int64 = 1_000_000, helpedEntries: Int64 = 25_000,
    _ body: (RerunWorld) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "proving-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var options = StoreOptions()
    options.chunkBytes = 64 << 10
    let store = try Store(folder: folder.path, indexer: TimelineIndexer(), options: options)
    let id = TimelineID("0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a") ?? .zero
    let header = try Header(
      reading: """
        {"timeline":"\(id)","app":{"name":"Doors"},"machine":{"type":"Doors","name":"doors",\
        "kind":"\(kind)","make":"\(make)"},"started":"2026-05-01T08:00:00Z","format":1}
        """)
    _ = try await store.open(header)
    for start in stride(from: 0, to: entries.count, by: 500) {
      _ = try await store.append(
        AppendBatch(id, Array(entries[start..<min(start + 500, entries.count)])))
    }
    try await body(RerunWorld(store, id, hosts, minimizeLimit, helpedEntries))
    await store.close()
  }

  private init(
    _ store: Store, _ timeline: TimelineID, _ hosts: Hosts,
    _ minimizeLimit: Int64, _ helpedEntries: Int64
  ) {
    self.store = store
    self.timeline = timeline
    self.hosts = hosts
    let forks = forks
    proofs = RerunService(
      store: store, hosts: hosts, minimizeLimit: minimizeLimit, helpedEntries: helpedEntries
    ) { fork in
      forks.add(fork)
      return ToInspector.Fork {
        $0.timeline = AskedForks.branch ?? .zero
        $0.parent = fork.timeline
      }
    }
  }

  func verify(
    _ change: (inout FromInspector.Verify) -> Void = { _ in }
  ) async throws -> ToInspector.Verify {
    var asked = FromInspector.Verify { $0.timeline = timeline }
    change(&asked)
    guard case .verify(let answer) = try await proofs.answer(.verify(asked), report: { _ in })
    else { throw Refusal(.failed, "another answer") }
    return answer
  }

  func compare(
    _ change: (inout FromInspector.Compare) -> Void = { _ in }
  ) async throws -> ToInspector.Compare {
    var asked = FromInspector.Compare { $0.timeline = timeline }
    change(&asked)
    guard case .compare(let answer) = try await proofs.answer(.compare(asked), report: { _ in })
    else { throw Refusal(.failed, "another answer") }
    return answer
  }

  func minimize(
    _ predicate: String, _ change: (inout FromInspector.Minimize) -> Void = { _ in },
    report: @escaping ProgressReport = { _ in }
  ) async throws -> ToInspector.Minimize {
    let predicate = try Predicates.Predicate(predicate)
    var asked = FromInspector.Minimize {
      $0.timeline = timeline
      $0.predicate = predicate
    }
    change(&asked)
    guard case .minimize(let answer) = try await proofs.answer(.minimize(asked), report: report)
    else { throw Refusal(.failed, "another answer") }
    return answer
  }
}

/// Recordings of doors.
enum Doors {
  static func opened(_ door: String) -> JSON { ["opened": ["door": .string(door)]] }
  static func closed(_ door: String) -> JSON { ["closed": ["door": .string(door)]] }
  static func paid(_ amount: Int64) -> JSON { ["paid": ["amount": .number(JSON.Number(amount))]] }
  static func undone(to seq: Int64) -> JSON { ["undo": ["to": .number(JSON.Number(seq))]] }
  static let crashed: JSON = ["crashed": [:]]
  static let looked: JSON = ["looked": ["at": "the clock"]]

  /// What is recorded of some events.
  static func recording(
    _ events: [JSON], by machine: FunctionMachine = .doors
  ) throws -> [Entry] {
    try machine.entries(events.map { ($0, nil) }, from: nil, seq: 0).entries
  }

  /// Events of which none does anything that matters, from a seed.
  static func noise(_ count: Int, seed: UInt64) -> [JSON] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      switch Int.random(in: 0..<3, using: &random) {
      case 0: closed("attic")
      case 1: paid(Int64.random(in: 1...9, using: &random))
      default: looked
      }
    }
  }
}
