import Foundation
import TestSupport
import Testing

@testable import DebugServer

@Suite("The socket of another user")
struct ForeignSocketTests {
  @Test("is refused before anything is sent to it")
  func refused() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let path = folder + "/recorder.sock"
    try Data().write(to: URL(filePath: path))
    let error = await #expect(throws: ServerError.self) {
      _ = try await SocketBackend.connect(to: path, user: geteuid() + 1)
    }
    #expect(
      error?.description == """
        The socket \(path) belongs to another user: a daemon serves only its own user. To fix, pass \
        the socket of your own daemon: --socket PATH
        """)
    // One's own is tried, and nothing listens here.
    await #expect(throws: BackendError.self) {
      _ = try await SocketBackend.connect(to: path)
    }
  }

  @Test("is not taken for a missing daemon in a folder that the user may not enter")
  func closedFolder() {
    let path = "/srv/other/run/recorder.sock"
    #expect(
      SocketBackend.foreign(path, code: EACCES, owner: 0, user: 1_000) == """
        You may not enter the folder of the socket \(path), so it is not your daemon's. To fix, pass \
        the socket of your own daemon: --socket PATH
        """)
    #expect(SocketBackend.foreign(path, code: ENOENT, owner: 0, user: 1_000) == nil)
    #expect(SocketBackend.foreign(path, code: 0, owner: 1_000, user: 1_000) == nil)
  }
}
