#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  package import Synchronization
#endif

#if canImport(Glibc) || canImport(Musl)
  /// A mutex that also works in a process made by `fork()`.
  ///
  /// On Linux the standard library's `Mutex` remembers the kernel's number of each thread that locks
  /// it. In a forked child, the thread that called `fork()` still has the number that it had in the
  /// parent. As soon as another thread has to wait for it, the kernel finds no such owner, and the
  /// program traps. This one leaves the matter to the C library, which knows about `fork()`.
  ///
  /// A lock that some other thread of the parent held stays locked in the child: state shared with
  /// such threads has to be replaced there, not only guarded.
  // Safe: the value is used only while the lock is held; both pointers are allocated by `init`, freed
  // by `deinit`, and never leave this type.
  package struct ForkSafeMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let handle: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    /// Makes a mutex that guards a value.
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

    /// Calls `body` with the value once no other thread uses it.
    package borrowing func withLock<Answer: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Answer
    ) throws(Failure) -> sending Answer {
      pthread_mutex_lock(handle)
      defer { pthread_mutex_unlock(handle) }
      return try body(&value.pointee)
    }

    /// Calls `body` with the value unless another thread uses it.
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
