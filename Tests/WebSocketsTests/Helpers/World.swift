import Foundation

@testable import WebSockets

/// A loop with a listener, for one test; stopped at its end.
struct World {
  let loop: Loop
  let listener: Listener

  /// The endpoint for clients.
  var endpoint: Endpoint {
    switch listener.address {
    case .tcp(let host, let port): .plain(host: host, port: port)
    case .unix(let path): .unix(path: path)
    }
  }

  /// Runs a test with a listening loop, then stops the loop.
  static func with<Value: Sendable>(
    _ handler: ProbeServer, on address: ListenAddress = .tcp(host: "127.0.0.1", port: 0),
    options: ListenerOptions = ListenerOptions(), loopOptions: Loop.Options = Loop.Options(),
    stopWithin: Duration = .seconds(60),
    _ body: (World) async throws -> Value
  ) async throws -> Value {
    let loop = try Loop.start(loopOptions)
    do {
      let listener = try await loop.run { loop in
        try loop.listen(on: address, handler: handler, options: options)
      }
      let value = try await body(World(loop: loop, listener: listener))
      await loop.stop(within: stopWithin)
      return value
    } catch {
      await loop.stop(within: .zero)
      throw error
    }
  }

  func connect(
    _ probe: SessionProbe, options: ConnectOptions = ConnectOptions(), to other: Endpoint? = nil
  ) async -> Session {
    let endpoint = other ?? self.endpoint
    return await loop.run { $0.connect(to: endpoint, options: options, handler: probe) }
  }

  /// An unused path for a socket, in a directory that does not exist yet.
  static func socketPath() -> String {
    FileManager.default.temporaryDirectory
      .appending(path: "ws-\(UUID().uuidString.prefix(8))/s").path
  }
}
