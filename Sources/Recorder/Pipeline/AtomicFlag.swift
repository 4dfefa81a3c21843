import Synchronization

/// A flag that is set once, and can be read from any thread.
final class AtomicFlag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}
