#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Preserves the process's disposition of SIGPIPE.
///
/// Creating a context makes the library ignore the signal. An app may rely on the default (like a
/// filter in a pipeline) or on its own handler.
enum BrokenPipeSignal {
  /// Without the lock, loops that start at the same time would restore each other's change.
  static let turn = ProcessMutex(())

  /// Runs a closure that changes the disposition, and restores it.
  static func preserving<Value: Sendable>(_ body: () -> Value) -> Value {
    turn.withLock { _ in
      var before = sigaction()
      // Safe: both calls copy the structure, which outlives them.
      let isKnown = sigaction(SIGPIPE, nil, &before) == 0
      defer { if isKnown { sigaction(SIGPIPE, &before, nil) } }
      return body()
    }
  }

  /// Runs a closure with the app's signals blocked, so that a thread it starts never receives one.
  ///
  /// TLS writes to its socket without the flag that prevents SIGPIPE. The signal goes to the thread
  /// that wrote, where it stays blocked.
  static func blockingSignals<Value>(_ body: () -> Value) -> Value {
    var blocked = sigset_t()
    var before = sigset_t()
    // Safe: the sets are locals that the calls fill or copy.
    sigfillset(&blocked)
    // SIGPROF stays unblocked: Swift's runtime stops threads with it to report a crash.
    for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF] {
      sigdelset(&blocked, signal)
    }
    pthread_sigmask(SIG_SETMASK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }
}
