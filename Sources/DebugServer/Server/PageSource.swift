internal import Synchronization
internal import WebSockets

protocol PageSource: Sendable {
  /// The response to a request that the gate accepted.
  func response(to request: Request) -> Response
}

/// The text instead of a page, if none was found.
struct NoPage: PageSource {
  func response(to request: Request) -> Response {
    guard request.path == "/" else { return .text(404, "File not found.") }
    return .text(
      200,
      """
      debugd \(DaemonVersion.product) is running, and has found no inspector page.

      To fix, say where its files are: debugd serve --web FOLDER, or the variable DEBUGD_WEB.
      They are the folder 'web' of the source, or share/debugd/web next to the folder of the binary.
      """)
  }
}

/// A folder with the page.
///
/// The page at `/` is bundled into few files; `/index.html` and all others are served as they are
/// in the folder. Changed files are bundled again. Unauthenticated peers may request the page, so a
/// request must be cheap: files are checked at most once a second, and all responses share their
/// bytes.
///
/// Safe: Sendable, because the bundle is behind a lock.
final class PageFolder: PageSource {
  private let files: StaticFiles
  private let joined = Mutex<Joined?>(nil)
  private let now: @Sendable () -> ContinuousClock.Instant

  /// The bundle, its files, and when they were last checked.
  private struct Joined {
    let parts: [String: String]
    let texts: [String: StaticText]
    var looked: ContinuousClock.Instant
  }

  /// How often to check for changed files.
  static let lookEvery = Duration.seconds(1)

  init(
    _ files: StaticFiles, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.files = files
    self.now = now
  }

  func response(to request: Request) -> Response {
    guard Self.paths.contains(request.path), let text = joinedTexts()[request.path] else {
      return files.response(to: request)
    }
    return files.response(to: request, text: text)
  }

  private static let paths = ["/", "/" + JoinedPage.scriptName, "/" + JoinedPage.styleName]

  /// The bundled page, from the files of at most a second ago; empty if they cannot be bundled.
  private func joinedTexts() -> [String: StaticText] {
    joined.withLock { known in
      let now = now()
      if let joined = known {
        if now - joined.looked < Self.lookEvery { return joined.texts }
        if joined.parts.allSatisfy({ files.tag(of: $0.key) == $0.value }) {
          known?.looked = now
          return joined.texts
        }
      }
      let joined = join(at: now)
      known = joined
      return joined.texts
    }
  }

  private func join(at now: ContinuousClock.Instant) -> Joined {
    var parts: [String: String] = [:]
    let read = { [files] (path: String) -> String? in
      guard let (text, tag) = files.text(at: path) else { return nil }
      parts[path] = tag
      return text
    }
    var texts: [String: StaticText] = [:]
    if let page = read("index.html").flatMap({ JoinedPage(page: $0, read: read) }) {
      texts["/"] = StaticText(page.page, named: "index.html")
      texts["/" + JoinedPage.scriptName] = StaticText(page.script, named: JoinedPage.scriptName)
      texts["/" + JoinedPage.styleName] = StaticText(page.style, named: JoinedPage.styleName)
    }
    return Joined(parts: parts, texts: texts, looked: now)
  }
}
