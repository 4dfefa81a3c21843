internal import Foundation
import Timelines
internal import WebSockets
package import Wire

/// Sends requests to a running daemon through its Unix socket.
package final class SocketBackend: Backend {
  private let loop: Loop
  private let link: DaemonLink

  private init(loop: Loop, link: DaemonLink) {
    self.loop = loop
    self.link = link
  }

  /// Connects to the daemon at a socket.
  ///
  /// - Parameter client: the name that this program reports.
  /// - Throws: ``BackendError``; `disconnected` if no process listens there. ``ServerError`` if the
  ///   socket belongs to another user, who could read the requests and invent the answers.
  package static func connect(
    to socket: String, client: String = "debugd", user: UInt32 = geteuid()
  ) async throws -> SocketBackend {
    var status = stat()
    let code = stat(socket, &status) == 0 ? 0 : errno
    if let problem = foreign(socket, code: code, owner: status.st_uid, user: user) {
      throw ServerError(.foreign(problem))
    }
    return try await connect(to: .unix(path: socket), client: client, signIn: nil)
  }

  /// Whether a process listens at a socket, such as a daemon that does not answer.
  package static func isListening(at socket: String) -> Bool { UnixSocketFile.answers(socket) }

  /// Why a socket is not the user's own, or cannot be looked at; `nil` if neither is known.
  static func foreign(_ socket: String, code: Int32, owner: UInt32, user: UInt32) -> String? {
    if code == EACCES {
      return """
        You may not enter the folder of the socket \(socket), so it is not your daemon's. To fix, \
        pass the socket of your own daemon: --socket PATH
        """
    }
    guard code == 0, owner != user else { return nil }
    return """
      The socket \(socket) belongs to another user: a daemon serves only its own user. To fix, \
      pass the socket of your own daemon: --socket PATH
      """
  }

  static func connect(
    to endpoint: Endpoint, client: String, signIn: SignIn?
  ) async throws -> SocketBackend {
    let loop: Loop
    do {
      loop = try Loop.start()
    } catch {
      let problem = ServerConfiguration.sentence(error)
      throw BackendError.disconnected("the network cannot be used: \(problem)")
    }
    let link = DaemonLink(loop: loop)
    do {
      try await link.open(endpoint, client: client, signIn: signIn)
    } catch {
      await loop.stop()
      throw error
    }
    return SocketBackend(loop: loop, link: link)
  }

  package func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    let id = try await link.send(request)
    let result = await withTaskCancellationHandler {
      await replies(to: id, each)
    } onCancel: {
      // The daemon answers with `cancelled`, which ends the wait.
      Task { await link.cancel(id) }
    }
    await link.forget(id)
    return try result.get()
  }

  private func replies(
    to id: Int64, _ each: @Sendable (ToInspector) async -> Void
  ) async -> Result<BackendAnswer, BackendError> {
    while let reply = await link.reply(to: id) {
      switch reply {
      case .overview(let frame): return .success(.overview(frame))
      case .message(.error(let error)): return .failure(.refused(error))
      case .message(let message):
        guard message.isPartial else { return .success(.message(message)) }
        await each(message)
      }
    }
    return .failure(await link.end ?? .disconnected("it ended."))
  }

  package func news() async -> AsyncStream<ToInspector> {
    await link.readNews()
    return AsyncStream { [link] in await link.nextNews() }
  }

  package func close() async {
    await link.close()
    await loop.stop()
  }
}

extension ToInspector {
  /// Whether the work continues after the answer.
  var isPartial: Bool {
    switch self {
    case .progress: true
    case .export(let export): export.more
    case .challenge, .welcome, .timelines, .timeline, .gone, .live, .control, .entries, .state,
      .raw,
      .diff, .changes, .find, .column, .series, .fork, .done, .import, .verify, .compare, .minimize,
      .status, .prune, .check, .sessions, .invite, .hosts, .notice, .explore, .explain, .growth,
      .invariants,
      .source, .filters,
      .manifest,
      .fetch,
      .offer,
      .error:
      false
    }
  }
}
