#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Keeps our threads from interfering with the app's signal handling.
///
/// Our threads must not consume a signal that the app waits for on another thread, and our writes
/// must not end a program with SIGPIPE.
///
/// ```swift
/// let count = SignalShield.writing { write(descriptor, bytes, bytes.count) }
/// if count < 0, errno == EPIPE { … }
/// ```
package enum SignalShield {
  /// Signals that stay unblocked: those raised by an instruction, which must reach a handler on the
  /// same thread, and those that profilers and the crash reporter of Swift's runtime send.
  private static let faults = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF]

  /// Runs a closure with the app's signals blocked. A thread that it starts never receives them,
  /// because it inherits the mask.
  package static func blockingSignals<Value>(_ body: () -> Value) -> Value {
    var blocked = sigset_t()
    var before = sigset_t()
    // Safe: the sets are locals that the calls fill or copy.
    sigfillset(&blocked)
    for fault in faults { sigdelset(&blocked, fault) }
    pthread_sigmask(SIG_SETMASK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }

  /// Signals for writing to a closed pipe or beyond the file size limit.
  private static let writeSignals = [SIGPIPE, SIGXFSZ]

  /// Runs a closure that writes, on any thread. Signals that its writes cause have no effect, however
  /// the app handles them. A signal that was already pending stays pending.
  ///
  /// `errno` is unchanged after `body`.
  package static func writing<Value>(_ body: () -> Value) -> Value {
    var blocked = sigset_t()
    var before = sigset_t()
    // Safe: the sets are locals that the calls fill or copy.
    sigemptyset(&blocked)
    for signal in writeSignals { sigaddset(&blocked, signal) }
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    let waiting = pending()
    let value = body()
    let problem = errno
    let raised = pending()
    for signal in writeSignals where raised.contains(signal) && !waiting.contains(signal) {
      consume(signal)
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = problem
    return value
  }

  /// The write signals that are pending.
  private static func pending() -> [Int32] {
    var signals = sigset_t()
    // Safe: the set is a local that the call fills.
    guard sigpending(&signals) == 0 else { return [] }
    return writeSignals.filter { sigismember(&signals, $0) == 1 }
  }

  /// Consumes a pending signal, without waiting for one.
  private static func consume(_ signal: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    #if canImport(Darwin)
      var taken: Int32 = 0
      sigwait(&signals, &taken)
    #else
      var now = timespec()
      // Safe: both are locals that the call only reads.
      while sigtimedwait(&signals, nil, &now) < 0, errno == EINTR {}
    #endif
  }
}
