import JSONCore
import Timelines

/// Whom a command asks: a running daemon, or the store when there is none.
///
/// The questions and answers are those of the protocol, so that a script, the page and a command see
/// the same.
protocol Asking: Sendable {
  /// Asks, and waits for the answer; an export has several.
  ///
  /// Throws a ``Refusal`` when the answer is an error.
  func ask(
    _ request: FromInspector, progress: @escaping @Sendable (ToInspector.Progress) -> Void
  ) async throws -> [Answer]

  /// What is told without being asked, after `watch`. Ends with the connection.
  func news() -> AsyncStream<ToInspector>

  /// Says goodbye.
  func close() async
}

/// What was answered.
enum Answer: Sendable {
  /// A message.
  case message(ToInspector)
  /// The counts of an overview.
  case overview(OverviewFrame)
}

/// An answer that is an error, in words for people.
struct Refusal: Error, CustomStringConvertible {
  /// The word for programs.
  let code: ErrorCode
  /// The sentence.
  let description: String
}

extension Asking {
  /// Asks for one answer of a kind.
  func ask<Wanted>(
    _ request: FromInspector,
    progress: @escaping @Sendable (ToInspector.Progress) -> Void = { _ in },
    _ wanted: (ToInspector) -> Wanted?
  ) async throws -> Wanted {
    for answer in try await ask(request, progress: progress) {
      if case .message(let message) = answer, let value = wanted(message) { return value }
    }
    throw Refusal(code: .failed, description: "The daemon answered something else than was asked.")
  }

  /// Asks for all timelines, or those of one app.
  func timelines(
    app: String? = nil, live: Bool = false
  ) async throws -> [ToInspector.TimelineSummary] {
    let request = FromInspector.Timelines {
      $0.app = app
      $0.live = live
    }
    return try await ask(.timelines(request)) {
      if case .timelines(let answer) = $0 { answer.timelines } else { nil }
    }
  }
}
