import DebugServer
import Foundation
import Synchronization
import TestSupport
import Testing
import Timelines
import Wire

/// A daemon in this process, on a port and a socket of its own, with data that goes away with it.
enum LiveDaemon {
  /// Lends a running daemon to a closure, then ends it in order.
  static func with<Value>(
    data: String? = nil, _ change: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (RunningServer, ServerConfiguration) async throws -> Value
  ) async throws -> Value {
    let folder = try data ?? TemporaryFolder.make()
    defer { if data == nil { TemporaryFolder.remove(folder) } }
    var configuration = ServerConfiguration(data: folder)
    configuration.places = [ServerConfiguration.Place(host: "127.0.0.1", port: 0)]
    // A busy machine may take seconds between two messages of a test. Only the test of silent peers
    // shortens this.
    configuration.limits.wire.authenticationSeconds = 600
    change(&configuration)
    let (stream, continuation) = AsyncStream.makeStream(of: RunningServer.self)
    let server = Server(configuration)
    let task = Task {
      defer { continuation.finish() }
      try await server.run { continuation.yield($0) }
    }
    var iterator = stream.makeAsyncIterator()
    guard let running = await iterator.next() else {
      _ = try await task.value
      throw CancellationError()
    }
    let result: Result<Value, any Error>
    do { result = .success(try await body(running, configuration)) } catch {
      result = .failure(error)
    }
    task.cancel()
    try await task.value
    return try result.get()
  }
}

/// A log that keeps what is written.
final class KeptLog: Log {
  private let kept = Mutex<[LogEvent]>([])

  func write(_ event: LogEvent) { kept.withLock { $0.append(event) } }

  var events: [LogEvent] { kept.withLock { $0 } }
}
