/// Why a daemon cannot start.
package struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  package var reason: Reason

  init(_ reason: Reason) {
    self.reason = reason
  }

  package enum Reason: Hashable, Sendable {
    /// Another daemon has the data.
    case held(String)
    /// There is neither a daemon nor data.
    case missing(String)
    /// The daemon's socket belongs to another user.
    case foreign(String)
    /// The data directory or a file in it cannot be used.
    case data(String)
    /// The daemon of the data waits for that of a host, which serves the database.
    case standby(data: String, host: String)
    /// Another daemon has taken over the database.
    case leaseLost(String)
    /// An address cannot be listened on.
    case listen(String)
    /// Other machines could reach it without TLS.
    case insecure(String)
    /// The page's folder cannot be used.
    case web(String)
  }

  /// The problem and what to do.
  package var description: String {
    switch reason {
    case .held(let sentence), .missing(let sentence), .foreign(let sentence), .data(let sentence),
      .leaseLost(let sentence), .listen(let sentence), .web(let sentence):
      sentence
    case .standby(let data, let host):
      """
      The daemon of \(data) is a standby for the one on \(host), which serves the database. To fix, \
      use that one.
      """
    case .insecure(let place):
      """
      Other machines would reach \(place) without TLS. To fix, give --certificate and --key. Only \
      in a network where everyone may read the recordings, use --insecure.
      """
    }
  }
}
