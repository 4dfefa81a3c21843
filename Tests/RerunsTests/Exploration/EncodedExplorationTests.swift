import JSONCore
import Predicates
import Replaying
import StatesCore
import Synchronization
import Testing
import Timelines
import Wire

@testable import Reruns

/// Searches by hosts that answer without entries, compared with those by hosts that answer with entries.
@Suite("Exploring without entries")
struct EncodedExplorationTests {
  private static func explore(
    _ entries: [Entry], _ replay: Replay, _ hosts: FakeHosts,
    _ change: @Sendable (inout FromInspector.Explore) throws -> Void
  ) async throws -> ToInspector.Explore {
    let result = Mutex(ToInspector.Explore())
    try await RerunWorld.run(entries, hosts, kind: replay.kind.rawValue, make: replay.make) {
      world in
      var asked = FromInspector.Explore {
        $0.timeline = world.timeline
        $0.from = 0
        $0.seconds = 3_600
      }
      try change(&asked)
      let answer = try await world.proofs.explore(asked) { _ in }
      result.withLock { $0 = answer }
    }
    return result.withLock { $0 }
  }

  /// What both ways have to agree on.
  private static func facts(_ answer: ToInspector.Explore) -> [String] {
    var answer = answer
    for index in answer.findings.indices { answer.findings[index].timeline = nil }
    return [
      String(
        decoding: Envelope(ToInspector.explore(answer), re: .number(1)).encoded(), as: UTF8.self)
    ]
  }

  private static func entries(of machine: BranchedMachine) throws -> [Entry] {
    Array(try BranchedRecording.make(machine, count: 40, seed: 5, isEven: true).entries)
  }

  @Test("of every kind of machine, they find the same", arguments: BranchedMachine.all)
  func everyKind(machine: BranchedMachine) async throws {
    let entries = try Self.entries(of: machine)
    let plain = try await Self.explore(entries, machine.replay, FakeHosts([machine.replay])) {
      $0.depth = 2
      $0.states = 400
    }
    let expanded = Mutex(0)
    let hosts = FakeHosts([machine.replay], expands: true)
    hosts.onAnswer { _, answer in
      expanded.withLock { $0 += answer.expanded?.count ?? 0 }
      return answer
    }
    let encoded = try await Self.explore(entries, machine.replay, hosts) {
      $0.depth = 2
      $0.states = 400
    }
    #expect(Self.facts(encoded) == Self.facts(plain))
    // The outputs of these do not follow from the state, and a chart has edges to report.
    let needsEntries = [.statechart, .feedback].contains(machine.replay.kind)
    #expect((expanded.withLock { $0 } > 0) == !needsEntries)
  }

  private static let basket = BranchedMachine.all[0]

  @Test(
    "whatever goes wrong without entries, the search goes on with them",
    arguments: Trouble.allCases)
  func trouble(_ trouble: Trouble) async throws {
    let entries = try Self.entries(of: Self.basket)
    let ask = { @Sendable (asked: inout FromInspector.Explore) throws in
      asked.until = try Predicates.Predicate("state.total > 14")
    }
    let plain = try await Self.explore(
      entries, Self.basket.replay, FakeHosts([Self.basket.replay]), ask)
    #expect(plain.end == .found)
    let hosts = FakeHosts([Self.basket.replay], expands: true)
    let troubles = Mutex(0)
    hosts.onAnswer { _, answer in
      guard answer.expanded != nil else { return answer }
      let number = troubles.withLock { count in
        count += 1
        return count
      }
      // The first answer is right, so that the trouble comes in the middle.
      return number > 1 ? try trouble.change(answer) : answer
    }
    let encoded = try await Self.explore(entries, Self.basket.replay, hosts, ask)
    #expect(troubles.withLock { $0 } > 1)
    #expect(encoded.findings.map(\.events.count) == plain.findings.map(\.events.count))
    #expect(encoded.end == plain.end)
    #expect(encoded.states == plain.states)
  }

  enum Trouble: CaseIterable {
    case trap, error, nothing, tooMany, otherPlace, fewDigits, wrongDigits, descending

    func change(_ answer: FromRecorder.Reduced) throws -> FromRecorder.Reduced {
      var answer = answer
      switch self {
      case .trap:
        answer.expanded = nil
        answer.ended = EarlyEnd {
          $0.why = .trap
          $0.seq = 1
          $0.guess = true
        }
      case .error: throw Refusal(.failed, "The machine has objects in its state.")
      case .nothing: answer.expanded = []
      case .tooMany: answer.expanded = Array(repeating: .init(), count: 10_000)
      case .otherPlace: answer.expanded?[0].undecodable = [4_000]
      case .fewDigits: answer.expanded?[0].reached += "0"
      case .wrongDigits:
        answer.expanded?[0].changed = [0]
        answer.expanded?[0].reached = "no hexadecimal!!"
      case .descending:
        answer.expanded?[0].changed = [1, 0]
        answer.expanded?[0].reached = String(repeating: "1", count: 32)
      }
      return answer
    }
  }

  @Test("a predicate that reads an event or the moment before gets entries")
  func readsEvents() async throws {
    let entries = try Self.entries(of: Self.basket)
    let hosts = FakeHosts([Self.basket.replay], expands: true)
    hosts.onAnswer { _, answer in
      #expect(answer.expanded == nil)
      return answer
    }
    for goal in [
      "event == \"removedLast\" && state.total > 7", "changed(state.total) && state.total > 14",
      "before.state.total > 7",
    ] {
      let answer = try await Self.explore(entries, Self.basket.replay, hosts) {
        $0.until = try Predicates.Predicate(goal)
      }
      #expect(answer.end == .found, "\(goal)")
    }
  }

  @Test("a machine with an object in its state gets entries, and finds the same")
  func objects() async throws {
    let replay = Replay(of: Tallies.self)
    let recorded = try BranchedRecording.make(
      BranchedMachine(replay: replay) { _, _ in #""up""# }, count: 4, seed: 1, isEven: true)
    let refused = Mutex(0)
    let hosts = FakeHosts([replay], expands: true)
    hosts.onAnswer { _, answer in
      refused.withLock { $0 += answer.expanded == nil ? 0 : 1 }
      return answer
    }
    let answer = try await Self.explore(Array(recorded.entries), replay, hosts) {
      $0.until = try Predicates.Predicate("state.count == 6")
    }
    #expect(answer.findings.first?.events.count == 6)
    #expect(refused.withLock { $0 } == 0)
  }

  @Test("a host answers a state once in a search, and again in another one")
  func answeredOnce() async throws {
    let hosts = FakeHosts([Self.basket.replay], expands: true)
    let entries = try Self.entries(of: Self.basket)
    let states = Mutex<[String]>([])
    hosts.onAnswer { _, answer in
      for origin in answer.expanded ?? [] {
        states.withLock { $0 += origin.states.map { "\($0.state.value)" } }
      }
      return answer
    }
    var rounds: [[String]] = []
    for _ in 0..<2 {
      _ = try await Self.explore(entries, Self.basket.replay, hosts) {
        $0.depth = 2
        $0.processes = 1
        $0.states = 400
      }
      rounds.append(
        states.withLock { all in
          defer { all = [] }
          return all
        })
    }
    #expect(rounds[0].count > 10)
    #expect(Set(rounds[0]).count == rounds[0].count)
    #expect(rounds[0] == rounds[1])
  }

  @Test("in larger batches, two hosts answer fewer of the same states")
  func growingBatches() async throws {
    let replay = Replay(of: Dials.self)
    let recorded = try BranchedRecording.make(
      BranchedMachine(replay: replay) { _, count in #""\#(Dials.events[Int(count) % 8])""# },
      count: 8, seed: 1, isEven: true)
    let answered = Mutex(0)
    let hosts = FakeHosts([replay], expands: true)
    hosts.onAnswer { _, answer in
      answered.withLock { $0 += (answer.expanded ?? []).reduce(0) { $0 + $1.states.count } }
      return answer
    }
    let answer = try await Self.explore(Array(recorded.entries), replay, hosts) {
      $0.until = try Predicates.Predicate("state[0] < 0")
      $0.processes = 2
    }
    #expect(answer.end == .everything)
    #expect(answer.states == 6_561)
    // In batches of 256 states, they answer half as many again.
    let ratio = Double(answered.withLock { $0 }) / 6_561
    #expect(ratio < 1.35, "\(ratio)")
  }
}

/// Four dials with nine positions each.
private enum Dials: Replayable {
  static let events = (0..<4).flatMap { ["up\($0)", "down\($0)"] }

  static func make() -> RecordedReducer<[Int], String> {
    RecordedReducer(first: [0, 0, 0, 0]) { state, event in
      guard let dial = event.last?.wholeNumberValue else { return state }
      var state = state
      state[dial] = min(max(0, state[dial] + (event.hasPrefix("up") ? 1 : -1)), 8)
      return state
    }
  }
}

/// A machine whose state has an object, which its reducer changes.
private enum Tallies: Replayable {
  final class Tally: Codable {
    var count = 0
  }

  static func make() -> RecordedReducer<Tally, String> {
    RecordedReducer(first: Tally()) { state, event in
      if event == "up" { state.count += 1 }
      return state
    }
  }
}
