import DebugServer
import Timelines
import Wire

// What commands ask a backend for; the questions and answers are those of the protocol, so that a
// script, the page and a command see the same.

extension Backend {
  /// Asks for one answer of a kind.
  func ask<Wanted>(
    _ request: FromInspector, _ wanted: (ToInspector) -> Wanted?
  ) async throws -> Wanted {
    let answer = try await ask(request)
    if case .message(let message) = answer, let value = wanted(message) { return value }
    throw BackendError.unexpected("\(answer)")
  }

  /// Asks for all timelines, or those of one app.
  func timelines(
    app: String? = nil, live: Bool = false
  ) async throws -> [ToInspector.TimelineSummary] {
    let request = FromInspector.Timelines {
      $0.app = app
      $0.live = live
    }
    return try await ask(request).timelines
  }
}

/// Why a command does not do what it was asked, in a sentence for people.
struct CommandError: Error, CustomStringConvertible {
  /// The sentence.
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
