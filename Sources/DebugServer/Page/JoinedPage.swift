/// The page in three files instead of a hundred and fifty: a browser requests each file separately,
/// six at a time, which takes longer than everything else when the page opens.
///
/// The files in the folder stay as they are; the bundle exists only in memory. Each module becomes
/// a function that returns its exports, in the order in which a browser would run them. If a file
/// uses syntax that the page's own modules do not use, nothing is bundled, and the browser gets the
/// files one by one.
struct JoinedPage: Equatable {
  /// The page itself, which refers to the other two.
  let page: String
  /// All modules, `page.js`.
  let script: String
  /// All style sheets, `page.css`.
  let style: String

  static let scriptName = "page.js"
  static let styleName = "page.css"

  private static let scriptTag = (before: "<script type=\"module\" src=\"", after: "\"></script>")
  private static let styleTag = (before: "<link rel=\"stylesheet\" href=\"", after: "\">")
  private static let preloadTag = "<link rel=\"modulepreload\""

  /// Bundles what a page refers to; `nil` if something is not supported.
  ///
  /// - Parameter read: the text of a file, by its path in the folder.
  init?(page: String, read: (String) -> String?) {
    var lines: [Substring] = []
    var styles: [String] = []
    var script: String?
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      let tag = line.drop { $0 == " " }
      if tag.hasPrefix(Self.preloadTag) { continue }
      if let path = Self.inside(Self.styleTag, tag) {
        guard let sheet = read(path), !sheet.contains("url("), !sheet.contains("@import") else {
          return nil
        }
        if styles.isEmpty {
          lines.append("    <link rel=\"stylesheet\" href=\"\(Self.styleName)\">")
        }
        styles.append(sheet)
      } else if let path = Self.inside(Self.scriptTag, tag) {
        guard script == nil, let joined = JoinedModules(from: path, read: read)?.text else {
          return nil
        }
        script = joined
        lines.append("    <script type=\"module\" src=\"\(Self.scriptName)\"></script>")
      } else {
        lines.append(line)
      }
    }
    guard let script, !styles.isEmpty else { return nil }
    self.page = lines.joined(separator: "\n")
    self.script = script
    style = styles.joined(separator: "\n")
  }

  /// What a tag refers to, if the line is one.
  private static func inside(_ tag: (before: String, after: String), _ line: Substring) -> String? {
    guard line.hasPrefix(tag.before), line.hasSuffix(tag.after) else { return nil }
    return String(line.dropFirst(tag.before.count).dropLast(tag.after.count))
  }
}
