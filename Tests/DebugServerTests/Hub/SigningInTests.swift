import DebugServer
import JSONCore
import Testing
import Timelines
import Wire

@Suite("Inspectors sign in over TCP")
struct SigningInTests {
  private static func proof(_ text: String, _ secret: String) -> String {
    ProofText.proof(of: text, secret: Array(secret.utf8))
  }

  @Test("and learn whether the daemon ends with the command that shows files")
  func temporary() {
    var viewer = HubWorld(isTemporary: true)
    var daemon = HubWorld()
    let code = viewer.code(#"["look"]"#)
    let other = daemon.code(#"["look"]"#)
    let page = viewer.signIn(viewer.connect(.inspector, .port), key: code.key, secret: code.secret)
    let lasting = daemon.signIn(
      daemon.connect(.inspector, .port), key: other.key, secret: other.secret)
    #expect(page["temporary"] == true)
    #expect(lasting["type"] == "welcome" && lasting["temporary"] == nil)
  }

  @Test("with a code once, then with the session made from it, and no secret is ever sent")
  func codes() {
    var world = HubWorld()
    let code = world.code(#"["look"]"#)
    #expect(code.secret.utf8.count == 64)

    let page = world.connect(.inspector, .port)
    let challenge = world.challenge(page, key: code.key)
    let texts = world.texts(of: challenge, key: code.key)
    #expect(challenge["proof"]?.string == Self.proof(texts.daemon, code.secret))
    let welcome = world.prove(page, Self.proof(texts.inspector, code.secret))
    #expect(welcome["capabilities"] == ["look"])
    #expect(welcome["session"] == "s1")
    let secret = Self.proof(texts.session, code.secret)
    #expect(world.saved?.sessions.map(\.secret) == [secret])

    let thief = world.connect(.inspector, .port)
    #expect(world.challenge(thief, key: code.key)["code"] == "unauthorised", "used up")
    #expect(world.closes[thief]?.code == .unauthorised)

    let again = world.connect(.inspector, .port)
    #expect(world.signIn(again, key: "s1", secret: secret)["type"] == "welcome")

    let sent = [challenge, welcome].map { String(decoding: $0.encoded(), as: UTF8.self) }
    let logged = world.logged.map { "\($0.message) \($0.fields)" }
    for secret in [code.secret, secret] {
      #expect(!(sent + logged).contains { $0.contains(secret) })
    }
  }

  @Test("of two that prove the same code at once, one gets a session")
  func race() {
    var world = HubWorld()
    let code = world.code()
    let peers = [world.connect(.inspector, .port), world.connect(.inspector, .port)]
    let proofs = peers.map { peer in
      let texts = world.texts(of: world.challenge(peer, key: code.key), key: code.key)
      return Self.proof(texts.inspector, code.secret)
    }
    let answers = zip(peers, proofs).map { world.prove($0, $1)["type"] }
    #expect(answers == ["welcome", "error"])
  }

  @Test("and are refused a code that is a minute old, before and after the challenge")
  func oldCode() {
    var world = HubWorld()
    let code = world.code()
    let slow = world.connect(.inspector, .port)
    let texts = world.texts(of: world.challenge(slow, key: code.key), key: code.key)
    world.now += 60_000
    let late = world.connect(.inspector, .port)
    #expect(world.challenge(late, key: code.key)["code"] == "unauthorised")
    #expect(world.prove(slow, Self.proof(texts.inspector, code.secret))["type"] == "error")
  }

  @Test("only with a proof of their own, for this connection, at the requested address")
  func attacks() {
    var world = HubWorld(sessions: HubWorld.session())
    // What a program on the port could have: both proofs of an earlier handshake.
    let earlier = world.connect(.inspector, .port)
    let old = world.challenge(earlier, key: "s1")
    let oldTexts = world.texts(of: old, key: "s1")
    let replayed = Self.proof(oldTexts.inspector, "t1")
    #expect(world.prove(earlier, replayed)["type"] == "welcome")

    let attacks: [(String, (JSON, ProofText.Inspection) -> String)] = [
      ("nothing", { _, _ in "" }),
      ("a replayed proof", { _, _ in replayed }),
      ("the daemon's own proof", { challenge, _ in challenge["proof"]?.string ?? "" }),
      ("the daemon's text", { _, texts in Self.proof(texts.daemon, "t1") }),
      ("another secret", { _, texts in Self.proof(texts.inspector, "t2") }),
      (
        // The page talked to a program on another port, which passes everything on.
        "a relayed proof",
        { challenge, _ in
          Self.proof(
            ProofText.Inspection(
              host: "127.0.0.1:7358", key: "s1", inspectorNonce: HubWorld.nonce,
              daemonNonce: challenge["nonce"]?.string ?? ""
            ).inspector, "t1")
        }
      ),
      (
        "a recorder's proof",
        { challenge, _ in
          Self.proof(
            ProofText.recorder(
              recorderNonce: HubWorld.nonce, daemonNonce: challenge["nonce"]?.string ?? ""), "t1")
        }
      ),
    ]
    for (name, attack) in attacks {
      let peer = world.connect(.inspector, .port)
      let challenge = world.challenge(peer, key: "s1")
      let texts = world.texts(of: challenge, key: "s1")
      #expect(world.prove(peer, attack(challenge, texts))["code"] == "unauthorised", "\(name)")
      #expect(world.closes[peer]?.code == .unauthorised, "\(name)")
      #expect(
        world.prove(peer, Self.proof(texts.inspector, "t1")) == .null, "\(name): no second try")
    }
  }

  @Test(
    "and are sent away when the first message proves nothing",
    arguments: [
      "", #""key":"s1""#, #""key":"s1","nonce":"zz""#, #""key":"s9","nonce":"\#(HubWorld.nonce)""#,
      #""key":"c1","nonce":"\#(HubWorld.nonce)""#, #""key":"","nonce":"\#(HubWorld.nonce)""#,
      #""proof":"\#(HubWorld.nonce)""#, #""session":"t1""#, #""code":"t1""#,
      #""key":"s1","boot":"\#(HubWorld.nonce)","nonce":"\#(HubWorld.nonce)""#,
    ])
  func nothing(hello: String) {
    var world = HubWorld(sessions: HubWorld.session())
    let peer = world.connect(.inspector, .port)
    world.send(
      #"{"type":"hello","version":"1.0"\#(hello.isEmpty ? "" : ",")\#(hello)}"#, as: peer)
    #expect(world.receive(as: peer).map { $0["code"] } == ["unauthorised"])
    #expect(world.closes[peer]?.code == .unauthorised)
  }

  @Test("with few connections of one session, and another one after one has left")
  func connections() {
    var world = HubWorld(sessions: HubWorld.session()) { $0.connectionsOfSession = 2 }
    let first = world.connect(.inspector, .port)
    for peer in [first, world.connect(.inspector, .port)] {
      #expect(world.signIn(peer, key: "s1", secret: "t1")["type"] == "welcome")
    }
    let third = world.connect(.inspector, .port)
    #expect(world.signIn(third, key: "s1", secret: "t1") == .null)
    #expect(world.closes[third]?.code == .limit)
    #expect(
      world.closes[third]?.reason
        == "The session already has 2 connections. To fix, close tabs of the inspector.")
    world.handle(.disconnected(first))
    let fourth = world.connect(.inspector, .port)
    #expect(world.signIn(fourth, key: "s1", secret: "t1")["type"] == "welcome")
  }

  @Test("and a challenge that is not answered ends after five seconds")
  func silence() {
    var world = HubWorld(sessions: HubWorld.session())
    let peer = world.connect(.inspector, .port)
    world.wait(4_000)
    _ = world.challenge(peer, key: "s1")
    world.wait(999)
    #expect(world.closes[peer] == nil)
    world.wait(1)
    #expect(world.closes[peer]?.code == .unauthorised)
  }

  @Test("with a key for this run of the daemon, which is void in the next one")
  func boot() throws {
    var world = HubWorld(sessions: HubWorld.session())
    let page = world.connect(.inspector, .port)
    let boot = world.signIn(page, key: "s1", secret: "t1")["boot"]?.string ?? ""
    let stored = Self.proof(ProofText.boot(boot), "t1")
    let tab = world.connect(.inspector, .port)
    #expect(world.signIn(tab, key: "s1", secret: stored, boot: boot)["type"] == "welcome")
    let mixed = world.connect(.inspector, .port)
    #expect(world.signIn(mixed, key: "s1", secret: stored)["type"] == "error")

    // The daemon starts again with the sessions that it wrote down.
    var next = HubWorld(sessions: HubWorld.session())
    let stale = next.connect(.inspector, .port)
    #expect(next.challenge(stale, key: "s1", boot: boot)["code"] == "unauthorised")
    let open = next.connect(.inspector, .port)
    let welcome = next.signIn(open, key: "s1", secret: "t1")
    #expect(welcome["type"] == "welcome", "a page that stayed open has the secret itself")
    #expect(welcome["boot"] != .string(boot))
    let forged = next.connect(.inspector, .port)
    #expect(
      next.signIn(forged, key: "s1", secret: stored, boot: welcome["boot"]?.string)["type"]
        == "error")
  }

  @Test("and start hosts only when that was requested")
  func host() {
    var world = HubWorld()
    for (wish, capabilities) in [
      (nil, ["look", "change", "control"] as JSON), (#"["look","host"]"#, ["look", "host"]),
    ] {
      let code = world.code(wish)
      let page = world.connect(.inspector, .port)
      #expect(
        world.signIn(page, key: code.key, secret: code.secret)["capabilities"] == capabilities)
    }
    let code = world.code()
    let page = world.connect(.inspector, .port)
    _ = world.signIn(page, key: code.key, secret: code.secret)
    world.send(#"{"type":"host","id":1,"executable":"/bin/true"}"#, as: page)
    let refusal = world.receive(as: page).first
    #expect(refusal?["code"] == "forbidden")
    #expect(refusal?["message"]?.string?.hasSuffix("run: debugd open --host") == true)
  }

  @Test("and a revoked session is closed at once and let in no more")
  func revoked() {
    var world = HubWorld(sessions: HubWorld.session([.look]))
    let half = world.connect(.inspector, .port)
    let texts = world.texts(of: world.challenge(half, key: "s1"), key: "s1")
    let page = world.connect(.inspector, .port)
    _ = world.signIn(page, key: "s1", secret: "t1")
    let local = world.inspector()
    _ = world.receive(as: local)
    world.send(#"{"type":"sessions","id":1}"#, as: local)
    let list = world.receive(as: local).first?["sessions"]
    #expect(list?[0]?["id"] == "s1")
    #expect(list?[0]?["connected"] == true)
    world.send(#"{"type":"revoke","id":2,"session":"s1"}"#, as: local)
    #expect(world.closes[page]?.code == .revoked)
    let again = world.connect(.inspector, .port)
    #expect(world.signIn(again, key: "s1", secret: "t1")["code"] == "unauthorised")
    #expect(world.prove(half, Self.proof(texts.inspector, "t1"))["type"] == "error")
    #expect(world.saved?.sessions.isEmpty == true)
  }

  @Test("and get codes for others over the Unix socket only")
  func noInviteOverTCP() {
    var world = HubWorld(sessions: HubWorld.session())
    let page = world.connect(.inspector, .port)
    _ = world.signIn(page, key: "s1", secret: "t1")
    world.send(#"{"type":"invite","id":1}"#, as: page)
    #expect(world.receive(as: page).first?["code"] == "forbidden")
  }

  @Test("and their own name is truncated, with a session as with a code")
  func longNames() {
    var world = HubWorld(sessions: HubWorld.session())
    let long = String(repeating: "x", count: 50_000)
    let peer = world.connect(.inspector, .port)
    let texts = world.texts(of: world.challenge(peer, key: "s1"), key: "s1")
    let proof = Self.proof(texts.inspector, "t1")
    world.send(
      #"{"type":"hello","version":"1.0","proof":"\#(proof)","client":"\#(long)"}"#, as: peer)
    #expect(world.types(peer) == ["welcome"])
    #expect(world.logged.allSatisfy { $0.message.utf8.count < 300 })
  }
}
