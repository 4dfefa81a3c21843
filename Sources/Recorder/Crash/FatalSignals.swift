import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The handler of the signals that end a program, in front of the one that was there.
///
/// When it is done the one before is put back and gets the signal as if nothing had been: a fault
/// happens again where it happened, a signal that was sent is sent again. Exit status, core file and
/// the runtime's own backtrace stay what they were.
enum FatalSignals {
  /// What traps, failed assertions and wild pointers raise.
  static let all = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// One more than the greatest of them.
  private static let places = 32

  // Safe: `nonisolated(unsafe)` because each place is written once, under the lock of the install and
  // before the handler that reads it is there, and never freed.
  fileprivate nonisolated(unsafe) static let before =
    {
      let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: places)
      actions.initialize(repeating: sigaction(), count: places)
      return actions
    }()

  // Safe: as above, but read and written as one word: the watch is retained for good when it is
  // stored, for a handler may look at it at any time.
  fileprivate static let watch = Atomic<UInt>(0)

  private static let isInstalled = ProcessMutex(false)

  /// Puts the handlers in front; a later watch takes the place of an earlier one.
  static func install(for newWatch: CrashWatch) {
    // Safe: retained for good, because a handler may look at it at any time.
    watch.store(
      UInt(bitPattern: Unmanaged.passRetained(newWatch).toOpaque()), ordering: .releasing)
    isInstalled.withLock { isInstalled in
      guard !isInstalled else { return }
      isInstalled = true
      giveStack()
      var action = sigaction()
      #if canImport(Darwin)
        action.__sigaction_u.__sa_sigaction = fatalSignalHandler
      #else
        action.__sigaction_handler.sa_sigaction = fatalSignalHandler
      #endif
      sigemptyset(&action.sa_mask)
      // On the alternate stack where the thread has one: the stack may be what ran out.
      action.sa_flags = SA_SIGINFO | Int32(SA_ONSTACK)
      for signal in all {
        var old = sigaction()
        sigaction(signal, nil, &old)
        // A forked child may have some of them from its parent. Of what is ignored nobody dies.
        guard !isOurs(old), address(of: old) != ignoring else { continue }
        before[Int(signal)] = old
        sigaction(signal, &action, nil)
      }
    }
  }

  /// What stands for ignoring a signal in the place of a handler's address: `SIG_IGN`, everywhere.
  private static let ignoring: UInt = 1

  /// Whether the handler of an action is the one that is put in front.
  private static func isOurs(_ action: sigaction) -> Bool {
    // Safe: the address of a C function, which is only compared.
    let ours:
      @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) ->
        Void = fatalSignalHandler
    return address(of: action) == unsafeBitCast(ours, to: UInt.self)
  }

  /// The address of an action's handler, or what stands in its place.
  private static func address(of action: sigaction) -> UInt {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_sigaction
    #else
      let handler = action.__sigaction_handler.sa_sigaction
    #endif
    // Safe: the address of a C function, or null, which is only compared.
    return unsafeBitCast(handler, to: UInt.self)
  }

  /// Gives this thread, usually the main one, a stack for handlers when it has none, so that running
  /// out of stack is recorded, too. Threads that began without one go without.
  private static func giveStack() {
    var old = stack_t()
    guard sigaltstack(nil, &old) == 0, old.ss_flags & Int32(bitPattern: UInt32(SS_DISABLE)) != 0
    else {
      return
    }
    // Enough for the handler and for one that the runtime may have put behind it. Never freed: it
    // may be in use until the process ends.
    let size = 128 << 10
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    stack.ss_size = size
    sigaltstack(&stack, nil)
  }
}

/// Runs in the middle of anything: see ``CrashWatch/heldUp()``.
private func fatalSignalHandler(
  _ signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
  let code = errno
  if let address = UnsafeRawPointer(
    bitPattern: FatalSignals.watch.load(ordering: .acquiring))
  {
    // Safe: the watch was retained for good when its address was stored.
    Unmanaged<CrashWatch>.fromOpaque(address).takeUnretainedValue().heldUp()
  }
  sigaction(signal, FatalSignals.before + Int(signal), nil)
  // A fault is raised again by the instruction that caused it. What was sent, and a breakpoint,
  // behind which the program would go on, is sent again: it comes when this returns.
  let isFault = (info?.pointee.si_code ?? 0) > 0 && signal != SIGTRAP
  if !isFault { raise(signal) }
  errno = code
}
