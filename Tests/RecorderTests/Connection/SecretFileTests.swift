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

  @Test("a file in the place of a socket is refused")
  func notASocket() {
    let advice = "\(path) is not a socket. To fix, record to the socket that the daemon logs."
    #expect(SocketOwner.problem(at: path) == advice)
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
    let command = try #require(problem(path)?.components(separatedBy: "run: ").last)
    #expect(try Shell.run(command) == 0)
    #expect(problem(path) == nil, "after \(command)")
  }

  @Test(
    "that is another user's is refused, and a copy is read",
    .enabled(if: geteuid() == 0, "giving a file away needs root"))
  func foreign() throws {
    #expect(chown(path, 65_534, 65_534) == 0)
    #expect(problem(path) == "It belongs to another user. To fix, pass the path of your own copy.")
    let copy = folder.path("copy")
    #expect(try Shell.run("cp \(path) \(copy)") == 0)
    chmod(copy, 0o600)
    #expect(problem(copy) == nil)
  }

  @Test("must not be a link, a folder, a pipe, or a long file")
  func others() throws {
    let link = folder.path("link")
    #expect(symlink(path, link) == 0)
    #expect(problem(link) == "It is a symbolic link. To fix, pass the path of the file itself.")
    #expect(problem(folder.url.path) != nil)
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(problem(pipe) == "It is not a file. To fix, pass the path of a file.")
    try Data(repeating: 0x30, count: 5_000).write(to: URL(filePath: path))
    chmod(path, 0o600)
    #expect(
      try #require(problem(path)).contains(
        "4096 bytes. To fix, pass the path of the daemon's secret."))
    #expect(problem(folder.path("none")) != nil)
  }
}
