/// All that a send has to ask a kernel: zero means idle, and nobody looks.
///
/// A plain byte with its own operations: an `OptionSet` nested in a generic type goes through the
/// runtime's generics in unspecialised code, which made a step ten times as slow.
@frozen
@usableFromInline
struct KernelMode: Equatable {
  @usableFromInline var bits: UInt8

  @inlinable
  init(bits: UInt8) { self.bits = bits }

  /// Nothing is being handled, and nobody looks.
  @inlinable static var idle: KernelMode { KernelMode(bits: 0) }
  /// An input is being handled, or an observer is getting its first state.
  @inlinable static var busy: KernelMode { KernelMode(bits: 1) }
  /// There are observers or middleware.
  @inlinable static var observed: KernelMode { KernelMode(bits: 2) }
  /// The tap is in use.
  @inlinable static var tapped: KernelMode { KernelMode(bits: 4) }
  /// There is middleware.
  @inlinable static var recorded: KernelMode { KernelMode(bits: 8) }
  /// Inputs do not run.
  @inlinable static var held: KernelMode { KernelMode(bits: 16) }
  /// Work waits behind the current step.
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
