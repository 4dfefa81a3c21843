#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread on which reducers run: with a stack like that of a main thread.
enum HostThread {
  /// As large as a main thread's, so that what does not run out of stack in the app does not run out
  /// of it in a host.
  static let stackBytes = 8 << 20

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread that nobody waits for; false when the system gives none.
  static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Safe: retained here, released once by the thread, or here when there is none.
    let body = Unmanaged.passRetained(Body(run))
    #if canImport(Darwin)
      var thread: pthread_t?
      let result = pthread_create(&thread, &attributes, hostThreadMain, body.toOpaque())
    #else
      var thread = pthread_t()
      let result = pthread_create(&thread, &attributes, hostThreadMain, body.toOpaque())
    #endif
    if result != 0 { body.release() }
    return result == 0
  }

  /// Writing to a pipe that nobody reads answers with an error on this thread, whatever the app has
  /// decided about the signal.
  static func blockPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits on the calling thread.
  static func sleep(milliseconds: Int) {
    var time = timespec(
      tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
    nanosleep(&time, nil)
  }

  fileprivate static func main(_ argument: UnsafeMutableRawPointer) {
    Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
  }
}

#if canImport(Darwin)
  private func hostThreadMain(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    HostThread.main(argument)
    return nil
  }
#else
  private func hostThreadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    argument.map(HostThread.main)
    return nil
  }
#endif
