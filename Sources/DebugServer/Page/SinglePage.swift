internal import Foundation
internal import Timelines
internal import WebSockets

/// The page in one HTML file, around a place for a timeline: it opens without a server and without
/// a network.
///
/// ```swift
/// let page = try SinglePage(folder: "/usr/share/debugd/web")
/// let file = page.before + Array(base64OfTheTimeline.utf8) + page.after
/// ```
/// Its policy allows exactly this script and this style sheet, by their hashes, and no connection.
/// The timeline is base64 in an element that browsers do not execute, so recorded text cannot end
/// the element or become markup.
struct SinglePage: Sendable {
  /// The file up to the timeline.
  let before: [UInt8]
  /// The file after it.
  let after = Array("</script>\n  </body>\n</html>\n".utf8)

  /// Reads the page's files from a folder.
  ///
  /// - Throws: ``PageProblem`` if the folder has no page, or one that cannot be bundled.
  init(folder: String?) throws(PageProblem) {
    guard let folder else { throw .missing }
    guard let files = try? StaticFiles(root: folder) else { throw .unreadable(folder) }
    let read = { (path: String) in files.text(at: path)?.text }
    guard let index = read("index.html"), let joined = JoinedPage(page: index, read: read),
      let worker = JoinedModules(from: Self.workerPath, read: read)?.text,
      let text = Self.text(joined, worker: worker)
    else { throw .unreadable(folder) }
    before = Array(text.utf8)
  }

  /// The module that reads a file in its own thread.
  private static let workerPath = "feed/file-worker.js"

  private static func text(_ joined: JoinedPage, worker: String) -> String? {
    // Text in an element ends at these words, also inside a string.
    let ends = ["</script", "</style", "<!--"]
    let sources = [joined.script, joined.style, worker].map { $0.lowercased() }
    guard ends.allSatisfy({ end in !sources.contains { $0.contains(end) } }) else { return nil }
    var lines: [String] = []
    var replaced = 0
    for line in joined.page.split(separator: "\n", omittingEmptySubsequences: false) {
      let tag = line.drop { $0 == " " }
      if tag.hasPrefix("content=\"default-src ") {
        lines.append("content=\"\(policy(script: joined.script, style: joined.style))\"")
      } else if tag == "<link rel=\"stylesheet\" href=\"\(JoinedPage.styleName)\">" {
        lines.append("<style>\(joined.style)</style>")
      } else if tag == "<script type=\"module\" src=\"\(JoinedPage.scriptName)\"></script>" {
        lines.append("<script type=\"module\">\(joined.script)</script>")
      } else if tag == "</body>" {
        lines.append("<script type=\"text/plain\" id=\"file-worker\">\(worker)</script>")
        lines.append("<script type=\"application/zstd\" id=\"timeline\">")
        // What follows is in `after`.
        return replaced == 3 ? lines.joined(separator: "\n") : nil
      } else {
        lines.append(String(line))
        continue
      }
      replaced += 1
    }
    return nil
  }

  private static func policy(script: String, style: String) -> String {
    [
      "default-src 'none'", "script-src '\(hash(script))'", "style-src '\(hash(style))'",
      "img-src data:", "worker-src blob:", "base-uri 'none'", "form-action 'none'",
      "require-trusted-types-for 'script'", "trusted-types file-worker",
    ].joined(separator: "; ")
  }

  private static func hash(_ text: String) -> String {
    "sha256-" + Data(SHA256.hash(text.utf8)).base64EncodedString()
  }
}

/// Why there is no page to export a timeline with.
enum PageProblem: Error, Equatable, CustomStringConvertible {
  /// No folder was found.
  case missing
  /// The folder has no page, or one that cannot be bundled.
  case unreadable(String)

  var description: String {
    switch self {
    case .missing:
      """
      An HTML file contains the inspector's page, and debugd has not found the page's files. To \
      fix, set the variable DEBUGD_WEB to the folder 'web' of Stateline's source.
      """
    case .unreadable(let folder):
      """
      An HTML file contains the inspector's page, and \(folder) has none that debugd can bundle. \
      To fix, set the variable DEBUGD_WEB to the folder 'web' of Stateline's source.
      """
    }
  }
}
