#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads that run reducers or watch hosts.
package enum HostThread {
  /// As large as a main thread's, so that a reducer that has enough stack in the app also has enough
  /// in a host.
  private static let stackBytes = 8 << 20

  /// Starts a detached thread; returns false if the system cannot.
  package static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    WorkerThread.start(stackBytes: stackBytes, run)
  }

  /// Makes writing to a closed pipe return an error on this thread, however the app handles SIGPIPE.
  package static func blockPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
