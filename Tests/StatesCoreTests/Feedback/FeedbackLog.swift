import Synchronization

/// What happened, in order, noted from any thread.
final class FeedbackLog<Element: Sendable>: Sendable {
  private let contents = Mutex<[Element]>([])
  /// How many tokens there are that note here when they go away.
  let liveTokens = Atomic(0)

  var all: [Element] { contents.withLock { $0 } }

  func callAsFunction(_ element: Element) {
    contents.withLock { $0.append(element) }
  }

  /// What was noted since the last call.
  func removeAll() -> [Element] {
    contents.withLock { contents in
      defer { contents = [] }
      return contents
    }
  }
}

/// Says when it goes away: an effect that keeps one is proved to have ended.
final class FeedbackToken: Sendable {
  private let log: FeedbackLog<String>
  private let name: String

  init(_ name: String, _ log: FeedbackLog<String>) {
    self.name = name
    self.log = log
    log.liveTokens.add(1, ordering: .relaxed)
  }

  deinit {
    log("released \(name)")
    log.liveTokens.subtract(1, ordering: .releasing)
  }

  func touch() {}
}

/// Waits until the task is canceled.
func waitUntilCanceled() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  continuation.finish()
}
