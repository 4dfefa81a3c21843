import DebugServer
import JSONCore
import Testing
import Timelines

@Suite("What the daemon advises its peers")
struct HubRemedyTests {
  private func message(_ reply: JSON?) -> String? { reply?["message"]?.string }

  @Test("an inspector that may not sign in")
  func signingIn() {
    var world = HubWorld(sessions: HubWorld.session())
    let stranger = world.connect(.inspector, .port)
    world.send(#"{"type":"hello","version":"1.0"}"#, as: stranger)
    #expect(
      message(world.receive(as: stranger).first)
        == "Sign in with a code or a session. To get a code, run: debugd open")

    let late = world.connect(.inspector, .port)
    #expect(
      message(world.challenge(late, key: "s9"))
        == "The session has ended. To open a new one, run: debugd open")

    let used = world.connect(.inspector, .port)
    #expect(
      message(world.challenge(used, key: "c9"))
        == "The code was used or has expired. To get a new one, run: debugd open")

    let liar = world.connect(.inspector, .port)
    _ = world.challenge(liar, key: "s1")
    #expect(
      message(world.prove(liar, "no proof"))
        == "The proof is wrong. To sign in again, run: debugd open")
    // As all of them say.
    let code = world.code()
    let page = world.connect(.inspector, .port)
    #expect(world.signIn(page, key: code.key, secret: code.secret)["type"] == "welcome")
  }

  @Test("an inspector over TCP that asks for a code")
  func inviting() {
    var world = HubWorld(sessions: HubWorld.session())
    let page = world.connect(.inspector, .port)
    _ = world.signIn(page, key: "s1", secret: "t1")
    world.send(#"{"type":"invite","id":1}"#, as: page)
    #expect(
      message(world.receive(as: page).first)
        == "Codes are issued only on the daemon's machine. To get one, run there: debugd open")
  }

  @Test("a recorder with another secret")
  func recorder() {
    var world = HubWorld()
    let peer = world.connect(.recorder, .port)
    world.send(#"{"type":"hello","version":"1.0","nonce":"\#(HubWorld.nonce)"}"#, as: peer)
    _ = world.receive(as: peer)
    let proof = String(repeating: "0", count: 64)
    world.send(#"{"type":"hello","version":"1.0","proof":"\#(proof)"}"#, as: peer)
    #expect(
      message(world.receive(as: peer).first)
        == "The proof is wrong. To fix, give the recorder this daemon's secret.")
  }

  @Test("a recorder about timelines that are not open")
  func notOpen() {
    var world = HubWorld()
    let peer = world.recorder()
    _ = world.receive(as: peer)
    world.send(Say.append(Say.entries(0...0)), as: peer)
    #expect(
      message(world.receive(as: peer).first)
        == "The timeline is not open on this connection. To fix, send 'open' first.")
    // As it says.
    world.send(Say.open(), as: peer)
    world.send(Say.append(Say.entries(0...0)), as: peer)
    #expect(world.stored[Say.id]?.map(\.seq) == [0])
    world.send(#"{"type":"close","timeline":"\#(Say.timeline)"}"#, as: peer)
    _ = world.receive(as: peer)
    world.send(Say.append(Say.entries(1...1)), as: peer)
    #expect(
      message(world.receive(as: peer).first)
        == "The timeline was closed. To add to it, send 'open' first.")
    world.send(Say.open(), as: peer)
    world.send(Say.append(Say.entries(1...1)), as: peer)
    #expect(world.stored[Say.id]?.map(\.seq) == [0, 1])
  }

  @Test("a recorder after an error in a timeline")
  func ended() {
    var world = HubWorld()
    let peer = world.recorder()
    world.send(Say.open(), as: peer)
    world.send(Say.append(Say.entries(0...1)), as: peer)
    world.send(Say.append(Say.entries(5...5)), as: peer)
    _ = world.receive(as: peer)
    world.send(Say.append(Say.entries(6...6)), as: peer)
    #expect(
      message(world.receive(as: peer).first) == """
        An error ended the timeline on this connection. To go on with it, connect again and begin \
        after the last acknowledged entry.
        """)
    world.handle(.disconnected(peer))
    let again = world.recorder()
    world.send(Say.open(), as: again)
    world.send(Say.append(Say.entries(2...3)), as: again)
    #expect(world.stored[Say.id]?.map(\.seq) == [0, 1, 2, 3])
  }

  @Test("an inspector that may not drive a machine")
  func control() {
    var world = HubWorld()
    let app = world.recorder()
    world.send(Say.open(), as: app)
    world.send(Say.append(Say.entries(0...1)), as: app)
    let peer = world.inspector("one")
    _ = world.receive(as: peer)
    world.drain(peer)
    world.send(
      #"{"type":"hold","id":1,"policy":"queue","timeline":"\#(Say.timeline)"}"#, as: peer)
    #expect(
      message(world.receive(as: peer).last) == """
        The program did not opt in to control. To fix, set allowsControl in its recorder's options, and \
        start it again.
        """)
  }

  @Test("an inspector that holds nothing")
  func notHeld() {
    var world = HubWorld()
    let app = world.recorder(#"{"type":"hello","version":"1.0","can":{"control":true}}"#)
    world.send(Say.open(), as: app)
    world.send(Say.append(Say.entries(0...1)), as: app)
    let peer = world.inspector("one")
    _ = world.receive(as: peer)
    world.drain(peer)
    world.send(
      #"{"type":"hold","id":1,"policy":"queue","join":true,"timeline":"\#(Say.timeline)"}"#,
      as: peer)
    #expect(
      message(world.receive(as: peer).last)
        == "This machine is not held. To fix, hold it first.")
    world.drain(peer)
    world.send(
      #"{"type":"step","id":2,"lease":"x","timeline":"\#(Say.timeline)"}"#, as: peer)
    #expect(
      message(world.receive(as: peer).last)
        == "The machine is not held by this lease. To fix, hold it first.")
  }
}
