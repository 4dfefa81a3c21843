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
/// Work goes into an inbox. The thread is woken if it may be asleep, and empties the inbox after each
/// round of the library. Work that arrives after the loop has stopped runs serially on a dispatch
/// queue, so that code which awaits the loop never hangs.
package final class LoopExecutor: SerialExecutor {
  enum Work {
    case job(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  private struct State {
    var inbox: [Work] = []
    /// The context to wake, while it exists.
    var context: Context?
    var isStopped = false
  }

  private let state = Mutex(State())
  /// Whether the thread is emptying the inbox.
  private let isWorking = Atomic(false)
  /// The serving thread's number; 0 before it runs and after it ended.
  private let thread = Atomic<UInt>(0)
  private let fallbackQueue = DispatchQueue(label: "WebSockets.Loop.stopped")
  private static let fallbackQueueKey = DispatchSpecificKey<ObjectIdentifier>()

  init() {
    fallbackQueue.setSpecific(key: Self.fallbackQueueKey, value: ObjectIdentifier(self))
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
    return DispatchQueue.getSpecific(key: Self.fallbackQueueKey) == ObjectIdentifier(self)
  }

  func add(_ work: Work) {
    let isTooLate = state.withLock { state in
      guard !state.isStopped else { return true }
      state.inbox.append(work)
      // The first addition wakes the thread, which takes all work. Work that adds work does not
      // have to wake it, because the inbox is checked before the library is called. A callback
      // does, because the library may call back just before it sleeps. The context cannot be
      // destroyed meanwhile: it is removed under the same lock.
      if state.inbox.count == 1, !(isWorking.load(ordering: .relaxed) && isCurrent) {
        state.context?.wake()
      }
      return false
    }
    if isTooLate { fallbackQueue.async { self.perform(work) } }
  }

  /// Makes the calling thread the one that serves the context.
  func claim(_ context: Context) {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    state.withLock { $0.context = context }
  }

  private func removeInbox() -> [Work] {
    state.withLock { state in
      guard !state.inbox.isEmpty else { return [] }
      let inbox = state.inbox
      state.inbox = []
      state.inbox.reserveCapacity(min(inbox.count, 64))
      return inbox
    }
  }

  /// Runs all waiting work, on the loop's thread.
  func work() {
    isWorking.store(true, ordering: .relaxed)
    for work in removeInbox() { perform(work) }
    isWorking.store(false, ordering: .relaxed)
  }

  /// Makes the library return from its wait.
  func wake() {
    state.withLock { $0.context?.wake() }
  }

  var hasWork: Bool { state.withLock { !$0.inbox.isEmpty } }

  /// Removes the context before it is destroyed.
  func detach() {
    state.withLock { $0.context = nil }
  }

  /// Ends the thread's role unless work is waiting.
  ///
  /// - Returns: Whether it ended; otherwise there is work.
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
/// Safe: `@unchecked` because it is created before the loop's thread starts, used on that thread, and
/// elsewhere only to wake it, which the library allows during the lifetime of the context.
struct Context: @unchecked Sendable {
  let pointer: OpaquePointer

  /// Makes the library return from its current or next wait.
  func wake() { lws_cancel_service(pointer) }
}
