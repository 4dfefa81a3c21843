import Glibc

/// Waits for an effect of another thread or process; returns false if it takes too long.
///
/// For effects that cannot be awaited, because nothing signals them.
public func eventually(within seconds: Int = 120, _ isTrue: () throws -> Bool) rethrows -> Bool {
  let clock = ContinuousClock()
  let end = clock.now + .seconds(seconds)
  while try !isTrue() {
    guard clock.now < end else { return false }
    _ = poll(nil, 0, 1)
  }
  return true
}
