import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The handler of fatal signals, installed in front of the previous one.
///
/// Afterwards it restores the previous handler and raises the signal again: a fault by returning to
/// the instruction that caused it, other signals with `raise`. Exit status, core file, and the
/// runtime's own backtrace stay the same.
enum FatalSignals {
  /// The signals of traps, failed assertions, and invalid pointers.
  static let all = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// An upper bound for the signal numbers.
  private static let places = 32

  // Safe: `nonisolated(unsafe)` because each element is written once, under the lock of `install`
  // and before the handler that reads it is installed, and is never freed.
  fileprivate nonisolated(unsafe) static let before =
    {
      let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: places)
      actions.initialize(repeating: sigaction(), count: places)
      return actions
    }()

  // Safe: read and written as one word. The watch is retained forever when it is stored, because a
  // handler may read it at any time.
  fileprivate static let watch = Atomic<UInt>(0)

  private static let isInstalled = ForkResetMutex(false)

  /// Installs the handlers. A later watch replaces an earlier one.
  static func install(for newWatch: CrashWatch) {
    // Safe: retained forever, because a handler may read it at any time.
    watch.store(
      UInt(bitPattern: Unmanaged.passRetained(newWatch).toOpaque()), ordering: .releasing)
    isInstalled.withLock { isInstalled in
      guard !isInstalled else { return }
      isInstalled = true
      unblockAbort()
      installAlternateStack()
      var action = sigaction()
      #if canImport(Darwin)
        action.__sigaction_u.__sa_sigaction = fatalSignalHandler
      #else
        action.__sigaction_handler.sa_sigaction = fatalSignalHandler
      #endif
      sigemptyset(&action.sa_mask)
      // Use the alternate stack if the thread has one, because the crash may be a stack overflow.
      action.sa_flags = SA_SIGINFO | Int32(SA_ONSTACK)
      for signal in all {
        var old = sigaction()
        sigaction(signal, nil, &old)
        // A forked child may have inherited the handler. Ignored signals do not end the program.
        guard !isOurs(old), address(of: old) != ignoring else { continue }
        before[Int(signal)] = old
        sigaction(signal, &action, nil)
      }
    }
  }

  /// Lets `SIGABRT` reach this thread, and those that it starts.
  ///
  /// `abort()` of glibc 2.41 no longer unblocks the signal before it raises it. A thread that blocks
  /// it, such as the main one of a program whose parent did, would end without calling the handler.
  private static func unblockAbort() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGABRT)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// The value of `SIG_IGN`, on every platform.
  private static let ignoring: UInt = 1

  /// Whether an action's handler is this one.
  private static func isOurs(_ action: sigaction) -> Bool {
    // Safe: the address of a C function, which is only compared.
    let ours:
      @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) ->
        Void = fatalSignalHandler
    return address(of: action) == unsafeBitCast(ours, to: UInt.self)
  }

  /// The address of an action's handler, or `SIG_IGN` or `SIG_DFL`.
  private static func address(of action: sigaction) -> UInt {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_sigaction
    #else
      let handler = action.__sigaction_handler.sa_sigaction
    #endif
    // Safe: the address of a C function, or null, which is only compared.
    return unsafeBitCast(handler, to: UInt.self)
  }

  /// Gives this thread, usually the main one, an alternate stack if it has none, so that a stack
  /// overflow is recorded, too. Threads that were started earlier without one have none.
  private static func installAlternateStack() {
    var old = stack_t()
    guard sigaltstack(nil, &old) == 0, old.ss_flags & Int32(bitPattern: UInt32(SS_DISABLE)) != 0
    else {
      return
    }
    // Large enough for this handler and the runtime's. Never freed: it may be in use until the
    // process ends.
    let size = 128 << 10
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    stack.ss_size = size
    sigaltstack(&stack, nil)
  }
}

/// May interrupt anything: see ``CrashWatch/waitForRescue()``.
private func fatalSignalHandler(
  _ signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
  let code = errno
  if let address = UnsafeRawPointer(
    bitPattern: FatalSignals.watch.load(ordering: .acquiring))
  {
    // Safe: the watch was retained forever when its address was stored.
    Unmanaged<CrashWatch>.fromOpaque(address).takeUnretainedValue().waitForRescue()
  }
  sigaction(signal, FatalSignals.before + Int(signal), nil)
  // A fault is raised again by the instruction that caused it. Signals that were sent, and
  // breakpoints, after which the program would continue, are raised again: they arrive when this
  // returns.
  let isFault = (info?.pointee.si_code ?? 0) > 0 && signal != SIGTRAP
  if !isFault { raise(signal) }
  errno = code
}
