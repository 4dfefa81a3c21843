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

/// Gives recorders time to save their entries when the program crashes.
///
/// The handler of a fatal signal may interrupt anything, so it only writes one byte into a pipe and
/// waits, at most 250 ms. That wakes a thread that has slept since the watch began. The thread asks
/// the recorders to append the event that was being handled and to deliver everything. Then the
/// previous signal handler runs.
package final class CrashWatch: Sendable {
  /// How long a crashing program waits, in milliseconds: an entry and a batch take a few, and a
  /// person does not notice 250.
  private let patience = Atomic(250)
  /// The part of that time for the recorders, so that they can report what is left before the
  /// program ends.
  private let rescueTime = Atomic(200)

  /// Starts the rescue of a recorder, with the thread that crashed. Returns how to finish it.
  package typealias Rescue = @Sendable (_ thread: UInt) -> Rescuing

  /// Waits for the rescue to finish within a time, and passes everything to the operating system.
  package typealias Rescuing = @Sendable (_ time: Duration) -> Void

  private static let current = ForkResetMutex<CrashWatch?>(nil)

  /// The watch of this process, created on first use; `nil` if the system has no pipe or thread
  /// left.
  package static var shared: CrashWatch? {
    current.withLock { watch in
      if watch == nil { watch = CrashWatch() }
      return watch
    }
  }

  let generation = ForkWatch.generation
  private let rescues = ForkSafeMutex<[Int: Rescue]>([:])
  private let count = Atomic(0)
  private let lastID = Atomic(0)
  /// The thread that crashed, or 0.
  private let crashedThread = Atomic<UInt>(0)
  private let isOver = Atomic(false)
  private let reading: Int32
  private let writing: Int32

  private init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guard WorkerThread.start({ [self] in waitForCrash() }) else {
      for end in ends { close(end) }
      return nil
    }
    FatalSignals.install(for: self)
  }

  /// Registers a rescue. Returns the id for ``end(_:)``.
  package func begin(_ rescue: @escaping Rescue) -> Int {
    let id = lastID.add(1, ordering: .relaxed).newValue
    rescues.withLock { $0[id] = rescue }
    count.add(1, ordering: .releasing)
    return id
  }

  /// Removes a rescue.
  package func end(_ id: Int) {
    let wasThere = rescues.withLock { $0.removeValue(forKey: id) != nil }
    if wasThere { count.subtract(1, ordering: .releasing) }
  }

  /// Changes how long a crashing program waits, for tests on busy machines. The default time for
  /// the recorders is four fifths of it.
  package func wait(forAtMost milliseconds: Int, rescuing rescueMilliseconds: Int? = nil) {
    patience.store(milliseconds, ordering: .relaxed)
    rescueTime.store(rescueMilliseconds ?? milliseconds * 4 / 5, ordering: .relaxed)
  }

  /// Called by the handler of a fatal signal, on the thread that crashed.
  ///
  /// It must only use atomics and functions that POSIX allows in a signal handler.
  func waitForRescue() {
    guard generation == ForkWatch.generation, count.load(ordering: .acquiring) > 0 else { return }
    let thread = ThreadIdentity.current
    let isFirst = crashedThread.compareExchange(
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
    // Longer than the recorders have, so that they report before the process ends.
    while !isOver.load(ordering: .acquiring) {
      clock_gettime(CLOCK_MONOTONIC, &time)
      let waited = time.tv_sec * 1_000 + time.tv_nsec / 1_000_000 - start
      guard waited < patience.load(ordering: .relaxed) else { return }
      _ = poll(nil, 0, 1)
    }
  }

  private func waitForCrash() {
    var byte: UInt8 = 0
    // Safe: one byte of a local is lent for the call.
    while read(reading, &byte, 1) < 0, errno == EINTR {}
    let thread = crashedThread.load(ordering: .acquiring)
    let end = monotonicTime() + .milliseconds(rescueTime.load(ordering: .relaxed))
    let rescues = rescues.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
    // Start all before waiting for any, and divide the remaining time equally.
    let begun = rescues.map { $0(thread) }
    for (index, rescuing) in begun.enumerated() {
      rescuing(max(.zero, end - monotonicTime()) / (begun.count - index))
    }
    isOver.store(true, ordering: .releasing)
  }
}
