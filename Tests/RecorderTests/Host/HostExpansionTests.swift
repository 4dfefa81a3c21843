import JSONCore
import Recorder
import Replaying
import Synchronization
import Testing
import Wire

@Suite("Recorder: host that expands states")
struct HostExpansionTests {
  /// Sends forty events to each of some states; returns what was answered for each.
  private func expanded(
    _ session: HostSession, _ replay: Replay = Replay(of: Coins.self), paths: [[Int]]
  ) throws -> [JSON] {
    let events = ([1_000] + Array(1...39)).map { String($0) }.joined(separator: ",")
    let origins = paths.map { #"{"path":\#($0),"sent":\#(Array(0..<40))}"# }.joined(separator: ",")
    let line = #"""
      {"type":"reduce","id":8,"make":"\#(replay.make)","state":{"coins":1},\#
      "outputState":{},"seq":1,"steps":[],\#
      "expand":{"search":"s","events":[\#(events)],"origins":[\#(origins)]}}
      """#
    var answers: [String] = []
    session.receive(Array(line.utf8)) { envelope in
      answers.append(String(decoding: envelope.encoded(), as: UTF8.self))
    }
    return try answers.flatMap { try JSON(parsing: $0)["expanded"]?.array ?? [] }
  }

  @Test("states of an answer that was cut off are in a later one")
  func cutOff() throws {
    var limits = HostLimits()
    limits.messageBytes = 3_000
    let session = HostSession(HostedMachines(of: Coins.self), limits: limits)
    // Both states do not fit: the second one is not answered, although some of its states were reached.
    let first = try expanded(session, paths: [[], [0]])
    #expect(first.count == 1)
    #expect(first.first?["states"]?.array?.count == 40)
    let second = try expanded(session, paths: [[0]])
    #expect(second.first?["states"]?.array?.count == 40)
  }

  @Test("a state is encoded once in a search, and not again where events lead to it again")
  func encodedOnce() throws {
    let session = HostSession(HostedMachines(of: CountedCoins.self), limits: HostLimits())
    let paths = [[], [0], [1], [2], [0], [1]]
    let before = encodings.load(ordering: .relaxed)
    let answers = try expanded(session, Replay(of: CountedCoins.self), paths: paths)
    #expect(answers.count == paths.count)
    let events = [1_000] + Array(1...39)
    let origins = paths.map { 1 + $0.reduce(0) { $0 + events[$1] } }
    let states = Set(origins + origins.flatMap { origin in events.map { origin + $0 } })
    // The state of the request is encoded when it is loaded, too.
    #expect(encodings.load(ordering: .relaxed) - before <= states.count + 1)
    #expect(answers.flatMap { $0["states"]?.array ?? [] }.count >= states.count - 1)
  }
}

private let encodings = Atomic(0)

/// Coins whose encodings are counted.
private enum CountedCoins: Replayable {
  struct State: Codable, Sendable {
    var coins = 0

    private enum CodingKeys: String, CodingKey { case coins }

    init(coins: Int = 0) { self.coins = coins }

    init(from decoder: any Decoder) throws {
      coins = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .coins)
    }

    func encode(to encoder: any Encoder) throws {
      encodings.add(1, ordering: .relaxed)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(coins, forKey: .coins)
    }
  }

  static func make() -> RecordedReducer<State, Int> {
    RecordedReducer(first: State()) { state, event in State(coins: state.coins + event) }
  }
}

/// Coins, and how many are added.
private enum Coins: Replayable {
  struct State: Codable, Sendable { var coins = 0 }

  static func make() -> RecordedReducer<State, Int> {
    RecordedReducer(first: State()) { state, event in State(coins: state.coins + event) }
  }
}
