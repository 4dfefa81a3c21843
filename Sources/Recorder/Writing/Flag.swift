import Synchronization

/// Something that happens once, and can be asked for from any thread.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  /// Whether it has happened.
  var isRaised: Bool { value.load(ordering: .acquiring) }

  /// Says that it has.
  func raise() { value.store(true, ordering: .releasing) }
}
