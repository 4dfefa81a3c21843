public import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Detects whether this process was forked from one that records.
///
/// A forked child has only the thread that forked, and locks may be held by threads that do not
/// exist there. Nothing from before the fork may be used. Everything that records stores the
/// ``generation`` in which it was created, and does nothing in another one.
@usableFromInline
package enum ForkWatch {
  @usableFromInline static let counter = Atomic(0)
  private static let isInstalled = Atomic(false)

  /// The number of forks between this process and the first one that called `install`.
  @inlinable
  package static var generation: Int { counter.load(ordering: .relaxed) }

  /// Starts to count forks. Further calls do nothing.
  package static func install() {
    guard !isInstalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    _ = pthread_atfork(nil, nil, forkWatchInChild)
  }

  fileprivate static func countChild() { counter.add(1, ordering: .relaxed) }
}

/// Runs in the child, on its only thread, before `fork()` returns there.
private func forkWatchInChild() { ForkWatch.countChild() }
