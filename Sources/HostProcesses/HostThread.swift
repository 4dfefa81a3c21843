#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What threads need on which reducers run, or hosts are watched.
package enum HostThread {
  /// As large as a main thread's, so that what does not run out of stack in the app does not run out
  /// of it in a host.
  private static let stackBytes = 8 << 20

  /// Starts a thread that nobody waits for; false when the system gives none.
  package static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    WorkerThread.start(stackBytes: stackBytes, run)
  }

  /// Writing to a pipe that nobody reads answers with an error on this thread, whatever the app has
  /// decided about the signal.
  package static func blockPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
