#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs a closure on its own thread, which receives none of the app's signals.
package enum WorkerThread {
  /// Reading a message with 512 levels needs up to 2 MiB in debug builds. Unused stack takes no
  /// memory.
  package static let stackBytes = 4 << 20

  /// Starts the thread; returns false if the system cannot.
  package static func start(
    stackBytes: Int = stackBytes, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Safe: the box is retained here once, and released once: by the thread, or below if it did
    // not start.
    let box = Unmanaged.passRetained(Body(run: body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    // The thread itself could receive a signal before it blocks them.
    let failure = SignalShield.blockingSignals {
      pthread_create(&thread, &attributes, workerThreadMain, box.toOpaque())
    }
    guard failure == 0 else {
      box.release()
      return false
    }
    return true
  }

  fileprivate final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }
}

// Safe: the pointer is the box that `start` retained for this call, which releases it.
#if canImport(Darwin)
  private func workerThreadMain(_ box: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<WorkerThread.Body>.fromOpaque(box).takeRetainedValue().run()
    return nil
  }
#else
  private func workerThreadMain(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let box else { return nil }
    Unmanaged<WorkerThread.Body>.fromOpaque(box).takeRetainedValue().run()
    return nil
  }
#endif
