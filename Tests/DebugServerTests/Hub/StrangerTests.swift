import DebugServer
import JSONCore
import Testing
import Timelines
import Wire

@Suite("Unauthenticated peers")
struct StrangerTests {
  /// An authenticated recorder over TCP, unless there was no room.
  private func known(_ world: inout HubWorld) -> PeerID {
    let peer = world.connect(.recorder, .port)
    let nonce = String(repeating: "a1", count: 16)
    world.send(#"{"type":"hello","version":"1.0","nonce":"\#(nonce)"}"#, as: peer)
    let theirs = world.receive(as: peer).first?["nonce"]?.string ?? ""
    let proof = ProofText.proof(
      of: ProofText.recorder(recorderNonce: nonce, daemonNonce: theirs),
      secret: HubWorld.secret.bytes)
    world.send(#"{"type":"hello","version":"1.0","proof":"\#(proof)"}"#, as: peer)
    return peer
  }

  @Test("compete only with one another: the oldest goes, and all others stay")
  func oldest() {
    var world = HubWorld { $0.strangers = 3 }
    let trusted = known(&world)
    let recorder = world.recorder()
    var strangers: [PeerID] = []
    for number in 0..<600 {
      strangers.append(world.connect(number % 2 == 0 ? .recorder : .inspector, .port))
    }
    let left = strangers.filter { world.closes[$0] == nil }
    #expect(left == Array(strangers.suffix(3)))
    #expect(world.closes[strangers[0]]?.code == .limit)
    #expect(world.closes[strangers[0]]?.reason.contains("the oldest") == true)
    #expect(world.closes[trusted] == nil)
    #expect(world.closes[recorder] == nil)
    #expect(world.types(world.recorder()) == ["welcome"])
    #expect(world.types(world.inspector()) == ["welcome"])
    #expect(world.types(known(&world)) == ["welcome"])
  }

  @Test("free their place once they authenticate")
  func proved() {
    var world = HubWorld { $0.strangers = 1 }
    let peers = (0..<5).map { _ in known(&world) }
    for peer in peers { #expect(world.closes[peer] == nil) }
  }

  @Test("peers of the port leave some places to the Unix socket")
  func reserved() {
    var world = HubWorld {
      $0.connections = 6
      $0.reservedForSocket = 2
    }
    let peers = (0..<5).map { _ in known(&world) }
    #expect(peers.prefix(4).allSatisfy { world.closes[$0] == nil })
    #expect(world.closes[peers[4]]?.code == .limit)
    #expect(world.types(world.recorder()) == ["welcome"])
    #expect(world.types(world.inspector()) == ["welcome"])
    let beyond = world.connect(.recorder)
    #expect(world.closes[beyond]?.code == .limit)
  }

  @Test("a connection that is closed for a new one leaves its place to the next")
  func leaves() {
    var world = HubWorld {
      $0.connections = 1
      $0.reservedForSocket = 0
    }
    let first = known(&world)
    #expect(world.closes[known(&world)]?.code == .limit)
    world.handle(.disconnected(first))
    #expect(world.types(known(&world)) == ["welcome"])
  }

  @Test("a peer's name and reports are cut before they are logged, and few are logged")
  func logged() {
    var world = HubWorld()
    let long = String(repeating: "x", count: 60_000)
    let local = world.inspector(long)
    let recorder = world.recorder()
    for _ in 0..<500 {
      world.send(#"{"type":"error","code":"failed","message":"\#(long)"}"#, as: recorder)
      world.send(#"{"type":"error","code":"failed","message":"\#(long)"}"#, as: local)
    }
    #expect(world.logged.allSatisfy { $0.message.utf8.count < 300 })
    #expect(world.logged.count { $0.name.hasSuffix(".error") } == 20)
    world.wait(60_000)
    world.send(#"{"type":"error","code":"failed","message":"again"}"#, as: recorder)
    let last = world.logged.last?.message
    #expect(last == "A recorder reports: again (980 more events were not logged)")
  }

  @Test("cannot flood the log or displace the reports of others")
  func rejected() {
    var world = HubWorld()
    let recorder = world.recorder()
    func knock() {
      let stranger = world.connect(.inspector, .port)
      world.send(#"{"type":"hello","version":"1.0"}"#, as: stranger)
      #expect(world.closes[stranger] != nil)
    }
    for _ in 0..<500 { knock() }
    #expect(world.logged.count { $0.name == "inspector.rejected" } == 20)
    world.send(#"{"type":"error","code":"failed","message":"x"}"#, as: recorder)
    #expect(world.logged.last?.message == "A recorder reports: x")
    world.wait(60_000)
    knock()
    #expect(
      world.logged.last?.message
        == "An inspector was rejected. (480 more events were not logged)")
  }

  @Test("peers that connect over and over leave no two lines in the log for each time")
  func arrivals() {
    var world = HubWorld()
    for _ in 0..<2_000 { world.handle(.disconnected(world.recorder())) }
    #expect(world.logged.count == 600)
  }

  @Test("on the Unix socket connections that never say hello make room for those that do")
  func silentLocal() {
    var world = HubWorld { $0.connections = 3 }
    let recorder = world.recorder()
    let silent = (0..<600).map { _ in world.connect(.inspector) }
    #expect(silent.count { world.closes[$0] == nil } == 2)
    #expect(world.closes[silent[0]]?.code == .limit)
    #expect(world.types(world.inspector()) == ["welcome"])
    #expect(world.closes[recorder] == nil)
  }

  @Test("a path that is longer than any value is deep is refused, and nothing is looked up")
  func longPath() {
    var world = HubWorld()
    let peer = world.inspector()
    _ = world.receive(as: peer)
    for path in [String(repeating: "/a", count: 100_000), String(repeating: "/a", count: 513)] {
      world.send(
        #"{"type":"changes","id":1,"timeline":"\#(Say.timeline)","path":"/state\#(path)"}"#,
        as: peer)
      let error = world.receive(as: peer).first
      #expect(error?["code"] == "wrong-value")
      #expect(error?["path"] == "path")
      #expect(error?["message"]?.string?.contains("at most 512 steps") == true)
    }
    #expect(world.queries.isEmpty)
  }
}
