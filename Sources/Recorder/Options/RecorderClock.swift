#if canImport(Darwin)
  public import Darwin
#elseif canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#endif

/// The clock of a recorder: nanoseconds since an arbitrary moment, never going backwards.
///
/// ```swift
/// var options = RecorderOptions()
/// options.clock = RecorderClock { 0 }
/// ```
public struct RecorderClock: Sendable {
  @usableFromInline let other: (@Sendable () -> UInt64)?

  /// Creates a custom clock, for tests.
  public init(_ nanoseconds: @escaping @Sendable () -> UInt64) {
    other = nanoseconds
  }

  private init() {
    other = nil
  }

  /// The system's monotonic clock.
  public static let monotonic = RecorderClock()

  /// Whether this is the system's clock.
  @inlinable var isMonotonic: Bool { other == nil }

  /// A clock that is cheap to read but advances only every few milliseconds. Use it only to detect
  /// that time has passed.
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

  /// The current time in nanoseconds.
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
