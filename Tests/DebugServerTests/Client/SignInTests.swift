import Testing
import Wire

@testable import DebugServer

@Suite("Signing in to another daemon")
struct SignInTests {
  private static let text = "s7." + String(repeating: "ab", count: 32)

  @Test(
    "takes keys, and neither codes nor anything else",
    arguments: [
      "", "s7", "s7.", "c7.\(String(repeating: "ab", count: 32))",
      "s.\(String(repeating: "a", count: 64))",
      "s7.\(String(repeating: "AB", count: 32))", "s7.abab",
      "s7.\(String(repeating: "ab", count: 32)).x",
    ])
  func keys(text: String) {
    #expect(AccessKey(text) == nil)
    #expect(AccessKey(Self.text) != nil)
  }

  @Test("sends nothing more to a program that does not know the key")
  func impostors() throws {
    let key = try #require(AccessKey(Self.text))
    var signIn = SignIn(key, host: "Team.Example:7357", client: "a test")
    let nonce = String(repeating: "a1", count: 16)
    let texts = ProofText.Inspection(
      host: "team.example:7357", key: "s7", inspectorNonce: signIn.hello.nonce ?? "",
      daemonNonce: nonce)
    let secret = Array(key.secret.utf8)
    for proof in ["", ProofText.proof(of: texts.inspector, secret: secret)] {
      #expect(throws: BackendError.self) {
        try signIn.answer(
          ToInspector.Challenge {
            $0.nonce = nonce
            $0.proof = proof
          })
      }
      #expect(!signIn.isDaemonProven)
    }
    let challenge = ToInspector.Challenge {
      $0.nonce = nonce
      $0.proof = ProofText.proof(of: texts.daemon, secret: secret)
    }
    let hello = try signIn.answer(challenge)
    #expect(hello.proof == ProofText.proof(of: texts.inspector, secret: secret))
    #expect(hello.client == "a test" && hello.key == nil)
    #expect(signIn.isDaemonProven)
    #expect(throws: BackendError.self) { try signIn.answer(challenge) }
    #expect(
      SignIn.unproven.description == """
        The program at that address does not know the key, so it is not the daemon; nothing was \
        sent. To fix, check the address.
        """)
  }

  @Test(
    "reads addresses",
    arguments: [
      ("wss://team", "team", 7357, "wss://team:7357"),
      ("wss://Team.Example:443/", "team.example", 443, "wss://team.example:443"),
      ("ws://127.0.0.1:80", "127.0.0.1", 80, "ws://127.0.0.1:80"),
      ("wss://[::1]:99", "::1", 99, "wss://[::1]:99"),
    ])
  func addresses(text: String, host: String, port: Int, shown: String) throws {
    let daemon = try #require(RemoteDaemon(text))
    #expect(daemon.host == host && daemon.port == port)
    #expect(daemon.address == shown)
    #expect(daemon.isSecure == text.hasPrefix("wss"))
    let again = try #require(RemoteDaemon(daemon.address))
    #expect(again.host == host && again.port == port && again.isSecure == daemon.isSecure)
  }

  @Test(
    "refuses other texts",
    arguments: [
      "", "team", "https://team", "wss://", "wss://:7357", "wss://team:0", "wss://team:99999",
      "wss://team:x", "wss://team/path", "wss://a:b:c", "wss://[::1", "wss://te am", "wss://t@m",
    ])
  func otherTexts(text: String) {
    #expect(RemoteDaemon(text) == nil)
  }
}
