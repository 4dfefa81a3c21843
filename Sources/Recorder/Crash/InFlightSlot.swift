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
/// Written on the machine's own thread before and after each event, so it costs a few stores and no
/// lock. `Payload` is what the recorder keeps of an input; it is only made when it is asked for.
// Safe: `@unchecked` because only the machine's thread touches what varies, but for `trapped(on:)`,
// which is called while that very thread waits in a signal handler, and reads what it wrote before.
// Of another thread's slot it reads one word and nothing more.
@usableFromInline
package final class InFlightSlot<Input, Payload: Sendable>: @unchecked Sendable {
  // Safe: read and replaced whole, never lent, so there is nothing for the exclusivity check to find.
  @exclusivity(unchecked) @usableFromInline var input: Input?
  @exclusivity(unchecked) @usableFromInline var thread: UInt = 0
  private let payload: (Input) -> Payload

  /// A slot with nothing in it.
  @usableFromInline
  package init(_ payload: @escaping (Input) -> Payload) {
    self.payload = payload
  }

  /// The machine begins to handle an event, or ends with `nil`.
  @inlinable
  package func note(_ input: Input?) {
    self.input = input
    thread = input == nil ? 0 : ThreadIdentity.current
  }

  /// What is kept of the event that a thread was handling when it died there.
  package func trapped(on thread: UInt) -> Payload? {
    guard self.thread == thread else { return nil }
    return input.map(payload)
  }
}

/// Tells threads apart.
@usableFromInline
package enum ThreadIdentity {
  /// The thread that asks; never 0. It may be asked in a signal handler.
  @usableFromInline
  package static var current: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}
