/// The page in three files instead of a hundred and fifty: a browser asks for each file by itself,
/// six at a time, and that takes longer than all else that opening the page needs.
///
/// The files in the folder stay what they are; nothing is generated but what is sent. Each module
/// becomes a function that answers what the module exports, in the order in which a browser would
/// run them. What is written in another way than the page's own modules are is not joined at all:
/// the browser then gets the files one by one.
struct JoinedPage: Equatable {
  /// The page itself, which names the two others.
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

  /// Joins what a page names; `nil` when something of it cannot be joined.
  ///
  /// - Parameter read: The text of a file, by its path in the folder.
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

  /// What a tag names, when the line is one.
  private static func inside(_ tag: (before: String, after: String), _ line: Substring) -> String? {
    guard line.hasPrefix(tag.before), line.hasSuffix(tag.after) else { return nil }
    return String(line.dropFirst(tag.before.count).dropLast(tag.after.count))
  }
}
