import DebugServer
import Timelines
import Wire

/// The connection of the tools to the daemon: opened when it is needed, and again after the daemon has
/// been restarted.
actor AgentConnection {
  /// What uses connections, such as a call. They stay open until it has ended.
  final class Use: Sendable {}

  /// A new connection.
  nonisolated let open: @Sendable () async throws -> any Backend
  /// The command that starts a daemon.
  nonisolated let start: String
  private var current: (any Backend)?
  private var uses: [(use: Use, backend: any Backend)] = []
  /// Connections on which a call had no answer, while other calls use them.
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
    for use: Use, _ body: @Sendable (any Backend) async throws -> Result
  ) async throws -> Result {
    let backend = try await backend(for: use)
    do {
      return try await body(backend)
    } catch BackendError.disconnected where !Task.isCancelled {
      await drop(backend)
      return try await body(await self.backend(for: use))
    }
  }

  /// Lends the connection to a call that changes something. The daemon may have done it when the
  /// connection ends, so such a call is not repeated.
  func withBackendOnce<Result: Sendable>(
    for use: Use, _ body: @Sendable (any Backend) async throws -> Result
  ) async throws -> Result {
    // Renews a connection that ended since the last call, so that only this call's own end counts.
    _ = try await withBackend(for: use) { try await $0.ask(FromInspector.Hosts()) }
    let backend = try await backend(for: use)
    do {
      return try await body(backend)
    } catch BackendError.disconnected {
      await drop(backend)
      throw ToolError.interrupted
    }
  }

  /// Ends a use, whose answers nothing waits for any longer.
  func end(_ use: Use) async {
    uses.removeAll { $0.use === use }
    let unused = abandoned.filter { one in !uses.contains { Self.same($0.backend, one) } }
    abandoned.removeAll { one in unused.contains { Self.same($0, one) } }
    for backend in unused { await backend.close() }
  }

  /// Ends a use that had no answer: its connections are closed once no other call uses them, and the
  /// next call connects again.
  func abandon(_ use: Use) async {
    let late = uses.filter { $0.use === use }.map { $0.backend }
    for backend in late where !abandoned.contains(where: { Self.same($0, backend) }) {
      abandoned.append(backend)
    }
    if let current, late.contains(where: { Self.same($0, current) }) { self.current = nil }
    await end(use)
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
    let backends = abandoned + [current].compactMap(\.self)
    (abandoned, current) = ([], nil)
    for backend in backends { await backend.close() }
  }

  private func backend(for use: Use) async throws -> any Backend {
    let backend = try await backend()
    // A canceled call does not end its use again.
    try Task.checkCancellation()
    uses.append((use, backend))
    return backend
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
    guard let current, Self.same(current, backend) else { return }
    self.current = nil
    await backend.close()
  }

  private static func same(_ a: any Backend, _ b: any Backend) -> Bool {
    ObjectIdentifier(a as AnyObject) == ObjectIdentifier(b as AnyObject)
  }
}
