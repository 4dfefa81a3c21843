import Timelines
package import Wire

/// Answers an inspector's requests: a running daemon, or the store itself if none is running.
///
/// ```swift
/// let backend = try await Backends.open(configuration)
/// let timelines = try await backend.ask(FromInspector.Timelines()).timelines
/// ```
package protocol Backend: Sendable {
  /// Sends a request and waits for the answer.
  ///
  /// - Parameter each: receives what precedes the answer, in order: `progress`, and all parts of an
  ///   `export` but the last. Unsolicited messages go to ``news()``.
  func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer

  /// Unsolicited messages after `watch`: `live`, `timeline`, `gone`, `control`, `hosts`, `notice`;
  /// and the `progress` of work that continues after its answer, such as a branch.
  ///
  /// While the caller does not read them, only the newest of each kind is buffered for each
  /// timeline: a `live` may follow one with a `last` far below its `from`. Request the entries in
  /// between.
  ///
  /// The stream ends with the connection, or at once if no daemon is running.
  func news() async -> AsyncStream<ToInspector>

  /// Ends the connection, or closes the store.
  func close() async
}

extension Backend {
  /// Sends a request and waits for the answer, ignoring progress.
  package func ask(_ request: FromInspector) async throws(BackendError) -> BackendAnswer {
    try await ask(request) { _ in }
  }

  /// Sends a request and waits for its answer, ignoring progress.
  package func ask<R: InspectorRequest>(_ request: R) async throws(BackendError) -> R.Reply {
    let answer = try await ask(request.body)
    let reply: any Sendable =
      switch answer {
      case .message(let message): message.message
      case .overview(let frame): frame
      }
    guard let reply = reply as? R.Reply else { throw .unexpected("\(answer)") }
    return reply
  }
}

package enum BackendAnswer: Sendable {
  /// A message, which is not an error.
  case message(ToInspector)
  case overview(OverviewFrame)
}

/// Why a request has no answer.
package enum BackendError: Error, Sendable {
  /// The daemon, or the store, refused the request.
  case refused(ErrorReply)
  /// The connection ended, with the daemon's or the system's message.
  case disconnected(String)
  /// The response is not an answer to the request.
  case unexpected(String)
}

extension BackendError: CustomStringConvertible {
  /// A sentence for people, on one line: it may quote a host, which could otherwise forge further
  /// lines.
  package var description: String {
    switch self {
    case .refused(let reply): PlainText.escaping(reply.message)
    case .disconnected(let why):
      "The connection to the daemon ended: \(PlainText.escaping(why))"
    case .unexpected(let what): "The daemon sent an unexpected answer: \(what)"
    }
  }
}
