import Dispatch
import Synchronization
import Testing

@testable import TimelineStore

@Suite("who reads next", .timeLimit(.minutes(10)))
struct LookQueueTests {
  @Test("each lane has its turn, however much another one asks")
  func turns() {
    var queue = LookQueue<String>()
    for number in 1...1_000 { queue.add("flood \(number)", to: .session("a")) }
    queue.add("one", to: .session("b"))
    queue.add("hello", to: .recorder)
    queue.add("two", to: .session("b"))
    let order = (1...6).compactMap { _ in queue.next()?.look }
    #expect(order == ["flood 1", "one", "hello", "flood 2", "two", "flood 3"])
    var rest = 0
    while queue.next() != nil { rest += 1 }
    #expect(rest == 997)
    #expect(queue.isEmpty)
  }

  @Test("one lane can be served alone, in its order")
  func alone() {
    var queue = LookQueue<Int>()
    queue.add(1, to: .session("a"))
    #expect(queue.next(of: .recorder) == nil)
    queue.add(2, to: .recorder)
    queue.add(3, to: .recorder)
    #expect(queue.next(of: .recorder) == 2)
    #expect(queue.next(of: .recorder) == 3)
    #expect(queue.next(of: .recorder) == nil)
    #expect(queue.next()?.look == 1)
  }

  @Test("a session has fewer looks at once than there are threads, and others do not wait for it")
  func slowSessions() {
    var queue = LookQueue<Int>(maximumPerSession: 2)
    for number in 1...4 { queue.add(number, to: .session("a")) }
    #expect((1...3).map { _ in queue.next()?.look } == [1, 2, nil])
    queue.add(5, to: .session("b"))
    queue.add(6, to: .daemon)
    #expect((1...3).map { _ in queue.next()?.look } == [5, 6, nil])
    queue.end(of: .session("b"))
    queue.end(of: .daemon)
    #expect(queue.next() == nil)
    queue.end(of: .session("a"))
    #expect((1...2).map { _ in queue.next()?.look } == [3, nil])
    #expect(!queue.isEmpty)
  }

  @Test(
    "a session is not kept waiting by questions of another, all of which are answered in the end")
  func sessions() async throws {
    try await withStore { store in
      let flood = Flood()
      try await flood.cover(store, readers: 3) {
        flood.ask(store, as: "a")
        // All threads that one session may have are busy, and its other questions wait before ours.
        await flood.wait(untilBusy: 2)
        await flood.wait(untilWaiting: 17, in: store)
      } while: {
        let count = try await ReadLane.$current.withValue(.session("b")) {
          try await store.read { try $0.timelines().count }
        }
        #expect(count == 0)
      }
    }
  }

  @Test("a recorder is not kept waiting by questions that take all other threads")
  func recorders() async throws {
    try await withStore { store in
      let flood = Flood()
      try await flood.cover(store, readers: 3) {
        // One session leaves a thread for others; two take all.
        flood.ask(store, as: "a")
        flood.ask(store, as: "b")
        await flood.wait(untilBusy: 3)
      } while: {
        let count = try await ReadLane.$current.withValue(.recorder) {
          try await store.read { try $0.timelines().count }
        }
        #expect(count == 0)
      }
    }
  }
}

/// Questions that keep their threads until they are released.
private final class Flood: Sendable {
  private struct State {
    var tasks: [Task<Void, any Error>] = []
    var busy = 0
    var isReleased = false
  }

  private let state = Mutex(State())
  private let release = DispatchSemaphore(value: 0)

  /// Starts twenty questions of a session.
  func ask(_ store: Store, as session: String) {
    let tasks = (1...20).map { _ in
      Task {
        try await ReadLane.$current.withValue(.session(session)) {
          try await store.read { _ in
            self.state.withLock { $0.busy += 1 }
            self.release.wait()
          }
        }
      }
    }
    state.withLock { $0.tasks += tasks }
  }

  func wait(untilBusy count: Int) async {
    while state.withLock({ $0.busy }) < count { await Task.yield() }
  }

  func wait(untilWaiting count: Int, in store: Store) async {
    while store.readers.waitingCount < count { await Task.yield() }
  }

  /// Asks, and expects that something is done while the questions wait; then they are released.
  func cover(
    _ store: Store, readers: Int, asking: () async -> Void, while body: () async throws -> Void
  ) async throws {
    #expect(StoreOptions().readers == readers)
    await asking()
    // Otherwise a fault would keep the test waiting forever.
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(60)) { self.releaseAll() }
    try await body()
    #expect(!state.withLock { $0.isReleased }, "it waited until the questions were released")
    releaseAll()
    for task in state.withLock({ $0.tasks }) { try await task.value }
  }

  private func releaseAll() {
    let tasks = state.withLock { state in
      defer { state.isReleased = true }
      return state.isReleased ? [] : state.tasks
    }
    for _ in tasks { release.signal() }
  }
}
