import DebugServer
import JSONCore
import Testing
import Timelines

@Suite("Proving who one is")
struct HandshakeTests {
  static let nonce = String(repeating: "a1", count: 16)

  @Test("a recorder over TCP and the daemon prove the secret to each other without sending it")
  func challenge() {
    var world = HubWorld()
    let peer = world.connect(.recorder, .port)
    world.say(#"{"type":"hello","version":"1.0","nonce":"\#(Self.nonce)"}"#, as: peer)
    let challenge = world.take(peer).first
    let theirs = challenge?["nonce"]?.string ?? ""
    #expect(ProofText.isNonce(theirs))
    let expected = ProofText.proof(
      of: ProofText.daemon(recorderNonce: Self.nonce, daemonNonce: theirs),
      secret: HubWorld.secret.bytes)
    #expect(challenge?["proof"]?.string == expected)
    let proof = ProofText.proof(
      of: ProofText.recorder(recorderNonce: Self.nonce, daemonNonce: theirs),
      secret: HubWorld.secret.bytes)
    world.say(#"{"type":"hello","version":"1.0","proof":"\#(proof)"}"#, as: peer)
    #expect(world.types(peer) == ["welcome"])
  }

  @Test(
    "a recorder over TCP that proves nothing is sent away",
    arguments: [
      [#"{"type":"hello","version":"1.0"}"#],
      [#"{"type":"hello","version":"1.0","nonce":"zz"}"#],
      [#"{"type":"hello","version":"1.0","proof":"\#(nonce)"}"#],
      [
        #"{"type":"hello","version":"1.0","nonce":"\#(nonce)"}"#,
        #"{"type":"hello","version":"1.0","proof":"\#(nonce)\#(nonce)"}"#,
      ],
      [
        #"{"type":"hello","version":"1.0","nonce":"\#(nonce)"}"#,
        #"{"type":"hello","version":"1.0","nonce":"\#(nonce)"}"#,
      ],
      [Say.open()], ["not JSON"], [#"{"type":"blink"}"#], [""],
    ])
  func noProof(frames: [String]) {
    var world = HubWorld()
    let peer = world.connect(.recorder, .port)
    for frame in frames { world.say(frame, as: peer) }
    #expect(world.closes[peer]?.code == .unauthorised)
    #expect(world.take(peer).last?["type"] == "error")
    world.say(#"{"type":"hello","version":"1.0","nonce":"\#(Self.nonce)"}"#, as: peer)
    #expect(world.take(peer).isEmpty, "nothing more is answered")
  }

  @Test("the daemon's own proof is no proof of a recorder")
  func reflection() {
    var world = HubWorld()
    let peer = world.connect(.recorder, .port)
    world.say(#"{"type":"hello","version":"1.0","nonce":"\#(Self.nonce)"}"#, as: peer)
    let proof = world.take(peer).first?["proof"]?.string ?? ""
    world.say(#"{"type":"hello","version":"1.0","proof":"\#(proof)"}"#, as: peer)
    #expect(world.closes[peer]?.code == .unauthorised)
  }

  @Test("takes short messages, until it is known who sends them", arguments: PeerRole.allCases)
  func firstMessage(role: PeerRole) {
    var world = HubWorld()
    let limits = ProtocolLimits()
    let long = String(repeating: "x", count: limits.firstMessage)
    let stranger = world.connect(role)
    #expect(world.taken[stranger] == nil)
    world.say(
      #"{"type":"hello","version":"1.0","run":"\#(long)","client":"\#(long)"}"#, as: stranger)
    #expect(world.take(stranger).first?["code"] == "limit")
    #expect(world.closes[stranger]?.code == .unauthorised)
    #expect(world.taken[stranger] == nil)
    let known = world.connect(role)
    world.say(#"{"type":"hello","version":"1.0"}"#, as: known)
    #expect(
      world.taken[known] == (role == .recorder ? limits.recorderMessage : limits.inspectorMessage))
    #expect(world.types(known).contains("welcome"))
    world.say(#"{"type":"timelines","id":1,"x":"\#(long)"}"#, as: known)
    #expect(world.closes[known] == nil)
  }

  @Test("the longest list of timelines fits into a first message")
  func longestHello() {
    var world = HubWorld()
    let peer = world.connect(.recorder)
    let timelines = (0..<ServerLimits().timelinesOfRecorder)
      .map { _ in "\"\(TimelineID.random())\"" }.joined(separator: ",")
    world.say(#"{"type":"hello","version":"1.0","timelines":[\#(timelines)]}"#, as: peer)
    #expect(world.types(peer) == ["welcome"])
  }

  @Test("takes five seconds at most", arguments: PeerRole.allCases, [Entrance.port, .socket])
  func deadline(role: PeerRole, entrance: Entrance) {
    var world = HubWorld()
    let peer = world.connect(role, entrance)
    world.wait(4_999)
    #expect(world.closes.isEmpty)
    world.wait(1)
    #expect(world.closes[peer]?.code == .unauthorised)
  }

  @Test("a newer major version is refused with a sentence", arguments: PeerRole.allCases)
  func version(role: PeerRole) {
    var world = HubWorld()
    let peer = world.connect(role)
    world.say(#"{"type":"hello","version":"2.0"}"#, as: peer)
    #expect(world.take(peer).first?["code"] == "version")
    #expect(world.closes[peer]?.code == .version)
  }

  @Test("an inspector over TCP needs a code once, then the session's token")
  func codes() {
    var world = HubWorld()
    let local = world.inspector()
    _ = world.take(local)
    world.say(#"{"type":"invite","id":1,"capabilities":["look"]}"#, as: local)
    let code = world.take(local).first?["code"]?.string ?? ""
    #expect(code.utf8.count == 64)

    let page = world.connect(.inspector, .port)
    world.say(#"{"type":"hello","version":"1.0","code":"\#(code)"}"#, as: page)
    let welcome = world.take(page).first
    #expect(welcome?["capabilities"] == ["look"])
    let token = welcome?["session"]?.string ?? ""
    #expect(token.utf8.count == 64)
    #expect(world.saved?.sessions.count == 1)

    let thief = world.connect(.inspector, .port)
    world.say(#"{"type":"hello","version":"1.0","code":"\#(code)"}"#, as: thief)
    #expect(world.closes[thief]?.code == .unauthorised, "a code is good once")

    let again = world.connect(.inspector, .port)
    world.say(#"{"type":"hello","version":"1.0","session":"\#(token)"}"#, as: again)
    #expect(world.types(again) == ["welcome"])
    for event in world.logged {
      #expect(!event.message.contains(token) && !event.message.contains(code))
      #expect(!event.fields.contains { $0.value.contains(token) || $0.value.contains(code) })
    }
  }

  @Test("a code is too old after a minute")
  func oldCode() {
    var world = HubWorld()
    let local = world.inspector()
    _ = world.take(local)
    world.say(#"{"type":"invite","id":1}"#, as: local)
    let code = world.take(local).first?["code"]?.string ?? ""
    world.now += 60_000
    let page = world.connect(.inspector, .port)
    world.say(#"{"type":"hello","version":"1.0","code":"\#(code)"}"#, as: page)
    #expect(world.closes[page]?.code == .unauthorised)
  }

  @Test("a revoked session is closed at once and let in no more")
  func revoked() {
    var table = SessionTable()
    _ = table.add(
      token: "t1", capabilities: [.look], client: nil, at: Timestamp(microseconds: 0))
    var world = HubWorld(sessions: table)
    let page = world.connect(.inspector, .port)
    world.say(#"{"type":"hello","version":"1.0","session":"t1"}"#, as: page)
    let local = world.inspector()
    _ = world.take(local)
    world.say(#"{"type":"sessions","id":1}"#, as: local)
    let list = world.take(local).first?["sessions"]
    #expect(list?[0]?["id"] == "s1")
    #expect(list?[0]?["connected"] == true)
    world.say(#"{"type":"revoke","id":2,"session":"s1"}"#, as: local)
    #expect(world.closes[page]?.code == .revoked)
    let again = world.connect(.inspector, .port)
    world.say(#"{"type":"hello","version":"1.0","session":"t1"}"#, as: again)
    #expect(world.closes[again]?.code == .unauthorised)
    #expect(world.saved?.sessions.isEmpty == true)
  }

  @Test("codes are given over the Unix socket only")
  func noInviteOverTCP() {
    var table = SessionTable()
    _ = table.add(
      token: "t1", capabilities: Capability.allCases, client: nil, at: Timestamp(microseconds: 0))
    var world = HubWorld(sessions: table)
    let page = world.connect(.inspector, .port)
    world.say(#"{"type":"hello","version":"1.0","session":"t1"}"#, as: page)
    _ = world.take(page)
    world.say(#"{"type":"invite","id":1}"#, as: page)
    #expect(world.take(page).first?["code"] == "forbidden")
  }
}
