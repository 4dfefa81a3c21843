import JSONCore
import Recorder
import Replaying
import StatesCore
import Synchronization
import Testing
import Timelines

@Suite("Recorder: host inside the app")
struct LiveHostTests {
  /// Hangs until the test lets it go on.
  private struct Stuck: Reducible, Codable {
    enum Event: String, Codable { case hung, passed }
    static let gate = Mutex(true)
    static func reduce(state: Stuck, event: Event) -> Stuck {
      while event == .hung, gate.withLock({ $0 }) {}
      return state
    }
  }

  private func request(_ make: String, _ state: String, _ events: [String]) throws
    -> ToRecorder.Reduce
  {
    let steps = events.enumerated().map { #"{"event":\#($1),"t":\#($0)}"# }
    return try ToRecorder.Reduce(
      #"{"make":"\#(make)","state":\#(state),"seq":1,"milliseconds":50,"steps":[\#(steps.joined(separator: ","))]}"#
    )
  }

  @Test("runs what the app has, and says that it is inside of it")
  func runs() async throws {
    let host = LiveHost { HostedMachines(of: Purse.self) }
    defer { host.stop() }
    #expect(host.offer.place == .live && host.offer.makes == ["RecorderTests.Purse.self"])
    let answers = Answers()
    host.reduce(
      try request(
        "RecorderTests.Purse.self", #"{"coins":0,"code":""}"#, [#"{"put":{"_0":3}}"#]),
      answer: answers.answer)
    #expect(try await answers.reduced().entries.first?["state"]?["coins"] == 3)
  }

  @Test("a reducer that never returns is answered, and others go on")
  func stuck() async throws {
    let replay = Replay(reducible: Stuck.self)
    let host = LiveHost { HostedMachines([replay]) }
    defer {
      Stuck.gate.withLock { $0 = false }
      host.stop()
    }
    let (stuck, next) = (Answers(.number(1)), Answers(.number(2)))
    host.reduce(try request(replay.make, "{}", [#""passed""#, #""hung""#]), answer: stuck.answer)
    host.reduce(try request(replay.make, "{}", [#""passed""#]), answer: next.answer)
    let ended = try await stuck.reduced().ended
    #expect(ended?.why == .limit && ended?.seq == 2)
    #expect(try await next.reduced().entries.count == 1)
  }
}
