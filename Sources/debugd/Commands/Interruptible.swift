import Foundation

/// Work that has to clean up when it is interrupted: files, processes.
enum Interruptible {
  /// Does work; a signal that would end the program cancels it, and a second one ends the program.
  ///
  /// - Throws: what the work throws, or ``Interrupted`` once a signal came.
  static func run<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let numbers: [Int32] = [SIGINT, SIGTERM, SIGHUP]
    let lent = SignalCleanup.lend()
    let isShared = lent != nil
    let signals = if let lent { lent } else { await SignalStream(numbers).numbers }
    let task = Task { try await work() }
    let watching = Task { () -> Bool in
      for await _ in signals {
        // A second signal ends the program without waiting for the cleanup.
        if !isShared { for number in numbers { signal(number, SIG_DFL) } }
        task.cancel()
        return true
      }
      return false
    }
    let result = await task.result
    watching.cancel()
    if await watching.value { throw Interrupted() }
    SignalCleanup.resume()
    if !isShared { for number in numbers { signal(number, SIG_DFL) } }
    return try result.get()
  }

  /// A signal ended the work.
  struct Interrupted: Error, CustomStringConvertible {
    var description: String { "Interrupted." }
  }
}
