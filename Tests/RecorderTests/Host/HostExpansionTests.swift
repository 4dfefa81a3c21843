import JSONCore
import Recorder
import Replaying
import Testing
import Wire

@Suite("Recorder: host that expands states")
struct HostExpansionTests {
  /// Sends forty events to each of some states; returns what was answered for each.
  private func expanded(_ session: HostSession, paths: [[Int]]) throws -> [JSON] {
    let events = ([1_000] + Array(1...39)).map { String($0) }.joined(separator: ",")
    let origins = paths.map { #"{"path":\#($0),"sent":\#(Array(0..<40))}"# }.joined(separator: ",")
    let line = #"""
      {"type":"reduce","id":8,"make":"\#(Replay(of: Coins.self).make)","state":{"coins":1},\#
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
}

/// Coins, and how many are added.
private enum Coins: Replayable {
  struct State: Codable, Sendable { var coins = 0 }

  static func make() -> RecordedReducer<State, Int> {
    RecordedReducer(first: State()) { state, event in State(coins: state.coins + event) }
  }
}
