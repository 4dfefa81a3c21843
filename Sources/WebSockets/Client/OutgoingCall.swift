#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Tracks the threads that are inside the library's connect function.
///
/// At its end, that function reports an accepted connection even if it failed and its memory has
/// been freed, so callbacks during the call must be ignored.
enum OutgoingCall {
  private static let threads = ProcessMutex<Set<UInt>>([])

  /// Whether the calling thread is inside the function.
  static var isUnderWay: Bool { threads.withLock { $0.contains(UInt(pthread_self())) } }

  /// Runs the connect function.
  static func run<Value>(_ body: () -> Value) -> Value {
    let thread = UInt(pthread_self())
    threads.withLock { _ = $0.insert(thread) }
    defer { threads.withLock { _ = $0.remove(thread) } }
    return body()
  }
}
