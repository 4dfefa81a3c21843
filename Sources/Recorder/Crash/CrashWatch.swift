import HostProcesses
import Replaying
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Gives recorders a moment to save what they have when the program dies.
///
/// The handler of a fatal signal does next to nothing, for it may interrupt anything: it writes one
/// byte into a pipe and waits, at most 250 ms. A thread that has slept since the watch began wakes
/// from that, on sound ground, and asks the recorders to append the event that was being handled
/// and to hand everything over. Then the handler that was there before does what it would have done.
package final class CrashWatch: Sendable {
  /// How long a dying program is held up, in milliseconds: an entry and a batch take a few, and a
  /// person does not notice it.
  private let patience = Atomic(250)

  /// What a recorder does: it is given the thread that died, begins, and answers how to wait for its
  /// end in the time there is.
  package typealias Rescue = @Sendable (_ thread: UInt) -> Rescuing

  /// Waits for the end of what was begun, and has the operating system take it.
  package typealias Rescuing = @Sendable (_ time: Duration) -> Void

  private static let current = ProcessMutex<CrashWatch?>(nil)

  /// The watch of this process, which begins with the first question for it; `nil` when the system
  /// has no pipe or thread left for it.
  package static var shared: CrashWatch? {
    current.withLock { watch in
      if watch == nil { watch = CrashWatch() }
      return watch
    }
  }

  /// The process that it watches.
  let generation = ForkWatch.generation
  private let rescues = ForkSafeMutex<[Int: Rescue]>([:])
  private let count = Atomic(0)
  private let lastID = Atomic(0)
  /// The thread that died, or 0.
  private let victim = Atomic<UInt>(0)
  private let isOver = Atomic(false)
  private let reading: Int32
  private let writing: Int32

  private init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guard WorkerThread.start({ [self] in waitForDeath() }) else {
      for end in ends { close(end) }
      return nil
    }
    FatalSignals.install(for: self)
  }

  /// Asks for a moment when the program dies, until ``end(_:)`` is called with the answer.
  package func begin(_ rescue: @escaping Rescue) -> Int {
    let id = lastID.add(1, ordering: .relaxed).newValue
    rescues.withLock { $0[id] = rescue }
    count.add(1, ordering: .releasing)
    return id
  }

  /// Asks for it no more.
  package func end(_ id: Int) {
    let wasThere = rescues.withLock { $0.removeValue(forKey: id) != nil }
    if wasThere { count.subtract(1, ordering: .releasing) }
  }

  /// Holds a dying program up for longer, as tests do on busy machines.
  package func wait(forAtMost milliseconds: Int) {
    patience.store(milliseconds, ordering: .relaxed)
  }

  /// Called by the handler of a fatal signal, on the thread that dies.
  ///
  /// Atomics and calls that POSIX allows in a handler, nothing else.
  func heldUp() {
    guard generation == ForkWatch.generation, count.load(ordering: .acquiring) > 0 else { return }
    let thread = ThreadIdentity.current
    let isFirst = victim.compareExchange(
      expected: 0, desired: thread, ordering: .acquiringAndReleasing
    ).exchanged
    if isFirst {
      var byte: UInt8 = 1
      // Safe: one byte of a local is lent for the call.
      _ = write(writing, &byte, 1)
    }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let start = time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    // A little longer than the rescuers have, so that they end before they are cut off.
    while !isOver.load(ordering: .acquiring) {
      clock_gettime(CLOCK_MONOTONIC, &time)
      let waited = time.tv_sec * 1_000 + time.tv_nsec / 1_000_000 - start
      guard waited < patience.load(ordering: .relaxed) else { return }
      _ = poll(nil, 0, 1)
    }
  }

  private func waitForDeath() {
    var byte: UInt8 = 0
    // Safe: one byte of a local is lent for the call.
    while read(reading, &byte, 1) < 0, errno == EINTR {}
    let thread = victim.load(ordering: .acquiring)
    let end =
      monotonicTime() + .milliseconds(patience.load(ordering: .relaxed)) - .milliseconds(10)
    let rescues = rescues.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
    // All begin before any is waited for, and none takes the time of those behind it.
    let begun = rescues.map { $0(thread) }
    for (index, rescuing) in begun.enumerated() {
      rescuing(max(.zero, end - monotonicTime()) / (begun.count - index))
    }
    isOver.store(true, ordering: .releasing)
  }
}
