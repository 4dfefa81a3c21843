import Replaying
import Synchronization

/// A value under a lock that a forked child has anew.
///
/// A thread that is not there in the child may have held the parent's lock for good, and left its
/// value half changed: the child begins with the first value and a lock of its own.
final class ProcessMutex<Value: Sendable>: Sendable {
  private final class Held: Sendable {
    let generation = ForkWatch.generation
    let value: ForkSafeMutex<Value>

    init(_ value: Value) { self.value = ForkSafeMutex(value) }
  }

  private let first: Value
  /// The address of the process's own value, which is retained for good; 0 before it is asked for.
  private let held = Atomic<UInt>(0)

  /// Begins with a value, in this process and in those that are forked from it.
  init(_ first: Value) {
    self.first = first
  }

  /// Calls `body` with the value, one caller at a time.
  func withLock<Answer>(_ body: (inout sending Value) -> sending Answer) -> sending Answer {
    own.value.withLock(body)
  }

  private var own: Held {
    while true {
      let address = held.load(ordering: .acquiring)
      if let pointer = UnsafeRawPointer(bitPattern: address) {
        // Safe: what has its address here was retained for good.
        let held = Unmanaged<Held>.fromOpaque(pointer).takeUnretainedValue()
        if held.generation == ForkWatch.generation { return held }
      }
      let new = Unmanaged.passRetained(Held(first))
      let isTaken = held.compareExchange(
        expected: address, desired: UInt(bitPattern: new.toOpaque()),
        ordering: .acquiringAndReleasing
      ).exchanged
      if !isTaken { new.release() }
    }
  }
}
