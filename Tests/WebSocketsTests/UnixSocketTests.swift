import Foundation
import TestSupport
import Testing

@testable import WebSockets

@Suite("Unix sockets", .timeLimit(.minutes(10)))
struct UnixSocketTests {
  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
  }

  private func failure(_ path: String) async throws -> TransportError? {
    try await failure(on: .unix(path: path))
  }

  private func failure(on address: ListenAddress) async throws -> TransportError? {
    let loop = try Loop.start()
    do throws(TransportError) {
      _ = try await loop.run { (loop) throws(TransportError) in
        try loop.listen(on: address, handler: ProbeServer())
      }
      await loop.stop()
      return nil
    } catch {
      await loop.stop()
      return error
    }
  }

  @Test("belong to their owner alone, and are removed with their listener")
  func modes() async throws {
    let path = World.socketPath()
    let server = SessionProbe()
    try await World.with(ProbeServer(server), on: .unix(path: path)) { world throws in
      #expect(try mode(path) == 0o600)
      #expect(try mode(String(path.dropLast(2))) == 0o700)
      let client = SessionProbe()
      let session = await world.connect(client)
      #expect(await client.next() == .opened)
      #expect(await server.next() == .opened)
      #expect(session.peer.isSameUser)
      #expect(server.session?.peer == .unix(user: geteuid(), process: getpid()))
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("accept the public library's client")
  func library() async throws {
    let path = World.socketPath()
    try await World.with(ProbeServer(SessionProbe(isEcho: true)), on: .unix(path: path)) { _ in
      let answer = try await Asked.one(
        "websocket_client.py", ["uri": "ws://localhost/", "socket": path, "send": ["a"]])
      #expect(try Asked.text(answer) == #"{"received":["a"],"subprotocol":null}"#)
    }
  }

  @Test("of a listener that answers are kept, and those of a dead one are replaced")
  func stale() async throws {
    let path = World.socketPath()
    try await World.with(ProbeServer(), on: .unix(path: path)) { _ throws in
      #expect(try await failure(path) == .addressInUse(path))
      #expect(FileManager.default.fileExists(atPath: path))
    }
    // A socket whose listener has ended.
    try await World.with(ProbeServer(), on: .unix(path: path)) { _ in
      try FileManager.default.moveItem(atPath: path, toPath: path + ".kept")
    }
    try FileManager.default.moveItem(atPath: path + ".kept", toPath: path)
    #expect(try await failure(path) == nil)
  }

  @Test("do not replace another kind of file")
  func occupied() async throws {
    let path = World.socketPath()
    let folder = String(path.dropLast(2))
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try Data("mine".utf8).write(to: URL(filePath: path))
    #expect(
      try await failure(path)
        == .cannotListen(
          address: path,
          reason: """
            another kind of file has this path. To fix, move that file, or choose another path
            """))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test("have their accessible folder quoted for a shell in the advice")
  func quoted() async throws {
    let folder = String(World.socketPath().dropLast(2)) + "'s"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755])
    let reason = try #require(try await failure(folder + "/s")?.description)
    let command = try #require(reason.components(separatedBy: "run: ").last)
    #expect(try Shell.run(command) == 0)
    #expect(try await failure(folder + "/s") == nil, "\(command)")
  }

  @Test("are not created where other users have access, or with a name that is too long")
  func refused() async throws {
    let path = World.socketPath()
    let folder = String(path.dropLast(2))
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755])
    let open = try await failure(path)
    let advice = "other users can access \(folder). To fix, run: chmod 700 '\(folder)'"
    #expect(open?.description.contains(advice) == true)
    // Never advise to restrict a directory that others need.
    for shared in ["/etc", "/usr"] where geteuid() == 0 {
      let advice =
        "other users can access \(shared). To fix, choose a directory that only you can access"
      #expect(try await failure("\(shared)/s")?.description.contains(advice) == true)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    #expect(try await failure(path) == nil)
    let long = try await failure("/tmp/" + String(repeating: "x", count: 120) + "/s")
    if geteuid() == 0, chown(folder, 65_534, 65_534) == 0 {
      let foreign = "\(folder) belongs to another user. To fix, choose another directory"
      #expect(try await failure(path)?.description.hasSuffix(foreign) == true)
    }
    let shorter = "the path is too long for a socket. To fix, choose a shorter directory"
    #expect(long?.description.contains(shorter) == true)
    let named = try await failure(on: .tcp(host: "box.local", port: 0))
    #expect(
      named?.description.hasSuffix(
        "box.local is not a numeric address. To fix, use one such as 127.0.0.1 or ::1") == true)
    let relative = try await failure("s")
    #expect(relative?.description.contains("must begin with /") == true)
  }
}
