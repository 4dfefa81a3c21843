internal import CLibWebsockets
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The serial executor of a `Loop`: the one thread that serves the library's context.
///
/// What is enqueued goes into an inbox; the thread is woken when it may be asleep, and empties the
/// inbox after each round of the library. After the loop was stopped, what still comes runs one
/// after the other on a queue of its own: code that awaits the loop never hangs.
package final class LoopExecutor: SerialExecutor {
  /// Something to run on the thread.
  enum Work {
    /// A part of a task.
    case job(UnownedJob)
    /// A closure.
    case closure(@Sendable () -> Void)
  }

  private struct State {
    var inbox: [Work] = []
    /// The context to wake, as long as there is one.
    var context: Context?
    var isStopped = false
  }

  private let state = Mutex(State())
  /// Whether the thread is emptying the inbox.
  private let isWorking = Atomic(false)
  /// The thread that serves, as a number; 0 before it runs and after it ended.
  private let thread = Atomic<UInt>(0)
  private let afterlife = DispatchQueue(label: "WebSockets.Loop.stopped")
  private static let afterlifeMark = DispatchSpecificKey<ObjectIdentifier>()

  init() {
    afterlife.setSpecific(key: Self.afterlifeMark, value: ObjectIdentifier(self))
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    add(.job(UnownedJob(job)))
  }

  package func checkIsolated() {
    precondition(isCurrent, "this code belongs on the network loop: use loop.run or loop.enqueue")
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Whether the caller is on the loop.
  var isCurrent: Bool {
    let thread = thread.load(ordering: .relaxed)
    if thread != 0 { return thread == UInt(pthread_self()) }
    return DispatchQueue.getSpecific(key: Self.afterlifeMark) == ObjectIdentifier(self)
  }

  /// Puts work into the inbox.
  func add(_ work: Work) {
    let isTooLate = state.withLock { state in
      guard !state.isStopped else { return true }
      state.inbox.append(work)
      // The first one wakes the thread; it takes all. What work itself adds needs no waking, as the
      // inbox is looked at before the library is called; but what a callback adds does, as the
      // library may call back just before it sleeps. The context cannot go away meanwhile: it is
      // taken out under the same lock.
      if state.inbox.count == 1, !(isWorking.load(ordering: .relaxed) && isCurrent) {
        state.context?.wake()
      }
      return false
    }
    if isTooLate { afterlife.async { self.perform(work) } }
  }

  /// Says that the calling thread serves that context from now on.
  func claim(_ context: Context) {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    state.withLock { $0.context = context }
  }

  private func takeInbox() -> [Work] {
    state.withLock { state in
      guard !state.inbox.isEmpty else { return [] }
      let inbox = state.inbox
      state.inbox = []
      state.inbox.reserveCapacity(min(inbox.count, 64))
      return inbox
    }
  }

  /// Does all that waits, on the loop's thread.
  func work() {
    isWorking.store(true, ordering: .relaxed)
    for work in takeInbox() { perform(work) }
    isWorking.store(false, ordering: .relaxed)
  }

  /// Has the library return from where it waits.
  func wake() {
    state.withLock { $0.context?.wake() }
  }

  /// Whether anything waits.
  var hasWork: Bool { state.withLock { !$0.inbox.isEmpty } }

  /// The context is about to go away and is woken no more.
  func detach() {
    state.withLock { $0.context = nil }
  }

  /// Ends the thread's part if nothing waits any more.
  ///
  /// - Returns: Whether it has ended; otherwise there is work.
  func finish() -> Bool {
    let isFinished = state.withLock { state in
      guard state.inbox.isEmpty else { return false }
      state.isStopped = true
      return true
    }
    if isFinished { thread.store(0, ordering: .relaxed) }
    return isFinished
  }

  private func perform(_ work: Work) {
    switch work {
    case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
    case .closure(let closure): closure()
    }
  }
}

/// The library's context.
///
/// Safe: `@unchecked` because it is made before the loop's thread begins, used on that thread, and
/// elsewhere only to wake it, which the library allows while the context is there.
struct Context: @unchecked Sendable {
  /// The library's handle.
  let pointer: OpaquePointer

  /// Has the library return from where it waits, or from where it would wait next.
  func wake() { lws_cancel_service(pointer) }
}
