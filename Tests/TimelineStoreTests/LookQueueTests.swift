import Dispatch
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
    let order = (1...6).compactMap { _ in queue.next() }
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
    #expect(queue.next() == 1)
  }

  @Test("a recorder is not kept waiting by questions that take all other threads")
  func recorders() async throws {
    try await withStore { store in
      let (isDone, blocked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let flood = (1...20).map { _ in
        Task {
          try await ReadLane.$current.withValue(.session("a")) {
            try await store.read { _ in
              blocked.signal()
              isDone.wait()
            }
          }
        }
      }
      defer { for _ in flood { isDone.signal() } }
      let count = try await ReadLane.$current.withValue(.recorder) {
        try await store.read { try $0.timelines().count }
      }
      #expect(count == 0)
      for _ in flood { isDone.signal() }
      for task in flood { try await task.value }
    }
  }
}
