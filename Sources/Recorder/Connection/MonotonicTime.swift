#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The time since a moment before the process started. It never goes backwards.
package func monotonicTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}

/// Sleeps for a millisecond, for loops that have nothing to wait on.
func sleepOneMillisecond() {
  _ = poll(nil, 0, 1)
}
