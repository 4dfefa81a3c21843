internal import Synchronization
internal import WebSockets

/// Where the page's files come from.
protocol PageSource: Sendable {
  /// The answer to a request that the gate let in.
  func response(to request: Request) -> Response
}

/// The text in place of a page, where none was found.
struct NoPage: PageSource {
  func response(to request: Request) -> Response {
    guard request.path == "/" else { return .text(404, "There is no such file.") }
    return .text(
      200,
      """
      debugd \(DaemonVersion.product) is running, and has found no inspector page.

      To fix, say where its files are: debugd serve --web FOLDER, or the variable DEBUGD_WEB.
      They are the folder 'web' of the source, or share/debugd/web beside the folder of the binary.
      """)
  }
}

/// A folder with the page.
///
/// The page at `/` comes joined into few files, `/index.html` and all else as it is in the folder.
/// Files that change are joined anew.
///
/// Safe: Sendable, because what is joined is behind a lock.
final class PageFolder: PageSource {
  private let files: StaticFiles
  private let joined = Mutex<Joined?>(nil)

  /// What was joined, and of which files.
  private struct Joined {
    let parts: [String: String]
    let page: JoinedPage?
  }

  init(_ files: StaticFiles) {
    self.files = files
  }

  func response(to request: Request) -> Response {
    switch request.path {
    case "/":
      guard let page = joinedPage() else { break }
      return files.response(to: request, text: page.page, as: "index.html")
    case "/" + JoinedPage.scriptName:
      guard let page = joinedPage() else { break }
      return files.response(to: request, text: page.script, as: JoinedPage.scriptName)
    case "/" + JoinedPage.styleName:
      guard let page = joinedPage() else { break }
      return files.response(to: request, text: page.style, as: JoinedPage.styleName)
    default: break
    }
    return files.response(to: request)
  }

  /// The page joined, of the files as they are now; `nil` when they cannot be joined.
  private func joinedPage() -> JoinedPage? {
    joined.withLock { known in
      if let known, known.parts.allSatisfy({ files.tag(of: $0.key) == $0.value }) {
        return known.page
      }
      var parts: [String: String] = [:]
      let read = { [files] (path: String) -> String? in
        guard let (text, tag) = files.text(at: path) else { return nil }
        parts[path] = tag
        return text
      }
      let page = read("index.html").flatMap { JoinedPage(page: $0, read: read) }
      known = Joined(parts: parts, page: page)
      return page
    }
  }
}
