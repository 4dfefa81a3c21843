import Synchronization

/// Something that happens once, and that tasks can wait for.
final class Latch: Sendable {
  private struct Contents {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let contents = Mutex(Contents())

  /// Whether it has happened.
  var isOpen: Bool { contents.withLock { $0.isOpen } }

  /// Lets everybody through, now and later; answers whether this was the first call.
  @discardableResult
  func open() -> Bool {
    let (waiters, isFirst) = contents.withLock { contents in
      let isFirst = !contents.isOpen
      contents.isOpen = true
      return (contents.waiters.takeAll(), isFirst)
    }
    for waiter in waiters { waiter.resume() }
    return isFirst
  }

  /// Waits until it has happened, cancelled or not.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = contents.withLock { contents in
        if !contents.isOpen { contents.waiters.append(continuation) }
        return contents.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Waits until it has happened or the task is cancelled.
  ///
  /// For a single waiter: cancelling one lets all go on.
  func waitOrCancelled() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A handler that ran before this found nobody to wake; the flag it follows is set by now.
        let goesOn = contents.withLock { contents in
          let goesOn = contents.isOpen || Task.isCancelled
          if !goesOn { contents.waiters.append(continuation) }
          return goesOn
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      for waiter in contents.withLock({ $0.waiters.takeAll() }) { waiter.resume() }
    }
  }
}

extension Array {
  /// Empties the array and hands out what was in it.
  fileprivate mutating func takeAll() -> [Element] {
    let elements = self
    self = []
    return elements
  }
}
