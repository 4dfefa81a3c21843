/// A queue with at most one waiting reader.
struct Mailbox<Thing: Sendable> {
  private var things: [Thing] = []
  private var waiter: CheckedContinuation<Thing?, Never>?
  private var isClosed = false

  var count: Int { things.count }

  mutating func add(_ thing: Thing) {
    guard !isClosed else { return }
    if let waiter {
      self.waiter = nil
      waiter.resume(returning: thing)
    } else {
      things.append(thing)
    }
  }

  /// Resumes a continuation with the next element, once there is one; with `nil` at the end.
  mutating func resume(_ continuation: CheckedContinuation<Thing?, Never>) {
    if !things.isEmpty {
      continuation.resume(returning: things.removeFirst())
    } else if isClosed {
      continuation.resume(returning: nil)
    } else {
      // Two readers at once are a bug in the caller; the second gets the end.
      waiter?.resume(returning: nil)
      waiter = continuation
    }
  }

  /// Ends the queue after its elements.
  mutating func close() {
    isClosed = true
    waiter?.resume(returning: nil)
    waiter = nil
  }
}
