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
struct PageFolder: PageSource {
  private let files: StaticFiles

  init(_ files: StaticFiles) {
    self.files = files
  }

  func response(to request: Request) -> Response { files.response(to: request) }
}
