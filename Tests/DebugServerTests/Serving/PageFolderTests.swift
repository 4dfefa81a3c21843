import Testing

@testable import DebugServer

@Suite("The folder of the page")
struct PageFolderTests {
  private static let prefix = "/usr/local/share/debugd/web"
  private static let here = "/there/states/web"

  @Test(
    "is the one that was given, then the environment's, then the prefix's, then that beside the user",
    arguments: [
      ("/given", "/env", [prefix, here], "/given"),
      (nil, "/env", [prefix, here], "/env"),
      (nil, "", [prefix, here], prefix),
      (nil, nil, [prefix, here], prefix),
      (nil, nil, [here], here),
      (nil, nil, [], nil),
      // Given is given, whether it is there or not: who mistypes it is told.
      ("/nowhere", nil, [prefix], "/nowhere"),
    ] as [(String?, String?, [String], String?)])
  func order(given: String?, variable: String?, there: [String], found: String?) {
    let folder = ServerConfiguration.webFolder(
      given: given, environment: variable.map { ["DEBUGD_WEB": $0] } ?? [:],
      executable: "/usr/local/bin/debugd", workingDirectory: "/there/states",
      exists: { there.map { $0 + "/index.html" }.contains($0) })
    #expect(folder == found)
  }
}
