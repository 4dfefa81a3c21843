import StatesCore
import Testing

@Suite("Manual time and execution")
struct ManualTimeTests {
  @Test("sleepers wake in the order of their deadlines, each at its own time")
  func sleepersWakeInOrderOfDeadlines() {
    let executor = ManualExecutor()
    let clock = ManualClock()
    let log = FeedbackLog<String>()
    for seconds in [3, 1, 2, 1] {
      _ = Task(executorPreference: executor) {
        try await clock.sleep(for: .seconds(seconds))
        log("\(seconds) at \(clock.now.offset)")
      }
    }
    executor.drain()
    #expect(clock.sleeperCount == 4)
    #expect(clock.nextDeadline == ManualClock.Instant(offset: .seconds(1)))
    clock.advance(by: .seconds(2), draining: executor)
    #expect(log.removeAll() == ["1 at 1.0 seconds", "1 at 1.0 seconds", "2 at 2.0 seconds"])
    clock.advance(by: .seconds(9))
    executor.drain()
    #expect(log.removeAll() == ["3 at 11.0 seconds"])
  }

  @Test("a task that sleeps repeatedly wakes as often as in real time")
  func taskThatSleepsRepeatedlyWakesAsOften() {
    let executor = ManualExecutor()
    let clock = ManualClock()
    let log = FeedbackLog<Duration>()
    let task = Task(executorPreference: executor) {
      while true {
        try await clock.sleep(for: .seconds(1))
        log(clock.now.offset)
      }
    }
    clock.advance(by: .seconds(4), draining: executor)
    #expect(log.all == [1, 2, 3, 4].map { .seconds($0) })
    task.cancel()
    executor.drain()
    #expect(clock.sleeperCount == 0)
  }

  @Test("sleeping ends when the task is canceled, and not at all for a deadline in the past")
  func sleepingEndsWhenTaskIsCanceled() async throws {
    let executor = ManualExecutor()
    let clock = ManualClock()
    try await clock.sleep(until: clock.now)
    let task = Task(executorPreference: executor) { try await clock.sleep(for: .seconds(1)) }
    executor.drain()
    task.cancel()
    executor.drain()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test("an executor runs nothing by itself, and stops at the limit")
  func executorRunsNothingByItself() async {
    let executor = ManualExecutor()
    let task = Task(executorPreference: executor) {
      while !Task.isCancelled { await Task.yield() }
    }
    #expect(executor.count == 1)
    #expect(executor.drain(limit: 10) == 10)
    #expect(executor.count == 1)
    task.cancel()
    executor.drain()
    #expect(!executor.step())
    await task.value
  }
}
