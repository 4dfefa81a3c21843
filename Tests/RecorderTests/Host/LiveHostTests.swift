import Foundation
import JSONCore
import Recorder
import Replaying
import StatesCore
import Synchronization
import TestSupport
import Testing
import Timelines
import Wire

@Suite("Recorder: host inside the app")
struct LiveHostTests {
  /// Hangs until the test lets it go on.
  private struct Stuck: Reducible, Codable {
    enum Event: String, Codable { case hung, passed }
    /// The gate of the test that it hangs at.
    let gate: Int
    static let shut = Mutex<Set<Int>>([1, 2, 3])
    static let hanging = Mutex<Set<Int>>([])
    static func open(_ gate: Int) { shut.withLock { _ = $0.remove(gate) } }
    static func reduce(state: Stuck, event: Event) -> Stuck {
      guard event == .hung else { return state }
      hanging.withLock { _ = $0.insert(state.gate) }
      while shut.withLock({ $0.contains(state.gate) }) { sched_yield() }
      return state
    }
  }

  /// A request whose time limit matters only to the events that never return.
  private func request(
    _ make: String, _ state: String, _ events: [String], milliseconds: Int = 120_000
  ) throws -> ToRecorder.Reduce {
    let steps = events.enumerated().map { #"{"event":\#($1),"t":\#($0)}"# }
    return try ToRecorder.Reduce(
      #"{"make":"\#(make)","state":\#(state),"seq":1,"milliseconds":\#(milliseconds),"steps":[\#(steps.joined(separator: ","))]}"#
    )
  }

  @Test("runs the app's machines, and announces that it is inside the app")
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

  @Test("a reducer that never returns is answered, and others continue")
  func stuck() async throws {
    let replay = Replay(reducible: Stuck.self)
    let host = LiveHost { HostedMachines([replay]) }
    defer {
      Stuck.open(1)
      host.stop()
    }
    let (stuck, next) = (Answers(.number(1)), Answers(.number(2)))
    let state = #"{"gate":1}"#
    // Long enough for the first event on a busy machine.
    let hanging = try request(
      replay.make, state, [#""passed""#, #""hung""#], milliseconds: 10_000)
    host.reduce(hanging, answer: stuck.answer)
    host.reduce(try request(replay.make, state, [#""passed""#]), answer: next.answer)
    let ended = try await stuck.reduced().ended
    #expect(ended?.why == .limit && ended?.seq == 2)
    #expect(try await next.reduced().entries.count == 1)
  }

  @Test("after three reducers that never returned, nothing more runs inside the app")
  func tooManyStuck() async throws {
    let replay = Replay(reducible: Stuck.self)
    let host = LiveHost { HostedMachines([replay]) }
    defer {
      Stuck.open(3)
      host.stop()
    }
    let state = #"{"gate":3}"#
    for id in 1...3 {
      let stuck = Answers(.number(Int64(id)))
      host.reduce(
        try request(replay.make, state, [#""hung""#], milliseconds: 50), answer: stuck.answer)
      #expect(try await stuck.reduced().ended?.why == .limit)
    }
    let next = Answers(.number(4))
    host.reduce(try request(replay.make, state, [#""passed""#]), answer: next.answer)
    guard case .error(let error)? = await next.all().first else {
      Issue.record("a fourth reducer runs")
      return
    }
    #expect(
      error.message == """
        3 reducers that never returned are still running inside the app. To fix, call \
        ReducerHost.runIfAsked(…) first in main, so that they run in another process.
        """)
  }

  @Test("a request of another connection runs, even if an earlier one had its id")
  func sameID() async throws {
    let replay = Replay(reducible: Stuck.self)
    let host = LiveHost { HostedMachines([replay]) }
    defer {
      Stuck.open(2)
      host.stop()
    }
    let (stuck, next) = (Answers(.number(1)), Answers(.number(1)))
    let state = #"{"gate":2}"#
    host.reduce(try request(replay.make, state, [#""hung""#]), answer: stuck.answer)
    #expect(eventually { Stuck.hanging.withLock { $0.contains(2) } })
    // As when the connection is lost; ids start over with the next one.
    host.cancelAll()
    #expect(try await stuck.reduced().ended?.why == .limit)
    host.reduce(try request(replay.make, state, [#""passed""#]), answer: next.answer)
    #expect(try await next.reduced().entries.count == 1)
  }
}
