/// Things that come, and one who waits for them.
struct Mailbox<Thing: Sendable> {
  private var things: [Thing] = []
  private var waiter: CheckedContinuation<Thing?, Never>?
  private var isClosed = false

  /// How many wait.
  var count: Int { things.count }

  /// Adds one.
  mutating func add(_ thing: Thing) {
    guard !isClosed else { return }
    if let waiter {
      self.waiter = nil
      waiter.resume(returning: thing)
    } else {
      things.append(thing)
    }
  }

  /// Gives the next one to a continuation, once there is one; `nil` at the end.
  mutating func take(_ continuation: CheckedContinuation<Thing?, Never>) {
    if !things.isEmpty {
      continuation.resume(returning: things.removeFirst())
    } else if isClosed {
      continuation.resume(returning: nil)
    } else {
      // There is one who waits; another one would be the caller's mistake, and gets nothing.
      waiter?.resume(returning: nil)
      waiter = continuation
    }
  }

  /// Ends it after what waits.
  mutating func close() {
    isClosed = true
    waiter?.resume(returning: nil)
    waiter = nil
  }
}
