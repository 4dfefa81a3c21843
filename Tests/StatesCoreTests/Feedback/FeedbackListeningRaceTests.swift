import Foundation
import StatesCore
import Synchronization
import TestSupport
import Testing

/// Every loop gets every state, also when threads are taken away from it: real threads, and more of
/// them than there are processors.
@Suite("Which states a loop gets on the shared pool")
struct FeedbackListeningRaceTests {
  private struct State: Sendable {
    var number = 0
    var ended: Set<String> = []
  }

  private enum Event: Sendable {
    case next
    case ended(String)
  }

  private struct Done: Error {}

  private static let last = 3

  /// Threads that compute for as long as the object lives.
  private final class BusyThreads: Sendable {
    private let isOver = Atomic(false)

    func start(_ count: Int) {
      for _ in 0..<count {
        Thread.detachNewThread { [self] in
          while !isOver.load(ordering: .relaxed) {}
        }
      }
    }

    func stop() { isOver.store(true, ordering: .relaxed) }
  }

  /// Notes a state, and says once that the loop has seen the last one.
  private static func record(
    _ name: String, _ state: State, _ log: FeedbackLog<String>, _ emit: (Event) -> Void
  ) {
    log("\(name)\(state.number)")
    if state.number == last, !state.ended.contains(name) { emit(.ended(name)) }
  }

  private static func loop(_ name: String, _ log: FeedbackLog<String>) -> Feedback<State, Event> {
    switch name {
    case "raw":
      Feedback(name) { states, emit in
        for await state in states { record(name, state, log) { emit($0) } }
      }
    case "main":
      Feedback(name) { @MainActor states, emit in
        for await state in states { record(name, state, log) { emit($0) } }
      }
    case "bind":
      bind(name) { states in
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        return Bindings(
          subscriptions: [
            states.subscribe { state in record(name, state, log) { continuation.yield($0) } }
          ],
          events: [.from(events)])
      }
    default:
      react(name, requests: { ["id": $0.number] }) { first, latest, emit in
        record(name, State(number: first), log) { emit($0) }
        for await number in latest { record(name, State(number: number), log) { emit($0) } }
      }
    }
  }

  /// Runs a system that has events before its loops listen; the states that a loop did not get.
  private static func missing(_ names: [String]) async throws -> [String] {
    let log = FeedbackLog<String>()
    let run = FeedbackSystem(
      initialState: State(),
      reduce: { (state: State, event: Event) in
        var next = state
        switch event {
        case .next: next.number += 1
        case .ended(let name): next.ended.insert(name)
        }
        return next
      }, feedback: names.map { loop($0, log) }
    ).makeRun()
    for _ in 0..<last { run.send(.next) }
    do {
      try await run.forEachState { if $0.ended.count == names.count { throw Done() } }
    } catch is Done {}
    let seen = Set(log.all)
    return names.flatMap { name in (0...last).map { "\(name)\($0)" } }
      .filter { !seen.contains($0) }
  }

  /// Counts what is missing in many runs, several at a time, beside busy threads.
  private static func misses(in runs: Int, of names: [String]) async throws -> [String: Int] {
    let busy = BusyThreads()
    busy.start(2)
    defer { busy.stop() }
    return try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var missing: [String] = []
          for _ in 0..<runs / 4 { missing += try await Self.missing(names) }
          return missing
        }
      }
      return try await group.reduce(into: [:]) { counts, missing in
        for state in missing { counts[state, default: 0] += 1 }
      }
    }
  }

  /// A loop that listens too late misses a state in about one of a thousand runs.
  @Test("no loop misses a state in ten thousand runs, with those of the next test")
  func noLoopMissesStateInTenThousandRuns() async throws {
    #expect(try await Self.misses(in: 9_000, of: ["raw", "bind", "react"]) == [:])
  }

  @Test("a loop on the main actor misses no state, though it has to get there first")
  func mainActor() async throws {
    #expect(try await Self.misses(in: 1_000, of: ["main", "raw"]) == [:])
  }
}
