/// A limit for work that may not end, such as a question to a daemon that does not answer.
enum TimeLimit {
  /// The result of work; `nil` if the limit passes before, or the caller is canceled.
  ///
  /// The work is then canceled, but not waited for: it may depend on the same peer to end.
  static func run<Result: Sendable>(
    _ limit: Duration, on clock: any Clock<Duration> = ContinuousClock(),
    _ work: @escaping @Sendable () async -> Result
  ) async -> Result? {
    let (results, continuation) = AsyncStream.makeStream(of: Result.self)
    let working = Task {
      continuation.yield(await work())
      continuation.finish()
    }
    let waiting = Task {
      try? await clock.sleep(for: limit)
      continuation.finish()
    }
    defer {
      working.cancel()
      waiting.cancel()
    }
    for await result in results { return result }
    return nil
  }
}
