import Dispatch
import Foundation
import Synchronization
import Testing

@testable import WebSockets

@Suite("A lock that a forked child starts again with", .timeLimit(.minutes(10)))
struct ProcessMutexTests {
  private final class Process: Sendable {
    let forks = Atomic(0)
  }

  @Test(
    "has its initial value in the child, and does not wait for a thread that does not exist there")
  func child() {
    let process = Process()
    let mutex = ProcessMutex(1) { process.forks.load(ordering: .relaxed) }
    let (isHeld, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      mutex.withLock { value in
        value = 2
        isHeld.signal()
        isOver.wait()
      }
      isHeld.signal()
    }
    isHeld.wait()
    process.forks.add(1, ordering: .relaxed)
    let first = mutex.withLock { value in
      defer { value = 7 }
      return value
    }
    #expect(first == 1)
    #expect(mutex.withLock { $0 } == 7)
    isOver.signal()
    isHeld.wait()
  }
}
