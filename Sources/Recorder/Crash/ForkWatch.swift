public import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Knows whether this process was made by `fork()` from the one that recorded.
///
/// In a child no thread but the one that forked exists, and locks may be held by threads that do
/// not: whatever was made before the fork must not be touched any more. Everything that records
/// keeps the ``generation`` it was made in and does nothing in another one.
@usableFromInline
package enum ForkWatch {
  @usableFromInline static let counter = Atomic(0)
  private static let isInstalled = Atomic(false)

  /// How many forks lie between this process and the first one that watched.
  @inlinable
  package static var generation: Int { counter.load(ordering: .relaxed) }

  /// Begins to watch; once is enough.
  package static func install() {
    guard !isInstalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    _ = pthread_atfork(nil, nil, forkWatchInChild)
  }

  fileprivate static func countChild() { counter.add(1, ordering: .relaxed) }
}

/// Runs in the child, on its only thread, before `fork()` returns there.
private func forkWatchInChild() { ForkWatch.countChild() }
