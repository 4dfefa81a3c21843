import Dispatch
import Foundation
import Synchronization

/// A thread that runs jobs one after the other: the executor of an actor that waits for the disk.
///
/// SQLite blocks, so that neither the shared pool's threads nor the caller's may run it. The thread
/// ends when nobody refers to this any more.
final class StoreThread: SerialExecutor, Sendable {
  private let inbox: ThreadInbox
  /// Whose thread it is; the thread lives at least as long as this.
  private let thread: ObjectIdentifier

  init(name: String) {
    let inbox = ThreadInbox()
    self.inbox = inbox
    let thread = Thread { inbox.run() }
    self.thread = ObjectIdentifier(thread)
    thread.name = name
    // Values are walked up to 512 levels deep, which takes 2 MiB of stack in debug builds.
    thread.stackSize = 8 << 20
    thread.start()
  }

  deinit {
    inbox.stop()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    inbox.add(.job(UnownedJob(job), asUnownedSerialExecutor()))
  }

  func checkIsolated() {
    precondition(
      ObjectIdentifier(Thread.current) == thread, "this belongs to the store's own thread")
  }

  /// Runs a closure after everything that was enqueued before.
  func call(_ body: @escaping @Sendable () -> Void) {
    inbox.add(.call(body))
  }

  /// Runs a closure after a time, unless the thread has ended by then.
  func call(after milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
    let inbox = inbox
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      inbox.add(.call(body))
    }
  }
}

/// What a thread has to do, in order.
final class ThreadInbox: Sendable {
  enum Work: Sendable {
    case job(UnownedJob, UnownedSerialExecutor)
    case call(@Sendable () -> Void)
  }

  private struct State {
    var work: [Work] = []
    var isStopped = false
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)

  /// Adds work; once it was stopped, work is left undone.
  func add(_ work: Work) {
    let isFirst = state.withLock { state in
      state.work.append(work)
      return state.work.count == 1
    }
    if isFirst { wake.signal() }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    wake.signal()
  }

  /// Works until it is stopped and nothing is left.
  func run() {
    while true {
      wake.wait()
      let (work, isStopped) = state.withLock { state in
        defer { state.work = [] }
        return (state.work, state.isStopped)
      }
      for item in work {
        switch item {
        case .job(let job, let executor): job.runSynchronously(on: executor)
        case .call(let body): body()
        }
      }
      if isStopped { return }
    }
  }
}
