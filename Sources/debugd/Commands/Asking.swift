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

  /// Asks for all timelines, or those of one app, those that a word may mean, or the newest ones.
  ///
  /// An older daemon answers with more of them.
  func timelines(
    app: String? = nil, live: Bool = false, named word: String? = nil, limit: Int64? = nil
  ) async throws -> [ToInspector.TimelineSummary] {
    let request = FromInspector.Timelines {
      $0.app = app
      $0.live = live
      $0.named = word
      $0.limit = limit
    }
    return try await ask(request).timelines
  }

  /// The timeline that a word means.
  ///
  /// All timelines are read only to say what the word could have been.
  func timeline(
    meaning word: String, live: Bool = false
  ) async throws -> TimelineID {
    let named = try await timelines(live: live, named: word)
    if let found = try? TimelineChoice(named)(word) { return found }
    if word == TimelineChoice.last, named.isEmpty, !live, let newest = try await newestTimeline() {
      return newest
    }
    return try TimelineChoice(await timelines(live: live))(word)
  }

  /// The newest recording, or the newest branch if there is nothing else.
  func newestTimeline() async throws -> TimelineID? {
    let few = TimelineChoice(try await timelines(limit: 100))
    if let newest = few.newestOfApps { return newest }
    return TimelineChoice(try await timelines()).newest
  }
}

/// Why a command does not do what it was asked, in a sentence for people.
struct CommandError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
