#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The time since some moment before the process began; it never goes backwards.
package func monotonicTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}

/// Lets a millisecond go by, for the few who have nothing to wait on.
func rest() {
  _ = poll(nil, 0, 1)
}
