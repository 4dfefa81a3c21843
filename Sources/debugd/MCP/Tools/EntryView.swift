import JSONCore
import Timelines

/// An entry as a model reads it: what happened, without the bytes that only a program needs.
enum EntryView {
  /// How many changed paths are named.
  private static let shownPaths = 6

  static func json(_ line: JSONSlice) -> JSON { json(line, leaf: nil) }

  /// - Parameters:
  ///   - leaf: where `anywhere` found what it looks for.
  ///   - changed: the paths that the entry changed (default: those that its line names).
  static func json(_ line: JSONSlice, leaf: Pointer?, changed: [String]? = nil) -> JSON {
    var entry = JSON.Object()
    for key in ["seq", "event"] { entry[key] = line[key].map { ReplyBudget.cut($0.value) } }
    let paths = shown(changed ?? changedPaths(line))
    if !paths.isEmpty { entry["changed"] = .array(paths) }
    for key in ["error", "gap", "cause", "at", "restored", "jump", "origin"] {
      entry[key] = line[key].map { ReplyBudget.cut($0.value) }
    }
    entry["leaf"] = leaf.map { ReplyBudget.cut(.string($0.description)) }
    if let redacted = line["redacted"] {
      entry["redacted"] = ReplyBudget.cut(redacted.value, to: 200)
    }
    return .object(entry)
  }

  private static func changedPaths(_ line: JSONSlice) -> [String] {
    var paths: [String] = []
    for (key, root) in [("patch", "/state"), ("outputs", "/outputs")] {
      guard let patch = line[key], patch.kind == .array else { continue }
      for operation in patch.elements.prefix(shownPaths + 1) {
        let path = root + (operation["path"]?.string ?? "")
        if !paths.contains(path) { paths.append(path) }
      }
    }
    return paths
  }

  private static func shown(_ changed: [String]) -> [JSON] {
    var paths: [String] = []
    for path in changed where !paths.contains(path) && paths.count <= shownPaths {
      paths.append(path)
    }
    let more = paths.count > shownPaths ? [JSON.string("…")] : []
    return paths.prefix(shownPaths).map { ReplyBudget.cut(.string($0), to: 200) } + more
  }
}
