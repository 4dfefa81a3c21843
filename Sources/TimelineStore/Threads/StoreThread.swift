import Dispatch
import Foundation
import Synchronization

/// A thread that runs jobs in order: the executor of an actor that waits for the disk.
///
/// SQLite blocks, so neither the shared pool's threads nor the caller's may run it. The thread ends
/// when this is released.
final class StoreThread: SerialExecutor, Sendable {
  private enum Place {
    /// The thread lives at least as long as this.
    case thread(ThreadInbox, ObjectIdentifier)
    case runner(any StoreRunner, queue: String)
  }

  private let place: Place

  /// A thread with that name, or a queue of the runner if there is one.
  init(name: String, runner: (any StoreRunner)? = nil) {
    if let runner {
      place = .runner(runner, queue: name)
      return
    }
    let inbox = ThreadInbox()
    let thread = Thread { inbox.run() }
    place = .thread(inbox, ObjectIdentifier(thread))
    thread.name = name
    // Values are traversed up to 512 levels deep, which takes 2 MiB of stack in debug builds.
    thread.stackSize = 8 << 20
    thread.start()
  }

  deinit {
    if case .thread(let inbox, _) = place { inbox.stop() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    switch place {
    case .thread(let inbox, _): inbox.add(.job(job, asUnownedSerialExecutor()))
    case .runner(let runner, let queue):
      runner.run(on: queue) { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  func checkIsolated() {
    guard case .thread(_, let thread) = place else { return }
    precondition(
      ObjectIdentifier(Thread.current) == thread, "this belongs to the store's own thread")
  }

  /// Runs a closure after everything that was enqueued before.
  func call(_ body: @escaping @Sendable () -> Void) {
    switch place {
    case .thread(let inbox, _): inbox.add(.call(body))
    case .runner(let runner, let queue): runner.run(on: queue, body)
    }
  }

  /// Runs a closure after a delay, unless the thread has ended by then.
  func call(after milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
    guard case .thread(let inbox, _) = place else {
      if case .runner(let runner, let queue) = place {
        runner.run(on: queue, after: .milliseconds(milliseconds), body)
      }
      return
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      inbox.add(.call(body))
    }
  }
}

/// The work of a thread, in order.
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

  /// Adds work; ignored after the thread was stopped.
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

  /// Runs work until it is stopped and nothing is left.
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
