import DebugServer
import JSONCore
import Timelines
import Wire

extension Inquiry {
  /// What an entry changed: each path with its new value, or without one if it was removed.
  ///
  /// An entry may replace the state or the outputs as a whole, where that is shorter. Then it is what is
  /// different from those before it.
  func changes(
    by line: JSONSlice, of timeline: TimelineID
  ) async -> [(path: String, value: JSON?)] {
    var changes: [(path: String, value: JSON?)] = []
    for (key, root) in [("patch", "state"), ("outputs", "outputs")] {
      guard let patch = line[key], patch.kind == .array else { continue }
      let operations = Array(patch.elements)
      if let seq = line["seq"]?.int, seq > 0, operations.count == 1,
        operations[0]["path"]?.string == "", let new = operations[0]["value"]?.value,
        let old = await value(of: Pointer(tokens: [root]), after: seq - 1, in: timeline)
      {
        for path in Patch.differingPaths(from: old, to: new) {
          changes.append(("\(Pointer(tokens: [root] + path.tokens))", new[path]))
        }
      } else {
        changes += operations.map { ("/\(root)\($0["path"]?.string ?? "")", $0["value"]?.value) }
      }
    }
    return changes
  }

  private func value(
    of path: Pointer, after seq: Int64, in timeline: TimelineID
  ) async -> JSON? {
    let request = FromInspector.State {
      $0.timeline = timeline
      $0.seq = seq
      $0.path = path
    }
    return try? await asking.ask(request).value?.value
  }
}
