#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Leaves the signals of the process to the app.
///
/// A thread that nobody but us knows must not take a signal which the app waits for elsewhere, and
/// what we write must not end a program that writes nothing of the kind itself.
///
/// ```swift
/// let count = SignalShield.writing { write(descriptor, bytes, bytes.count) }
/// if count < 0, errno == EPIPE { … }
/// ```
package enum SignalShield {
  /// What an instruction raises: it must find the handler of the thread that runs it. And what
  /// profilers send, and Swift's runtime when it stops all threads to tell of a crash.
  private static let faults = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF]

  /// Runs something with all signals blocked that are for the app to handle: a thread that it starts
  /// never receives one, for it begins with what is blocked here.
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

  /// What the system sends to a thread that writes where nobody reads, or beyond the limit for files.
  private static let refusals = [SIGPIPE, SIGXFSZ]

  /// Runs something that writes, on any thread: a signal by which the system refuses it has no effect,
  /// whatever the app has decided about it. One that was pending before still is.
  ///
  /// `errno` is what `body` left.
  package static func writing<Value>(_ body: () -> Value) -> Value {
    var blocked = sigset_t()
    var before = sigset_t()
    // Safe: the sets are locals that the calls fill or copy.
    sigemptyset(&blocked)
    for signal in refusals { sigaddset(&blocked, signal) }
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    let waiting = pending()
    let value = body()
    let problem = errno
    let raised = pending()
    for signal in refusals where raised.contains(signal) && !waiting.contains(signal) {
      take(signal)
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = problem
    return value
  }

  /// Those of the refusals that wait until they are not blocked any more.
  private static func pending() -> [Int32] {
    var signals = sigset_t()
    // Safe: the set is a local that the call fills.
    guard sigpending(&signals) == 0 else { return [] }
    return refusals.filter { sigismember(&signals, $0) == 1 }
  }

  /// Takes a signal that is pending, without waiting for one.
  private static func take(_ signal: Int32) {
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
