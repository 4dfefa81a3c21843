/// Everything a send has to check, in one byte: zero means idle and unobserved.
///
/// A plain byte with its own operations: in unspecialized code, an `OptionSet` nested in a generic
/// type goes through the runtime's generics, which made a step ten times as slow.
@frozen
@usableFromInline
struct KernelMode: Equatable {
  @usableFromInline var bits: UInt8

  @inlinable
  init(bits: UInt8) { self.bits = bits }

  /// Nothing is being handled, without observers, middleware, or a tap.
  @inlinable static var idle: KernelMode { KernelMode(bits: 0) }
  /// An input is being handled, or an observer is receiving its first state.
  @inlinable static var busy: KernelMode { KernelMode(bits: 1) }
  /// There are observers or middleware.
  @inlinable static var observed: KernelMode { KernelMode(bits: 2) }
  /// The tap is in use.
  @inlinable static var tapped: KernelMode { KernelMode(bits: 4) }
  /// There is middleware.
  @inlinable static var recorded: KernelMode { KernelMode(bits: 8) }
  /// Inputs are queued or refused.
  @inlinable static var held: KernelMode { KernelMode(bits: 16) }
  /// The queue is not empty.
  @inlinable static var waiting: KernelMode { KernelMode(bits: 32) }
  /// Effects were scheduled, or an error was reported, in the current step.
  @inlinable static var eventful: KernelMode { KernelMode(bits: 64) }

  /// Whether any of `others` is set.
  @inlinable
  func has(_ others: KernelMode) -> Bool { bits & others.bits != 0 }

  @inlinable
  mutating func insert(_ other: KernelMode) { bits |= other.bits }

  @inlinable
  mutating func remove(_ other: KernelMode) { bits &= ~other.bits }

  @inlinable
  static func | (one: KernelMode, other: KernelMode) -> KernelMode {
    KernelMode(bits: one.bits | other.bits)
  }
}
