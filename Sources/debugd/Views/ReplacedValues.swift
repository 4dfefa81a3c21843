import DebugServer
import JSONCore
import Timelines
import Wire

/// Fetches the values that a patch replaces, so that people see what differs inside them.
enum ReplacedValues {
  /// A patch with more operations shows in itself where the differences are.
  private static let limit = 32

  /// The values by their paths; without those that are not known.
  static func values(
    replacedBy patch: JSONSlice?, at moment: EntryReference?,
    ask: (FromInspector) async throws -> ToInspector
  ) async -> [Pointer: JSON] {
    guard let moment, let patch, let operations = try? Patch(patch).operations else { return [:] }
    var values: [Pointer: JSON] = [:]
    for case .replace(let path, _) in operations.prefix(limit) {
      let request = FromInspector.State {
        $0.timeline = moment.timeline
        $0.seq = moment.seq
        $0.path = path
      }
      guard case .state(let answer)? = try? await ask(.state(request)) else { continue }
      values[path] = answer.value?.value
    }
    return values
  }
}

extension Backend {
  /// The values that a patch replaces, by their paths, as far as they are known.
  func values(
    replacedBy patch: JSONSlice?, at moment: EntryReference?
  ) async -> [Pointer: JSON] {
    await ReplacedValues.values(replacedBy: patch, at: moment) { request in
      try await ask(request) { $0 }
    }
  }
}
