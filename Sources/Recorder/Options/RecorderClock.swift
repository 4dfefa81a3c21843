#if canImport(Darwin)
  public import Darwin
#elseif canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#endif

/// What a recorder tells the time by: nanoseconds from some moment on, never backwards.
///
/// ```swift
/// var options = RecorderOptions()
/// options.clock = RecorderClock { 0 }
/// ```
public struct RecorderClock: Sendable {
  @usableFromInline let other: (@Sendable () -> UInt64)?

  /// A clock of one's own, for tests.
  public init(_ nanoseconds: @escaping @Sendable () -> UInt64) {
    other = nanoseconds
  }

  private init() {
    other = nil
  }

  /// The system's monotonic clock.
  public static let monotonic = RecorderClock()

  /// The time.
  @inlinable
  public var now: UInt64 {
    if let other { return other() }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
      &+ UInt64(truncatingIfNeeded: time.tv_nsec)
  }
}
