import DebugServer
import Foundation
import JSONCore
import Timelines
import Wire

/// The branches that agents made and did not keep.
///
/// Their names have the time at which they were made, because the header of a branch has that of its
/// parent. So a later process can delete what one that was killed left behind.
struct ScratchBranches: Sendable {
  private static let prefix = "temporary "
  static let lifetime: TimeInterval = 3600

  let now: @Sendable () -> Date

  /// The name of a branch that the caller did not ask to keep.
  func name(_ given: String?) -> String {
    "\(Self.prefix)\(now().formatted(.iso8601)): \(given ?? "made by an agent")"
  }

  /// Deletes those that are too old.
  func deleteExpired(on backend: any Backend) async throws {
    for summary in try await backend.timelines() where isExpired(summary) {
      guard let id = summary.header["timeline"]?.string.flatMap({ TimelineID($0) }) else {
        continue
      }
      let request = FromInspector.Delete { $0.timeline = id }
      // A branch of it, or another process that deletes it, does not matter here.
      _ = try? await backend.ask(request)
    }
  }

  /// A branch that a person renamed or marked is no longer temporary.
  func isExpired(_ summary: ToInspector.TimelineSummary) -> Bool {
    guard let parent = summary.header["parent"], summary.marks?.isEmpty != false,
      (summary.branches ?? 0) == 0, summary.computing == nil,
      let made = Self.date(in: summary.name ?? parent["name"]?.string ?? "")
    else { return false }
    return now().timeIntervalSince(made) > Self.lifetime
  }

  private static func date(in name: String) -> Date? {
    guard name.hasPrefix(prefix) else { return nil }
    let text = name.dropFirst(prefix.count).prefix("2026-01-01T00:00:00Z".count)
    return try? Date.ISO8601FormatStyle().parse(String(text))
  }
}
