import Testing

@testable import debugd

@Suite("The folder of a path")
struct FilePathTests {
  @Test(
    arguments: [
      ("a/b", "a"), ("/a/b", "/a"), ("/a", "/"), ("a", ""), ("ab", ""), ("", ""), ("/", ""),
      ("a/b/", "a"), ("a//b", "a"), ("./x", "."), ("//", ""),
    ])
  func folder(_ path: String, _ folder: String) {
    #expect(FilePath.folder(of: path) == folder)
  }
}
