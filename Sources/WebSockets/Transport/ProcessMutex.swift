internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A value under a lock that a forked child starts again with.
///
/// A thread that does not exist in the child may have held the parent's lock, and left the value
/// half changed. So the child begins with the initial value and its own lock.
final class ProcessMutex<Value: Sendable>: Sendable {
  private final class Held: Sendable {
    let generation: Int
    let value: Mutex<Value>

    init(_ value: Value, _ generation: Int) {
      self.generation = generation
      self.value = Mutex(value)
    }
  }

  private let first: Value
  private let generation: @Sendable () -> Int
  /// The address of the process's own value, which is never released; 0 before the first use.
  private let held = Atomic<UInt>(0)

  /// Creates a lock whose initial value is `first` in this process and its forked children.
  ///
  /// - Parameter generation: Returns the number of forks between the first process and this one.
  init(_ first: Value, generation: @escaping @Sendable () -> Int = { ForkCount.current }) {
    self.first = first
    self.generation = generation
  }

  /// Calls `body` with exclusive access to the value.
  func withLock<Answer>(_ body: (inout sending Value) -> sending Answer) -> sending Answer {
    own.value.withLock(body)
  }

  private var own: Held {
    let generation = generation()
    while true {
      let address = held.load(ordering: .acquiring)
      if let pointer = UnsafeRawPointer(bitPattern: address) {
        // Safe: a value whose address is stored here is never released.
        let held = Unmanaged<Held>.fromOpaque(pointer).takeUnretainedValue()
        if held.generation == generation { return held }
      }
      let new = Unmanaged.passRetained(Held(first, generation))
      let isTaken = held.compareExchange(
        expected: address, desired: UInt(bitPattern: new.toOpaque()),
        ordering: .acquiringAndReleasing
      ).exchanged
      if !isTaken { new.release() }
    }
  }
}

/// Counts the forks between the first process and this one.
private enum ForkCount {
  fileprivate static let counter = Atomic(0)
  private static let isCounting = Atomic(false)

  /// The number of forks since the first call; before that, no lock was held.
  static var current: Int {
    if !isCounting.load(ordering: .relaxed),
      !isCounting.exchange(true, ordering: .acquiringAndReleasing)
    {
      _ = pthread_atfork(nil, nil, forkCountInChild)
    }
    return counter.load(ordering: .relaxed)
  }
}

/// Runs in the child, on its only thread, before `fork()` returns there.
private func forkCountInChild() { ForkCount.counter.add(1, ordering: .relaxed) }
