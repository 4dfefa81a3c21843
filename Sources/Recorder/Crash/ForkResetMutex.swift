import Replaying
import Synchronization

/// A value under a lock, both of which a forked child gets new.
///
/// A thread that does not exist in the child may hold the parent's lock forever, and may have left
/// the value half changed. So the child starts with the first value and its own lock.
final class ForkResetMutex<Value: Sendable>: Sendable {
  private final class Held: Sendable {
    let generation = ForkWatch.generation
    let value: ForkSafeMutex<Value>

    init(_ value: Value) { self.value = ForkSafeMutex(value) }
  }

  private let first: Value
  /// The address of this process's value, which is never released; 0 before its first use.
  private let held = Atomic<UInt>(0)

  /// Creates a lock with a first value, for this process and those forked from it.
  init(_ first: Value) {
    self.first = first
  }

  /// Calls `body` with the value, while holding the lock.
  func withLock<Answer>(_ body: (inout sending Value) -> sending Answer) -> sending Answer {
    own.value.withLock(body)
  }

  private var own: Held {
    while true {
      let address = held.load(ordering: .acquiring)
      if let pointer = UnsafeRawPointer(bitPattern: address) {
        // Safe: the object at this address was retained forever.
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
