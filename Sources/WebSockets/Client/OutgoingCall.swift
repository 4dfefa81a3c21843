#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Knows which threads are inside the library's function that connects.
///
/// That function tells at its end that a connection was accepted, also of one that failed on the way
/// and whose memory it has freed: what it says then must not be looked at.
enum OutgoingCall {
  private static let threads = ProcessMutex<Set<UInt>>([])

  /// Whether the calling thread is inside.
  static var isUnderWay: Bool { threads.withLock { $0.contains(UInt(pthread_self())) } }

  /// Runs the function.
  static func run<Value>(_ body: () -> Value) -> Value {
    let thread = UInt(pthread_self())
    threads.withLock { _ = $0.insert(thread) }
    defer { threads.withLock { _ = $0.remove(thread) } }
    return body()
  }
}
