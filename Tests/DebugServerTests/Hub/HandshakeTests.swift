import DebugServer
import JSONCore
import Testing
import Timelines
import Wire

@Suite("Authentication")
struct HandshakeTests {
  static let nonce = String(repeating: "a1", count: 16)

  @Test("a recorder over TCP and the daemon prove the secret to each other without sending it")
  func challenge() {
    var world = HubWorld()
    let peer = world.connect(.recorder, .port)
    world.send(#"{"type":"hello","version":"1.0","nonce":"\#(Self.nonce)"}"#, as: peer)
    let challenge = world.receive(as: peer).first
    let theirs = challenge?["nonce"]?.string ?? ""
    #expect(ProofText.isNonce(theirs))
    let expected = ProofText.proof(
      of: ProofText.daemon(recorderNonce: Self.nonce, daemonNonce: theirs),
      secret: HubWorld.secret.bytes)
    #expect(challenge?["proof"]?.string == expected)
    let proof = ProofText.proof(
      of: ProofText.recorder(recorderNonce: Self.nonce, daemonNonce: theirs),
      secret: HubWorld.secret.bytes)
    world.send(#"{"type":"hello","version":"1.0","proof":"\#(proof)"}"#, as: peer)
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
    for frame in frames { world.send(frame, as: peer) }
    #expect(world.closes[peer]?.code == .unauthorised)
    #expect(world.receive(as: peer).last?["type"] == "error")
    world.send(#"{"type":"hello","version":"1.0","nonce":"\#(Self.nonce)"}"#, as: peer)
    #expect(world.receive(as: peer).isEmpty, "nothing more is answered")
  }

  @Test(
    "a first 'hello' over TCP learns what a nonce is",
    arguments: [
      "", #","nonce":"\#(nonce.uppercased())""#, #","nonce":"a1""#,
      #","nonce":"\#(nonce)\#(nonce)a1""#,
    ])
  func noNonce(key: String) {
    var world = HubWorld()
    let peer = world.connect(.recorder, .port)
    world.send(#"{"type":"hello","version":"1.0"\#(key)}"#, as: peer)
    let error = world.receive(as: peer).last
    #expect(error?["code"] == "unauthorised")
    #expect(
      error?["message"]?.string
        == "'hello' needs a nonce: 16 to 32 bytes in lower-case hexadecimal digits.")
    #expect(world.closes[peer]?.reason == "'hello' needs a nonce.")
  }

  @Test("the daemon's own proof does not authenticate a recorder")
  func reflection() {
    var world = HubWorld()
    let peer = world.connect(.recorder, .port)
    world.send(#"{"type":"hello","version":"1.0","nonce":"\#(Self.nonce)"}"#, as: peer)
    let proof = world.receive(as: peer).first?["proof"]?.string ?? ""
    world.send(#"{"type":"hello","version":"1.0","proof":"\#(proof)"}"#, as: peer)
    #expect(world.closes[peer]?.code == .unauthorised)
  }

  @Test("accepts only short messages before authentication", arguments: PeerRole.allCases)
  func firstMessage(role: PeerRole) {
    var world = HubWorld()
    let limits = ProtocolLimits()
    let long = String(repeating: "x", count: limits.firstMessage)
    let stranger = world.connect(role)
    #expect(world.messageLimits[stranger] == nil)
    world.send(
      #"{"type":"hello","version":"1.0","run":"\#(long)","client":"\#(long)"}"#, as: stranger)
    #expect(world.receive(as: stranger).first?["code"] == "limit")
    #expect(world.closes[stranger]?.code == .unauthorised)
    #expect(world.messageLimits[stranger] == nil)
    let known = world.connect(role)
    world.send(#"{"type":"hello","version":"1.0"}"#, as: known)
    #expect(
      world.messageLimits[known]
        == (role == .recorder ? limits.recorderMessage : limits.inspectorMessage))
    #expect(world.types(known).contains("welcome"))
    world.send(#"{"type":"timelines","id":1,"x":"\#(long)"}"#, as: known)
    #expect(world.closes[known] == nil)
  }

  @Test("the longest list of timelines fits into a first message")
  func longestHello() {
    var world = HubWorld()
    let peer = world.connect(.recorder)
    let timelines = (0..<ServerLimits().timelinesOfRecorder)
      .map { _ in "\"\(TimelineID.random())\"" }.joined(separator: ",")
    world.send(#"{"type":"hello","version":"1.0","timelines":[\#(timelines)]}"#, as: peer)
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
    world.send(#"{"type":"hello","version":"2.0"}"#, as: peer)
    #expect(world.receive(as: peer).first?["code"] == "version")
    #expect(world.closes[peer]?.code == .version)
  }
}
