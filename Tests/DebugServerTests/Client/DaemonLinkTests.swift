import Foundation
import JSONCore
import Synchronization
import Testing
import WebSockets
import Wire

@testable import DebugServer

/// A daemon that is deaf: after the hello of one client, and after the first request of another, it
/// reads nothing more, so it answers no ping.
private final class DeafDaemon: ServerHandler, SessionHandler, Sendable {
  private let asked = Mutex<Session?>(nil)

  func decide(_ request: Request, on loop: isolated Loop) -> UpgradeDecision { .accept(self) }

  func handle(_ exchange: Exchange, on loop: isolated Loop) {
    exchange.respond(.text(404, "Not here."))
  }

  func received(_ message: SocketMessage, from session: Session, on loop: isolated Loop) {
    guard let json = try? JSON(parsing: String(decoding: message.bytes, as: UTF8.self)) else {
      return
    }
    guard json["type"] == "hello" else {
      asked.withLock { $0 = session }
      return session.pauseReading()
    }
    // It answers pings, and nothing else.
    if json["client"] == "ignored" { return }
    let welcome = ToInspector.welcome(ToInspector.Welcome())
    session.send(.text(Envelope(welcome).encoded()))
    if json["client"] == "idle" { session.pauseReading() }
  }

  func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop) {}

  /// Answers the request, and hears until the next one.
  func answer(_ id: Int64) {
    guard let session = asked.withLock({ $0 }) else { return }
    session.resumeReading()
    session.send(.text(Envelope(ToInspector.done(ToInspector.Done()), re: .number(id)).encoded()))
  }
}

@Suite("A command's connection to the daemon", .timeLimit(.minutes(10)))
struct DaemonLinkTests {
  /// Pings at once. Both links have the same limits, so the one that was opened first would be closed
  /// first.
  private var options: SessionOptions {
    var options = SessionOptions()
    options.pingAfter = .milliseconds(10)
    options.pongWithin = .seconds(1)
    return options
  }

  @Test("is given up if the program there accepts it, answers pings, and never welcomes it")
  func ignored() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "link-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let (server, client) = (try Loop.start(), try Loop.start())
    let path = folder.appending(path: "socket").path
    _ = try await server.run { loop in
      var options = ListenerOptions()
      options.subprotocols = [PeerRole.inspector.rawValue]
      return try loop.listen(on: .unix(path: path), handler: DeafDaemon(), options: options)
    }
    let link = DaemonLink(loop: client)
    let error = await #expect(throws: BackendError.self) {
      try await link.open(
        .unix(path: path), client: "ignored", welcomedWithin: .milliseconds(10))
    }
    #expect(
      error?.description == """
        The connection to the daemon ended: the program there accepts connections, but does not \
        answer as a daemon does.
        """)
    await client.stop()
    await server.stop()
  }

  @Test(
    "ends with a sentence",
    arguments: [
      ("the connection was lost", "the connection was lost."), ("No.", "No."),
      ("", "it was closed (1006)."),
    ])
  func ends(reason: String, sentence: String) {
    let end = SessionEnd(code: .abnormal, reason: reason, side: .neither, wasClean: false)
    #expect(BackendError(end).description == "The connection to the daemon ended: \(sentence)")
  }

  @Test("never times out while a request is in progress, and does when there is none")
  func busy() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "link-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let (server, client) = (try Loop.start(), try Loop.start())
    let daemon = DeafDaemon()
    let path = folder.appending(path: "socket").path
    _ = try await server.run { loop in
      var options = ListenerOptions()
      options.subprotocols = [PeerRole.inspector.rawValue]
      return try loop.listen(on: .unix(path: path), handler: daemon, options: options)
    }
    let (busy, idle) = (DaemonLink(loop: client), DaemonLink(loop: client))
    try await busy.open(.unix(path: path), client: "busy", options: options)
    let id = try await busy.send(.status(FromInspector.Status()))
    #expect(await busy.isBusy)
    try await idle.open(.unix(path: path), client: "idle", options: options)
    #expect(await !idle.isBusy)

    #expect(await idle.nextNews() == nil)
    #expect(await idle.end != nil)
    #expect(await busy.end == nil)

    daemon.answer(id)
    guard case .message(.done) = await busy.reply(to: id) else {
      Issue.record("the request was not answered")
      return
    }
    await busy.forget(id)
    #expect(await !busy.isBusy)
    let next = try await busy.send(.status(FromInspector.Status()))
    await busy.forget(next)
    #expect(await busy.nextNews() == nil)
    #expect(await busy.end != nil)
    await client.stop(within: .zero)
    await server.stop(within: .zero)
  }
}
