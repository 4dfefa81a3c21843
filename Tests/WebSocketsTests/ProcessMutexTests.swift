import Dispatch
import Foundation
import Synchronization
import Testing

@testable import WebSockets

@Suite("A lock that a forked child has anew", .timeLimit(.minutes(10)))
struct ProcessMutexTests {
  private final class Process: Sendable {
    let forks = Atomic(0)
  }

  @Test("does not wait in the child for a thread that is not there, and has the first value")
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
