import Wire

/// Counts the connections that the daemon closed to protect itself.
struct RefusedConnections: Sendable {
  /// Those that did not prove that they may connect, or not in time.
  private(set) var unproved: Int64 = 0
  /// Those that were more, or asked for more, than allowed.
  private(set) var excess: Int64 = 0

  /// Counts a connection that is closed, if its code means a refusal.
  mutating func count(_ code: CloseCode) {
    switch code {
    case .unauthorised: unproved += 1
    case .limit, .credit: excess += 1
    case .normal, .goingAway, .protocolError, .notText, .notUTF8, .tooLong, .fault, .version, .idle,
      .revoked:
      break
    }
  }
}
