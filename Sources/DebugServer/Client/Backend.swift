package import Timelines

/// Answers what an inspector may ask: a running daemon, or the store itself when none runs.
///
/// ```swift
/// let backend = try await Backends.open(configuration)
/// let answer = try await backend.ask(.timelines(FromInspector.Timelines()))
/// ```
package protocol Backend: Sendable {
  /// Asks something and waits for the answer.
  ///
  /// - Parameter each: gets what comes before the answer, in order: `progress`, and all parts of an
  ///   `export` but the last. What is told without having been asked goes to ``news()``.
  func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer

  /// What is told without having been asked, after `watch`: `live`, `timeline`, `gone`, `control`,
  /// `hosts`, `notice`; and the `progress` of what goes on after its answer, as a branch does.
  ///
  /// While nobody takes them, only the newest of each kind waits for each timeline: a `live` may
  /// follow one with a `last` far below its `from`. Ask for the entries in between.
  ///
  /// It ends with the connection. Where no daemon runs nothing is told, and it ends at once.
  func news() async -> AsyncStream<ToInspector>

  /// Ends the connection, or closes the store.
  func close() async
}

extension Backend {
  /// Asks something and waits for the answer alone.
  package func ask(_ request: FromInspector) async throws(BackendError) -> BackendAnswer {
    try await ask(request) { _ in }
  }
}

/// An answer.
package enum BackendAnswer: Sendable {
  /// A message, which is not an error.
  case message(ToInspector)
  /// The frame that answers `overview`.
  case overview(OverviewFrame)
}

/// Why there is no answer.
package enum BackendError: Error, Sendable {
  /// The daemon, or the store, refused the request.
  case refused(ErrorReply)
  /// The connection ended, with the daemon's words or the system's.
  case disconnected(String)
  /// Something came that is no answer to the request.
  case unexpected(String)
}

extension BackendError: CustomStringConvertible {
  /// A sentence for people, on one line: it may be that of a host, and could otherwise forge others.
  package var description: String {
    switch self {
    case .refused(let reply): PlainText.escaping(reply.message)
    case .disconnected(let why):
      "The connection to the daemon ended: \(PlainText.escaping(why))"
    case .unexpected(let what): "The daemon answered something else: \(what)"
    }
  }
}
