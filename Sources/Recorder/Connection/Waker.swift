import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lets one thread wait until another one wakes it, or until a time.
///
/// It uses a pipe, because any thread and even a signal handler can end a wait on one.
final class Waker: Sendable {
  private let reading: Int32
  private let writing: Int32
  private let isAwake = Atomic(false)

  /// Creates a waker; `nil` when the process has no file descriptors left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Ends the current wait, or the next one.
  func wake() {
    guard !isAwake.exchange(true, ordering: .acquiringAndReleasing) else { return }
    _ = [UInt8(1)].withUnsafeBytes { write(writing, $0.baseAddress, 1) }
  }

  /// Waits until ``wake()`` is called or the time is up. Returns whether it was woken.
  @discardableResult
  func wait(_ time: Duration?) -> Bool {
    var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    let isWoken = poll(&descriptor, 1, time.map(\.pollMilliseconds) ?? -1) != 0
    // Cleared before the caller checks for work, so that no later wake is missed.
    var bytes = [UInt8](repeating: 0, count: 16)
    // Safe: the buffer is lent for the call, with its size.
    while bytes.withUnsafeMutableBytes({ read(reading, $0.baseAddress, $0.count) }) > 0 {}
    isAwake.store(false, ordering: .releasing)
    return isWoken
  }
}

extension Duration {
  /// Whole milliseconds, rounded up, as `poll` expects them.
  fileprivate var pollMilliseconds: Int32 {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = components
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    return Int32(seconds) * 1_000
      + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
