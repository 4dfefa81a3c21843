import Glibc

/// Waits for something that another thread or process brings about; false when it took too long.
///
/// For what cannot be awaited: nothing else is told when it happens.
public func eventually(within seconds: Int = 120, _ isTrue: () throws -> Bool) rethrows -> Bool {
  let clock = ContinuousClock()
  let end = clock.now + .seconds(seconds)
  while try !isTrue() {
    guard clock.now < end else { return false }
    _ = poll(nil, 0, 1)
  }
  return true
}
