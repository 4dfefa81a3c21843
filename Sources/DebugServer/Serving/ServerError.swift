/// Why a daemon does not start.
package struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package var reason: Reason

  init(_ reason: Reason) {
    self.reason = reason
  }

  /// What can be wrong.
  package enum Reason: Hashable, Sendable {
    /// Another daemon has the data.
    case held(String)
    /// The data directory or a file in it cannot be used.
    case data(String)
    /// A place cannot be listened on.
    case listen(String)
    /// Other machines would reach it without TLS.
    case insecure(String)
    /// The page's folder cannot be used.
    case web(String)
  }

  /// A sentence that says what to do.
  package var description: String {
    switch reason {
    case .held(let sentence), .data(let sentence), .listen(let sentence), .web(let sentence):
      sentence
    case .insecure(let place):
      """
      Other machines would reach \(place) without TLS. To fix, give --certificate and --key. Only \
      in a network where everyone may read the recordings, use --insecure.
      """
    }
  }
}
