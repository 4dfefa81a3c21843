internal import CPostgres

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

// Safe: the handle lives as long as the connection, and is used by one thread at a time.

/// Waiting for the server, with a limit. A server whose processes are stopped keeps its connections
/// open, and the system confirms what it receives, so no limit of TCP ends the wait.
extension PostgresConnection {
  /// How long the server may take for an answer, in milliseconds.
  enum Limit {
    static let question = 20_000
    static let commit = 30_000
    /// Changes whole tables.
    static let preparation = 600_000
    /// The lease expires without it.
    static let release = 5_000
    /// Nothing depends on the answer.
    static let ending = 1_000
  }

  /// The next result; `nil` after the last one of a statement.
  ///
  /// If the limit passes first, the connection is shut down, and what it was asked has an unknown
  /// outcome.
  func nextResult(until deadline: ContinuousClock.Instant) -> OpaquePointer? {
    guard !hasTimedOut else { return nil }
    while true {
      let unsent = PQflush(handle)
      // libpq reports the lost connection with the next result.
      guard unsent >= 0, unsent > 0 || PQisBusy(handle) != 0 else { break }
      guard waitForSocket(isSending: unsent > 0, until: deadline) else {
        hasTimedOut = true
        // The server's process learns of it when it continues.
        _ = shutdown(PQsocket(handle), Int32(SHUT_RDWR))
        return nil
      }
      guard PQconsumeInput(handle) == 1 else { break }
    }
    return PQgetResult(handle)
  }

  /// Waits until the socket can be used; returns whether it can before the deadline.
  private func waitForSocket(isSending: Bool, until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let left = max(0, ContinuousClock.now.duration(to: deadline) / .milliseconds(1))
      let events = isSending ? POLLIN | POLLOUT : POLLIN
      var waiting = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
      let count = poll(&waiting, 1, Int32(min(left.rounded(.up), 1_000_000)))
      // A signal may have ended the wait. This process may have been stopped itself, so an answer
      // counts after the deadline, too.
      if count > 0 || (count < 0 && errno != EINTR) { return true }
      guard left > 0 else { return false }
    }
  }
}
