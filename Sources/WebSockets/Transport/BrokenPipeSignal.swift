#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Keeps the process's treatment of SIGPIPE out of our hands.
///
/// The library sets it to ignored when a context is made. An app may count on the default (as a
/// filter in a pipeline does) or on a handler of its own.
enum BrokenPipeSignal {
  /// Loops that start at the same time would otherwise put each other's change back.
  private static let turn = ProcessMutex(())

  /// Runs something that changes the disposition, and puts it back.
  static func preserving<Value: Sendable>(_ body: () -> Value) -> Value {
    turn.withLock { _ in
      var before = sigaction()
      // Safe: both calls copy the structure, which outlives them.
      let isKnown = sigaction(SIGPIPE, nil, &before) == 0
      defer { if isKnown { sigaction(SIGPIPE, &before, nil) } }
      return body()
    }
  }

  /// Runs something with all signals blocked that are for the app to handle, so that a thread it
  /// starts never receives one.
  ///
  /// TLS writes to its socket without the flag that prevents SIGPIPE; the signal goes to the thread
  /// that wrote, and there it stays blocked.
  static func blockingSignals<Value>(_ body: () -> Value) -> Value {
    var blocked = sigset_t()
    var before = sigset_t()
    // Safe: the sets are locals that the calls fill or copy.
    sigfillset(&blocked)
    // What profilers send stays open, for Swift's runtime stops threads by it to tell of a crash.
    for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF] {
      sigdelset(&blocked, signal)
    }
    pthread_sigmask(SIG_SETMASK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }
}
