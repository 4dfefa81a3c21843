import Synchronization

/// A one-time event that tasks can wait for.
final class Latch: Sendable {
  private struct Contents {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let contents = Mutex(Contents())

  var isOpen: Bool { contents.withLock { $0.isOpen } }

  /// Opens the latch for all waiters, now and later; returns whether this was the first call.
  @discardableResult
  func open() -> Bool {
    let (waiters, isFirst) = contents.withLock { contents in
      let isFirst = !contents.isOpen
      contents.isOpen = true
      return (contents.waiters.removeAndReturnAll(), isFirst)
    }
    for waiter in waiters { waiter.resume() }
    return isFirst
  }

  /// Waits until the latch is open, even if the task is canceled.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = contents.withLock { contents in
        if !contents.isOpen { contents.waiters.append(continuation) }
        return contents.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Waits until the latch is open or the task is canceled.
  ///
  /// For a single waiter: canceling one resumes all.
  func waitUntilOpenOrCanceled() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A handler that ran before this found no waiter to resume, but has set `isCancelled`.
        let isDone = contents.withLock { contents in
          let isDone = contents.isOpen || Task.isCancelled
          if !isDone { contents.waiters.append(continuation) }
          return isDone
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      for waiter in contents.withLock({ $0.waiters.removeAndReturnAll() }) { waiter.resume() }
    }
  }
}

extension Array {
  fileprivate mutating func removeAndReturnAll() -> [Element] {
    let elements = self
    self = []
    return elements
  }
}
