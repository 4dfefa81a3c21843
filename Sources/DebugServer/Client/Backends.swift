internal import TimelineStore

/// Connects to the daemon, or opens the store.
package enum Backends {
  /// What must exist for a command to make sense.
  package enum Need: Sendable {
    /// A running daemon.
    case daemon
    /// Recorded data, or a daemon.
    case data
    /// Nothing: the command may create the data folder.
    case nothing
  }

  /// The running daemon, or else the store itself. Creates no data folder, unless `need` allows it.
  ///
  /// - Throws: ``BackendError`` if the daemon refuses, ``ServerError`` if there is no daemon and
  ///   the store cannot be opened.
  package static func open(
    _ configuration: ServerConfiguration, needing need: Need = .nothing, client: String = "debugd"
  ) async throws -> any Backend {
    if let socket = configuration.socket {
      do {
        return try await SocketBackend.connect(to: socket, client: client)
      } catch BackendError.disconnected {
        // No daemon listens there. If one holds the store anyway, opening the store fails.
        guard !configuration.isSocketNamed || configuration.isDataNamed else {
          throw ServerError(.missing(configuration.noDaemon))
        }
      }
    }
    try configuration.checkTimelinesAreHere()
    if need != .nothing, !Store.hasData(in: configuration.data) {
      throw ServerError(.missing(need == .daemon ? configuration.noDaemon : configuration.noData))
    }
    return try LocalBackend(configuration)
  }
}
