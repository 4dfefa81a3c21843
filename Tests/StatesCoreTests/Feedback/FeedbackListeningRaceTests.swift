import Foundation
import StatesCore
import Synchronization
import TestSupport
import Testing

/// Every loop gets every state, also when threads are taken away from it: real threads, and more of
/// them than there are processors.
@Suite("Which states a loop gets on the shared pool")
struct FeedbackListeningRaceTests {
  /// Each event leads to the state with the next serial number.
  private struct State: Sendable {
    var serial = 0
    var number = 0
    var ended: Set<FeedbackKind> = []

    static func next(_ state: State, _ event: Event) -> State {
      var next = state
      next.serial += 1
      switch event {
      case .next: next.number += 1
      case .ended(let kind): next.ended.insert(kind)
      }
      return next
    }
  }

  private enum Event: Sendable {
    case next
    case ended(FeedbackKind)
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

  /// A loop that notes what it receives, and reports the last number.
  private static func loop(
    _ kind: FeedbackKind, _ owner: FeedbackKind.Owner, _ log: FeedbackLog<Int>
  ) -> Feedback<State, Event>? {
    let receiving: Feedback<State, Event>? = kind.loop(owner: owner) { state, emit in
      log(state.serial)
      if state.number == last, !state.ended.contains(kind) { emit(.ended(kind)) }
    }
    return receiving
      ?? kind.loop(requesting: \.number, upTo: last) { number, emit in
        log(number)
        if number == last { emit(.ended(kind)) }
      }
  }

  /// Whether a loop received what a loop of its kind does.
  ///
  /// The run ends when the outside has a state; the loops may have received later ones by then.
  private static func isComplete(_ received: [Int], _ kind: FeedbackKind) -> Bool {
    switch kind.delivery {
    case .states: received.count > last && received == Array(received.indices)
    case .values: received == Array(0...last)
    case .effects: received.sorted() == Array(0...last)
    case .last: received == [last]
    }
  }

  /// Runs a system that has events before its loops listen; what its loops received if that is not
  /// what they should receive.
  private static func wrongs(_ kinds: [FeedbackKind]) async throws -> [String] {
    let logs = kinds.map { _ in FeedbackLog<Int>() }
    let outside = FeedbackLog<Int>()
    let owner = FeedbackKind.Owner()
    let run = FeedbackSystem(
      initialState: State(), reduce: State.next,
      feedback: zip(kinds, logs).compactMap { loop($0, owner, $1) }
    ).makeRun()
    for _ in 0..<last { run.send(.next) }
    do {
      try await run.forEachState {
        outside($0.serial)
        if $0.ended.count == kinds.count { throw Done() }
      }
    } catch is Done {}
    let wrong = zip(kinds, logs).filter { !isComplete($1.all, $0) }
      .map { "\($0) \($1.all)" }
    return withExtendedLifetime(owner) {
      wrong + (outside.all == Array(outside.all.indices) ? [] : ["outside \(outside.all)"])
    }
  }

  /// Counts what is wrong in many runs, several at a time, beside busy threads.
  ///
  /// Each run has five kinds, and each kind is in a third of the runs.
  private static func wrongs(in runs: Int) async throws -> [String: Int] {
    let kinds = FeedbackKind.allCases
    let busy = BusyThreads()
    busy.start(2)
    defer { busy.stop() }
    return try await withThrowingTaskGroup(of: [String].self) { group in
      for first in 0..<4 {
        group.addTask {
          var wrong: [String] = []
          for number in stride(from: first, to: runs, by: 4) {
            // Each kind is the first to start, and the last, in some runs.
            let turn = number % kinds.count
            wrong += try await Self.wrongs(Array((kinds[turn...] + kinds[..<turn]).prefix(5)))
          }
          return wrong
        }
      }
      return try await group.reduce(into: [:]) { counts, wrong in
        for received in wrong { counts[received, default: 0] += 1 }
      }
    }
  }

  /// A loop that listens too late misses a state in about one of a thousand runs.
  @Test("every kind of loop receives each state once and in order, in ten thousand runs")
  func eachStateOnceInTenThousandRuns() async throws {
    let wrong = try await Self.wrongs(in: 10_000)
    #expect(wrong.isEmpty, "\(wrong.sorted { $0.value > $1.value }.prefix(9))")
  }
}
