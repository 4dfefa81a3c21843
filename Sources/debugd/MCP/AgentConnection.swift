import DebugServer
import Timelines
import Wire

/// The connection of the tools to the daemon: opened when it is needed, and again after the daemon has
/// been restarted.
actor AgentConnection {
  /// A new connection.
  nonisolated let open: @Sendable () async throws -> any Backend
  /// The command that starts a daemon.
  nonisolated let start: String
  private var current: (any Backend)?
  /// Connections on which a call had no answer. Other calls may still use them.
  private var abandoned: [any Backend] = []

  init(start: String, open: @escaping @Sendable () async throws -> any Backend) {
    (self.start, self.open) = (start, open)
  }

  init(_ configuration: ServerConfiguration) {
    self.init(start: configuration.start) { try await Self.open(configuration) }
  }

  private static func open(_ configuration: ServerConfiguration) async throws -> any Backend {
    guard let socket = configuration.socket else {
      throw ToolError("The path of the socket is too long. Start 'debugd mcp' with --socket PATH.")
    }
    do {
      return try await SocketBackend.connect(to: socket, client: "debugd mcp")
    } catch BackendError.disconnected(let why) {
      // The store is not opened instead: that would keep a daemon from starting.
      guard SocketBackend.isListening(at: socket) else {
        throw ToolError("No daemon is running. Ask the user to run: \(configuration.start)")
      }
      throw ToolError(
        "The program that listens at \(socket) is not a daemon, or does not answer: \(why) "
          + "Ask the user to end it, and to run: \(configuration.start)")
    }
  }

  /// Lends the connection to a call that only reads; once more if it turns out to have ended.
  func withBackend<Result: Sendable>(
    _ body: @Sendable (any Backend) async throws -> Result
  ) async throws -> Result {
    let backend = try await backend()
    do {
      return try await body(backend)
    } catch BackendError.disconnected where !Task.isCancelled {
      await drop(backend)
      return try await body(await self.backend())
    }
  }

  /// Lends the connection to a call that changes something. The daemon may have done it when the
  /// connection ends, so such a call is not repeated.
  func withBackendOnce<Result: Sendable>(
    _ body: @Sendable (any Backend) async throws -> Result
  ) async throws -> Result {
    // Renews a connection that ended since the last call, so that only this call's own end counts.
    _ = try await withBackend { try await $0.ask(FromInspector.Hosts()) }
    let backend = try await backend()
    do {
      return try await body(backend)
    } catch BackendError.disconnected {
      await drop(backend)
      throw ToolError.interrupted
    }
  }

  /// Lets the next call connect again: one on this connection had no answer.
  func abandon() {
    abandoned += current.map { [$0] } ?? []
    current = nil
  }

  /// Closes the connections on which calls had no answer, once no call uses them.
  func closeAbandoned() async {
    let backends = abandoned
    abandoned = []
    for backend in backends { await backend.close() }
  }

  /// Whether the daemon answers on a new connection.
  nonisolated func isAnswered() async -> Bool {
    guard let backend = try? await open() else { return false }
    let answer = await withTaskCancellationHandler {
      try? await backend.ask(FromInspector.Hosts())
    } onCancel: {
      // A daemon that does not answer does not end the question either.
      Task { await backend.close() }
    }
    await backend.close()
    return answer != nil
  }

  func close() async {
    abandon()
    await closeAbandoned()
  }

  private func backend() async throws -> any Backend {
    if let current { return current }
    let opened = try await open()
    // Another call may have connected meanwhile.
    guard let current else {
      self.current = opened
      return opened
    }
    await opened.close()
    return current
  }

  private func drop(_ backend: any Backend) async {
    guard let current,
      ObjectIdentifier(current as AnyObject) == ObjectIdentifier(backend as AnyObject)
    else { return }
    self.current = nil
    await backend.close()
  }
}
