import Foundation
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer

@Suite("The page with a timeline in one file")
struct SinglePageTests {
  private static let index = """
    <head>
        content="default-src 'none'; script-src 'self'"
        <link rel="stylesheet" href="a.css">
        <script type="module" src="app.js"></script>
    </head>
      <body>
      </body>
    """

  /// The page that a folder with such files makes.
  private func page(
    index: String = Self.index, script: String = "run();\n", style: String = "a {}\n",
    worker: String = "answer();\n"
  ) throws -> Result<SinglePage, PageProblem> {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    try FileManager.default.createDirectory(
      atPath: folder + "/feed", withIntermediateDirectories: true)
    let files = [
      "index.html": index, "app.js": script, "a.css": style, "feed/file-worker.js": worker,
    ]
    for (name, text) in files {
      try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
    }
    do throws(PageProblem) {
      return .success(try SinglePage(folder: folder))
    } catch {
      return .failure(error)
    }
  }

  @Test("contains its scripts and styles, and a policy that names their hashes")
  func contents() throws {
    let text = String(decoding: try page().get().before, as: UTF8.self)
    #expect(text.contains("run();") && text.contains("answer();") && text.contains("a {}"))
    #expect(!text.contains("'self'") && !text.contains("src=") && !text.contains("href="))
    // printf 'a {}\n' | openssl dgst -sha256 -binary | base64
    #expect(text.contains("style-src 'sha256-\(Self.hashOfStyle)'"))
    #expect(text.hasSuffix(#"<script type="application/zstd" id="timeline">"#))
  }

  private static let hashOfStyle = "ffLTrIV+pQfEkN/w3Rbf9koq8M1pRhO8MKGADBLhsRg="

  @Test(
    "is not made of files whose text could end an element",
    arguments: ["const a = '</script>';\n", "const a = '<!-- ';\n", "const a = '</SCRIPT';\n"])
  func endsElements(script: String) throws {
    for made in [try page(script: script), try page(worker: script), try page(style: script)] {
      guard case .failure(.unreadable) = made else {
        Issue.record("it was made")
        continue
      }
    }
  }

  @Test("is not made without a policy to replace")
  func needsPolicy() throws {
    let index = Self.index.replacing("default-src", with: "other-src")
    guard case .failure(.unreadable) = try page(index: index) else {
      Issue.record("it was made")
      return
    }
  }

  @Test("says how to name the page's files")
  func remedies() {
    #expect(
      PageProblem.missing.description
        == "An HTML file contains the inspector's page, and debugd has not found the page's files. To fix, set the variable DEBUGD_WEB to the folder 'web' of Stateline's source."
    )
    #expect(
      PageProblem.unreadable("/page").description
        == "An HTML file contains the inspector's page, and /page has none that debugd can bundle. To fix, set the variable DEBUGD_WEB to the folder 'web' of Stateline's source."
    )
  }

  @Test("base64 is the same however the bytes come", arguments: [1, 2, 3, 7, 64])
  func base64(size: Int) {
    let bytes = (0..<200).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var stream = Base64Stream()
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      text += stream.encode(Array(bytes[start..<min(bytes.count, start + size)]))
    }
    text += stream.end()
    #expect(String(decoding: text, as: UTF8.self) == Data(bytes).base64EncodedString())
  }
}
