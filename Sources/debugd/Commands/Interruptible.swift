/// Work that has to clean up when it is interrupted: files, processes.
enum Interruptible {
  /// Does work; a signal that would end the program cancels it, and a second one ends the program
  /// without waiting for the cleanup.
  ///
  /// - Throws: what the work throws, or ``Interrupted`` once a signal came.
  static func run<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let signals = await SignalCleanup.lend()
    let task = Task { try await work() }
    let watching = Task { () -> Bool in
      for await _ in signals {
        task.cancel()
        return true
      }
      return false
    }
    let result = await task.result
    watching.cancel()
    if await watching.value { throw Interrupted() }
    SignalCleanup.resume()
    return try result.get()
  }

  /// A signal ended the work.
  struct Interrupted: Error, CustomStringConvertible {
    var description: String { "Interrupted." }
  }
}
