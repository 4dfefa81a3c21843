/// Parts of the paths that a user types.
enum FilePath {
  /// The folder of a path; empty for a name alone.
  ///
  /// `NSString.deletingLastPathComponent` of swift-corelibs-foundation traps on a single character.
  static func folder(of path: String) -> String {
    let path = withoutLastSlashes(path[...])
    guard let slash = path.lastIndex(of: "/") else { return "" }
    let folder = withoutLastSlashes(path[..<slash])
    return folder.isEmpty ? "/" : String(folder)
  }

  private static func withoutLastSlashes(_ path: Substring) -> Substring {
    var rest = path
    while rest.last == "/" { rest.removeLast() }
    return rest
  }
}
