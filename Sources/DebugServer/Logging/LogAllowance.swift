/// A limit for log events of one sort: they cost the peer nothing, but fill the disk.
struct LogAllowance: Sendable {
  /// The maximum number of events per minute, of all peers together.
  let ofMinute: Int

  private var minute: Int64?
  private var count = 0
  /// How many were omitted since the last logged one.
  private var omitted = 0

  init(ofMinute: Int) {
    self.ofMinute = ofMinute
  }

  /// Counts an event; returns how many were omitted before it, or `nil` if it must not be logged.
  mutating func request(now: Int64) -> Int? {
    if minute != now / 60_000 { (minute, count) = (now / 60_000, 0) }
    guard count < ofMinute else {
      omitted += 1
      return nil
    }
    count += 1
    defer { omitted = 0 }
    return omitted
  }

  /// The number of events omitted in a minute that is over; `nil` if there were none.
  mutating func removeOmitted(now: Int64) -> Int? {
    guard omitted > 0, minute != now / 60_000 else { return nil }
    defer { omitted = 0 }
    return omitted
  }
}
