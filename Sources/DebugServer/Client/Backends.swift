/// Finds whom to ask.
package enum Backends {
  /// The daemon that is running, else the store itself.
  ///
  /// - Throws: ``BackendError`` when the daemon refuses, ``ServerError`` when there is no daemon and
  ///   the store cannot be opened.
  package static func open(
    _ configuration: ServerConfiguration, client: String = "debugd"
  ) async throws -> any Backend {
    if let socket = configuration.socket {
      do {
        return try await SocketBackend.connect(to: socket, client: client)
      } catch BackendError.disconnected {
        // Nobody listens there. Should a daemon hold the store all the same, opening it says so.
      }
    }
    return try LocalBackend(configuration)
  }
}
