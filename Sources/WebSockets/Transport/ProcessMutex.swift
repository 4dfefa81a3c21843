internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A value under a lock that a forked child has anew.
///
/// A thread that is not there in the child may have held the parent's lock for good, and left its
/// value half changed: the child begins with the first value and a lock of its own.
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
  /// The address of the process's own value, which is retained for good; 0 before it is asked for.
  private let held = Atomic<UInt>(0)

  /// Begins with a value, in this process and in those that are forked from it.
  ///
  /// - Parameter generation: how many forks lie between this process and the first one.
  init(_ first: Value, generation: @escaping @Sendable () -> Int = { ForkCount.current }) {
    self.first = first
    self.generation = generation
  }

  /// Calls `body` with the value, one caller at a time.
  func withLock<Answer>(_ body: (inout sending Value) -> sending Answer) -> sending Answer {
    own.value.withLock(body)
  }

  private var own: Held {
    let generation = generation()
    while true {
      let address = held.load(ordering: .acquiring)
      if let pointer = UnsafeRawPointer(bitPattern: address) {
        // Safe: what has its address here was retained for good.
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

/// Counts the forks on the way to this process.
private enum ForkCount {
  fileprivate static let counter = Atomic(0)
  private static let isCounting = Atomic(false)

  /// How many there were since somebody asked first: before that no lock was held.
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
