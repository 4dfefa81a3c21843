import DebugServer
import JSONCore
import Testing
import Timelines
import Wire

@Suite("Who is looking")
struct ViewerTests {
  /// A browser that is signed in and follows the list of timelines.
  private func browser(_ capabilities: String? = nil, in world: inout HubWorld) -> PeerID {
    let code = world.code(capabilities)
    let peer = world.connect(.inspector, .port)
    #expect(world.signIn(peer, key: code.key, secret: code.secret)["type"] == "welcome")
    world.send(#"{"type":"watch","id":1}"#, as: peer)
    return peer
  }

  /// The sessions in the last report to an inspector; `nil` if there was none.
  private func report(to peer: PeerID, in world: inout HubWorld) -> [JSON]? {
    world.drain(peer)
    world.wait(1_000)
    let reports = world.receive(as: peer).filter { $0["type"] == "sessions" }
    #expect(reports.allSatisfy { $0["re"] == nil })
    return reports.last?["sessions"]?.array
  }

  @Test("those who come, follow a timeline, and leave are reported")
  func comingAndGoing() throws {
    var world = HubWorld()
    let first = browser(in: &world)
    let alone = try #require(report(to: first, in: &world))
    #expect(alone.count == 1)
    #expect(alone[0]["yours"] == true)

    let second = browser(in: &world)
    let both = try #require(report(to: first, in: &world))
    #expect(both.map { $0["connected"] == true } == [true, true])
    #expect(both.map { $0["yours"] == true } == [true, false])
    #expect(both[1]["watching"] == nil)

    world.send(#"{"type":"watch","id":2,"timeline":"\#(Say.timeline)"}"#, as: second)
    world.answerQuery(.message(.done(ToInspector.Done { $0.seq = 4 })))
    #expect(report(to: first, in: &world)?[1]["watching"] == [.string(Say.timeline)])

    world.send(#"{"type":"watch","id":3,"timeline":"\#(Say.timeline)","stop":true}"#, as: second)
    #expect(report(to: first, in: &world)?[1]["watching"] == nil)

    world.handle(.disconnected(second))
    #expect(report(to: first, in: &world)?[1]["connected"] == nil)
    #expect(report(to: first, in: &world) == nil)
  }

  @Test("sessions that cannot change anything, and commands, get no report about others")
  func strangers() {
    var world = HubWorld()
    let looking = browser(#"["look"]"#, in: &world)
    let command = world.inspector()
    world.send(#"{"type":"watch","id":1}"#, as: command)
    _ = browser(in: &world)
    #expect(report(to: looking, in: &world) == nil)
    #expect(report(to: command, in: &world) == nil)
    world.send(#"{"type":"sessions","id":2}"#, as: looking)
    #expect(world.receive(as: looking).last?["sessions"]?.array?.count == 1)
  }

  @Test("an inspector that does not read gets one report, about what is true when it reads again")
  func slow() {
    var world = HubWorld()
    let first = browser(in: &world)
    _ = report(to: first, in: &world)
    // Its queue is not empty.
    world.send(#"{"type":"sessions","id":2}"#, as: first)
    _ = world.receive(as: first)
    for _ in 0..<5 { world.handle(.disconnected(browser(in: &world))) }
    world.wait(1_000)
    #expect(world.receive(as: first).isEmpty)
    let late = report(to: first, in: &world)
    #expect(late?.count == 6)
    #expect(late?.count { $0["connected"] == true } == 1)
  }
}
