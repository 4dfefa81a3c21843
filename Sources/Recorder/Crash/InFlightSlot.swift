#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The event that a machine is handling just now: what its entry would be if the program died in
/// the reducer.
///
/// Written on the machine's own thread before and after each event, so it costs two stores and no
/// lock.
package final class InFlightSlot<Input>: @unchecked Sendable {
  // Safe: `@unchecked` because only the machine's thread touches it, but for `trapped(on:)`, which
  // is called while that very thread waits in a signal handler and reads what it wrote before.
  private var input: Input?
  private var thread: UInt = 0

  /// A slot with nothing in it.
  package init() {}

  /// The machine begins to handle an event, or ends with `nil`.
  @inline(__always)
  package func note(_ input: Input?) {
    thread = ThreadIdentity.current
    self.input = input
  }

  /// The event that a thread was handling when it died there.
  package func trapped(on thread: UInt) -> Input? {
    self.thread == thread ? input : nil
  }
}

/// Tells threads apart.
package enum ThreadIdentity {
  /// The thread that asks. It may be asked in a signal handler.
  @inline(__always)
  package static var current: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}
