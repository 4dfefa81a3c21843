#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  package import Synchronization
#endif

#if canImport(Glibc) || canImport(Musl)
  /// A mutex that also works in a forked process.
  ///
  /// On Linux, the standard library's `Mutex` stores the kernel's ID of the thread that locks it. In a
  /// forked child, the thread that called `fork()` still uses its ID in the parent. When another thread
  /// waits for it, the kernel does not find that owner, and the program traps. The C library's mutex
  /// handles `fork()`.
  ///
  /// A lock that another thread of the parent held stays locked in the child, so state that is shared
  /// with such threads must be replaced there.
  // Safe: the value is used only while the lock is held; both pointers are allocated by `init`, freed
  // by `deinit`, and never leave this type.
  package struct ForkSafeMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let handle: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    /// Creates a mutex for a value.
    package init(_ initial: consuming sending Value) {
      handle = .allocate(capacity: 1)
      handle.initialize(to: pthread_mutex_t())
      pthread_mutex_init(handle, nil)
      value = .allocate(capacity: 1)
      value.initialize(to: initial)
    }

    deinit {
      pthread_mutex_destroy(handle)
      handle.deinitialize(count: 1)
      handle.deallocate()
      value.deinitialize(count: 1)
      value.deallocate()
    }

    /// Waits until no other thread uses the value, and calls `body` with it.
    package borrowing func withLock<Answer: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Answer
    ) throws(Failure) -> sending Answer {
      pthread_mutex_lock(handle)
      defer { pthread_mutex_unlock(handle) }
      return try body(&value.pointee)
    }

    /// Calls `body` with the value, unless another thread uses it.
    package borrowing func withLockIfAvailable<Answer: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Answer
    ) throws(Failure) -> sending Answer? {
      guard pthread_mutex_trylock(handle) == 0 else { return nil }
      defer { pthread_mutex_unlock(handle) }
      return try body(&value.pointee)
    }
  }
#else
  /// The standard library's mutex, which works in forked processes on these platforms.
  package typealias ForkSafeMutex = Mutex
#endif
