import Foundation
import TestSupport
import Testing

@testable import Recorder

@Suite("The file of a secret")
struct SecretFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("secret")
    try Data("0123456789abcdef".utf8).write(to: URL(filePath: path))
    chmod(path, 0o600)
  }

  private func problem(_ path: String) -> String? {
    guard case .failure(let problem) = SecretFile.read(path) else { return nil }
    return problem.text
  }

  @Test("is read when it is its owner's alone")
  func reads() throws {
    #expect(try SecretFile.read(path).get() == Array("0123456789abcdef".utf8))
  }

  @Test("that others may read is refused", arguments: [0o640, 0o604, 0o660] as [mode_t])
  func open(mode: mode_t) throws {
    let path = folder.path("it's secret")
    try Data("0123456789abcdef".utf8).write(to: URL(filePath: path))
    chmod(path, mode)
    let command = try #require(problem(path)?.components(separatedBy: "alone: ").last)
    #expect(try Shell.run(command) == 0)
    #expect(problem(path) == nil, "after \(command)")
  }

  @Test(
    "that is another user's is refused, and a copy is read",
    .enabled(if: geteuid() == 0, "giving a file away needs root"))
  func foreign() throws {
    #expect(chown(path, 65_534, 65_534) == 0)
    #expect(problem(path) == "It belongs to another user. To fix, name a copy of your own.")
    let copy = folder.path("copy")
    #expect(try Shell.run("cp \(path) \(copy)") == 0)
    chmod(copy, 0o600)
    #expect(problem(copy) == nil)
  }

  @Test("is no link, no folder, no pipe that nobody writes to, and no long file")
  func others() throws {
    let link = folder.path("link")
    #expect(symlink(path, link) == 0)
    #expect(problem(link) == "It is a link, which is not followed. To fix, name the file itself.")
    #expect(problem(folder.url.path) != nil)
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(problem(pipe) == "It is no file.")
    try Data(repeating: 0x30, count: 5_000).write(to: URL(filePath: path))
    chmod(path, 0o600)
    #expect(try #require(problem(path)).contains("too long"))
    #expect(problem(folder.path("none")) != nil)
  }
}
