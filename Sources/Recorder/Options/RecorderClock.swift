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

  /// Whether it is the system's.
  @inlinable var isMonotonic: Bool { other == nil }

  /// A clock that is cheap to read, and stands still for milliseconds; nothing but a change of it
  /// has a meaning.
  @inlinable
  static var tick: UInt64 {
    var time = timespec()
    #if os(Linux) || os(Android)
      clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    #else
      clock_gettime(CLOCK_MONOTONIC, &time)
    #endif
    return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
      &+ UInt64(truncatingIfNeeded: time.tv_nsec)
  }

  /// The time.
  @inlinable
  public var now: UInt64 {
    other?() ?? Self.systemTime
  }

  @inlinable static var systemTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
      &+ UInt64(truncatingIfNeeded: time.tv_nsec)
  }
}
