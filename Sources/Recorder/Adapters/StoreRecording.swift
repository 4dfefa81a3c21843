import Synchronization

/// The recording of one store. One thread at a time may enter it.
// Safe: the tap is made and used only between `enter` and `leave`, by the thread whose identity the
// atomic holds. `enter` returns nil on any other thread in the meantime.
final class StoreRecording<Tap: AnyObject>: @unchecked Sendable {
  private let owner = Atomic<UInt>(0)
  private var depth = 0
  private let make: @Sendable () -> Tap?
  private lazy var tap = make()

  init(_ make: @escaping @Sendable () -> Tap?) {
    self.make = make
  }

  /// Returns the tap; nil when nothing is recorded, or another thread is in a reducer of this
  /// store.
  func enter() -> Tap? {
    let current = ThreadIdentity.current
    let (isFree, holder) = owner.compareExchange(
      expected: 0, desired: current, ordering: .acquiringAndReleasing)
    guard isFree || holder == current else { return nil }
    depth += 1
    if let tap { return tap }
    leave()
    return nil
  }

  func leave() {
    depth -= 1
    if depth == 0 { owner.store(0, ordering: .releasing) }
  }
}
