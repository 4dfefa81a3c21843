import DebugServer
import JSONCore
import Testing
import Timelines
import Wire

@Suite("Control of live apps")
struct HubControlTests {
  /// A world with an app that can be controlled and writes a timeline.
  private func makeWorld(control: Bool = true) -> (world: HubWorld, app: PeerID) {
    var world = HubWorld()
    let app = world.recorder(
      #"{"type":"hello","version":"1.0"\#(control ? #","can":{"control":true}"# : "")}"#)
    world.send(Say.open(), as: app)
    world.send(Say.append(Say.entries(0...60)), as: app)
    _ = world.receive(as: app)
    return (world, app)
  }

  private func inspector(_ name: String, in world: inout HubWorld) -> PeerID {
    let peer = world.inspector(name)
    _ = world.receive(as: peer)
    world.drain(peer)
    return peer
  }

  private func send(_ body: String, id: Int, as peer: PeerID, in world: inout HubWorld) {
    world.send("{\(body),\"id\":\(id),\"timeline\":\"\(Say.timeline)\"}", as: peer)
  }

  /// Has the app carry out the last command; answers it.
  private func carryOut(_ app: PeerID, seq: Int64, in world: inout HubWorld) -> JSON? {
    guard let command = world.receive(as: app).last, let id = command["id"]?.int else { return nil }
    world.send(#"{"type":"done","re":\#(id),"seq":\#(seq)}"#, as: app)
    return command
  }

  /// Holds the machine; answers the inspector's lease and the recorder's.
  private func hold(
    _ peer: PeerID, _ app: PeerID, id: Int = 1, take: Bool = false, in world: inout HubWorld
  ) -> (own: String, recorder: String) {
    send(
      #""type":"hold","policy":"queue"\#(take ? #","take":true"# : "")"#, id: id, as: peer,
      in: &world)
    let command = carryOut(app, seq: 41, in: &world)
    #expect(command?["milliseconds"] == 15_000)
    let done = world.receive(as: peer).first { $0["re"]?.int == Int64(id) }
    #expect(done?["seq"] == 41)
    return (done?["lease"]?.string ?? "", command?["lease"]?.string ?? "")
  }

  @Test("is held, driven with the lease, renewed, and released")
  func whole() {
    var (world, app) = makeWorld()
    let peer = inspector("one", in: &world)
    let lease = hold(peer, app, in: &world)
    #expect(lease.own != lease.recorder)
    send(
      #""type":"dispatch","event":{"a":{}},"lease":"\#(lease.own)""#, id: 2, as: peer, in: &world)
    let dispatch = carryOut(app, seq: 42, in: &world)
    #expect(dispatch?["event"] == ["a": [:]])
    #expect(dispatch?["lease"]?.string == lease.recorder)
    #expect(world.receive(as: peer).contains { $0["re"] == 2 && $0["seq"] == 42 })
    send(#""type":"hold","policy":"queue","lease":"\#(lease.own)""#, id: 3, as: peer, in: &world)
    #expect(carryOut(app, seq: 42, in: &world)?["lease"]?.string == lease.recorder)
    #expect(world.receive(as: peer).first?["lease"]?.string == lease.own)
    send(#""type":"resume","lease":"\#(lease.own)""#, id: 4, as: peer, in: &world)
    #expect(carryOut(app, seq: 42, in: &world)?["type"] == "resume")
    _ = world.receive(as: peer)
    send(#""type":"step","lease":"\#(lease.own)""#, id: 5, as: peer, in: &world)
    #expect(world.receive(as: peer).contains { $0["code"] == "conflict" && $0["path"] == "lease" })
  }

  @Test("a renewal is reported if it changes the policy")
  func renewedPolicy() {
    var (world, app) = makeWorld()
    let peer = inspector("one", in: &world)
    let other = inspector("two", in: &world)
    send(#""type":"watch""#, id: 1, as: other, in: &world)
    world.answerQuery(.message(.done(ToInspector.Done { $0.seq = 60 })))
    let lease = hold(peer, app, in: &world)
    for (id, policy, isReported) in [
      (3, "queue", false), (4, "refuse", true), (5, "refuse", false),
    ] {
      for peer in [peer, other] {
        world.now += 20
        _ = world.receive(as: peer)
        world.drain(peer)
        _ = world.receive(as: peer)
      }
      send(
        #""type":"hold","policy":"\#(policy)","lease":"\#(lease.own)""#, id: id, as: peer,
        in: &world)
      #expect(carryOut(app, seq: 42, in: &world)?["policy"]?.string == policy)
      for peer in [peer, other] {
        let reported = world.receive(as: peer).last { $0["type"] == "control" }
        #expect((reported != nil) == isReported, "\(policy) after \(id)")
        if isReported { #expect(reported?["policy"]?.string == policy) }
      }
    }
  }

  @Test("answers a command once its entry can be read, or at the time limit")
  func storedFirst() {
    var (world, app) = makeWorld()
    let peer = inspector("one", in: &world)
    let lease = hold(peer, app, in: &world)
    let step = #""type":"step","lease":"\#(lease.own)""#
    send(step, id: 2, as: peer, in: &world)
    #expect(carryOut(app, seq: 61, in: &world) != nil)
    #expect(world.receive(as: peer).isEmpty)
    world.send(Say.append(Say.entries(61...61)), as: app)
    #expect(world.receive(as: peer).contains { $0["re"] == 2 && $0["seq"] == 61 })
    _ = world.receive(as: app)
    send(step, id: 3, as: peer, in: &world)
    #expect(carryOut(app, seq: 62, in: &world) != nil)
    #expect(world.receive(as: peer).isEmpty)
    world.wait(ServerLimits().commandMilliseconds)
    #expect(world.receive(as: peer).contains { $0["re"] == 3 && $0["seq"] == 62 })
  }

  @Test("answers a command at once if the app's answer is not valid")
  func wrongAnswer() {
    var (world, app) = makeWorld()
    let peer = inspector("one", in: &world)
    _ = hold(peer, app, in: &world)
    send(#""type":"capture""#, id: 2, as: peer, in: &world)
    let command = world.receive(as: app).last?["id"]?.int ?? 0
    world.send(#"{"type":"done","re":\#(command),"seq":"x"}"#, as: app)
    let answer = world.receive(as: peer).last
    #expect(answer?["re"] == 2 && answer?["code"] == "failed")
    #expect(answer?["message"]?.string?.contains("The app's answer is not valid.") == true)
    #expect(answer?["message"]?.string?.contains("'seq'") == true)
  }

  @Test("repeats an answer instead of a command")
  func idempotent() {
    var (world, app) = makeWorld()
    let peer = inspector("one", in: &world)
    let lease = hold(peer, app, in: &world)
    let step = #""type":"step","lease":"\#(lease.own)""#
    send(step, id: 2, as: peer, in: &world)
    send(step, id: 2, as: peer, in: &world)
    #expect(carryOut(app, seq: 42, in: &world) != nil)
    #expect(world.receive(as: peer).count { $0["re"] == 2 } == 1)
    send(step, id: 2, as: peer, in: &world)
    #expect(world.receive(as: app).isEmpty, "the app is not asked again")
    #expect(world.receive(as: peer).map { $0["seq"] } == [42])
  }

  @Test("is taken over only on request, and the loser is notified")
  func isTakenOver() {
    var (world, app) = makeWorld()
    let (one, two) = (inspector("one", in: &world), inspector("two", in: &world))
    let first = hold(one, app, in: &world)
    world.drain(one)
    send(#""type":"hold","policy":"queue""#, id: 1, as: two, in: &world)
    #expect(world.receive(as: two).first?["code"] == "conflict")
    world.now += 20
    let second = hold(two, app, id: 2, take: true, in: &world)
    #expect(second.recorder == first.recorder, "the machine never runs in between")
    #expect(second.own != first.own)
    let reported = world.receive(as: one).last { $0["type"] == "control" }
    #expect(reported?["yours"] == nil)
    send(#""type":"step","lease":"\#(first.own)""#, id: 9, as: one, in: &world)
    #expect(world.receive(as: one).contains { $0["code"] == "conflict" })
    send(#""type":"step","lease":"\#(first.own)""#, id: 9, as: two, in: &world)
    #expect(world.receive(as: two).contains { $0["code"] == "conflict" })
  }

  @Test("ends with the inspector's connection, the app's, and by the app's own will")
  func ends() {
    var (world, app) = makeWorld()
    let one = inspector("one", in: &world)
    _ = hold(one, app, in: &world)
    world.handle(.disconnected(one))
    #expect(world.types(app) == ["resume"])

    let two = inspector("two", in: &world)
    let lease = hold(two, app, in: &world)
    world.drain(two)
    world.now += 20
    world.send(
      #"{"type":"released","timeline":"\#(Say.timeline)","lease":"\#(lease.recorder)","why":"late"}"#,
      as: app)
    #expect(world.receive(as: two).first { $0["type"] == "control" }?["why"] == "late")
    send(#""type":"step","lease":"\#(lease.own)""#, id: 5, as: two, in: &world)
    #expect(world.receive(as: two).contains { $0["code"] == "conflict" })

    let again = hold(two, app, id: 6, in: &world)
    world.drain(two)
    world.now += 20
    send(#""type":"step","lease":"\#(again.own)""#, id: 7, as: two, in: &world)
    world.handle(.disconnected(app))
    #expect(world.receive(as: two).contains { $0["re"] == 7 && $0["code"] == "failed" })
  }

  @Test("is refused by apps that did not opt in, and where no app writes")
  func refused() {
    var (world, _) = makeWorld(control: false)
    let peer = inspector("one", in: &world)
    send(#""type":"hold","policy":"refuse""#, id: 1, as: peer, in: &world)
    #expect(world.receive(as: peer).first?["code"] == "forbidden")
    world.send(
      #"{"type":"hold","id":2,"policy":"refuse","timeline":"\#(TimelineID.random())"}"#, as: peer)
    #expect(world.receive(as: peer).first?["code"] == "not-found")
  }

  @Test("passes on what the app refuses, and says when it does not answer")
  func appSilence() {
    var (world, app) = makeWorld()
    let peer = inspector("one", in: &world)
    send(#""type":"hold","policy":"refuse""#, id: 1, as: peer, in: &world)
    let id = world.receive(as: app).last?["id"]?.int ?? 0
    world.send(
      #"{"type":"error","re":\#(id),"code":"forbidden","message":"Not now."}"#, as: app)
    #expect(world.receive(as: peer).first?["message"] == "Not now.")
    send(#""type":"hold","policy":"refuse""#, id: 2, as: peer, in: &world)
    world.wait(15_000)
    #expect(world.receive(as: peer).first?["code"] == "failed")
  }

  @Test("restores the state of a moment, found in the store")
  func restore() throws {
    var (world, app) = makeWorld()
    let peer = inspector("one", in: &world)
    let lease = hold(peer, app, in: &world)
    let from = #"{"timeline":"\#(Say.timeline)","seq":7}"#
    let restore = #""type":"restore","lease":"\#(lease.own)","from":\#(from)"#
    send(restore, id: 2, as: peer, in: &world)
    let state = try JSONSlice(validating: Array(#"{"n":7}"#.utf8))
    world.answerQuery(.message(.state(ToInspector.State { $0.value = state })))
    let command = carryOut(app, seq: 50, in: &world)
    #expect(command?["state"] == ["n": 7])
    #expect(command?["from"]?["seq"] == 7)
    #expect(world.receive(as: peer).contains { $0["re"] == 2 && $0["seq"] == 50 })
    send(restore, id: 3, as: peer, in: &world)
    world.answerQuery(.refused(Refusal(.forbidden, "Stand-ins.")))
    #expect(world.receive(as: peer).first?["code"] == "forbidden")
  }

  @Test(
    "an inspector that arrives during a hold learns who holds it", arguments: [true, false])
  func lateWatcher(looksAtAll: Bool) {
    var (world, app) = makeWorld()
    let holder = inspector("one", in: &world)
    _ = hold(holder, app, in: &world)
    let late = inspector("two", in: &world)
    world.wait(100)
    #expect(world.receive(as: late).isEmpty)
    if looksAtAll {
      world.send(#"{"type":"watch","id":1}"#, as: late)
    } else {
      send(#""type":"watch""#, id: 1, as: late, in: &world)
    }
    world.drain(late)
    world.wait(100)
    let reported = world.receive(as: late).first { $0["type"] == "control" }
    #expect(reported?["timeline"]?.string == Say.timeline)
    #expect(reported?["held"] == true)
    #expect(reported?["yours"] == nil)
    #expect(reported?["holder"] == "one")
    #expect(reported?["policy"] == "queue")
  }

  @Test("an answer that another app forges is ignored")
  func forged() {
    var (world, app) = makeWorld()
    let stranger = world.recorder()
    let peer = inspector("one", in: &world)
    send(#""type":"hold","policy":"refuse""#, id: 1, as: peer, in: &world)
    let id = world.receive(as: app).last?["id"]?.int ?? 0
    world.send(#"{"type":"done","re":\#(id),"seq":1}"#, as: stranger)
    #expect(world.receive(as: peer).isEmpty)
  }

  @Test("a lease is shared on the same socket, and ends with its holder")
  func joins() {
    var (world, app) = makeWorld()
    let peer = inspector("one", in: &world)
    let other = inspector("two", in: &world)
    let join = #""type":"hold","policy":"queue","join":true"#
    send(join, id: 1, as: other, in: &world)
    #expect(world.receive(as: other).first?["code"] == "conflict" && world.receive(as: app).isEmpty)
    let lease = hold(peer, app, in: &world)
    _ = (world.receive(as: peer), world.receive(as: app))
    send(join, id: 2, as: other, in: &world)
    #expect(
      world.receive(as: other).first?["lease"]?.string == lease.own
        && world.receive(as: app).isEmpty)
    send(
      #""type":"dispatch","event":{"a":{}},"lease":"\#(lease.own)""#, id: 3, as: other, in: &world)
    #expect(carryOut(app, seq: 42, in: &world)?["lease"]?.string == lease.recorder)
    #expect(world.receive(as: other).contains { $0["re"] == 3 && $0["seq"] == 42 })
    // If the inspector that joined leaves, the machine stays held. If it releases it, the holder is
    // notified.
    world.handle(.disconnected(other))
    #expect(world.receive(as: app).isEmpty)
    let third = inspector("three", in: &world)
    world.drain(peer)
    send(#""type":"resume","lease":"\#(lease.own)""#, id: 4, as: third, in: &world)
    #expect(carryOut(app, seq: 42, in: &world)?["type"] == "resume")
    world.drain(peer)
    world.wait(100)
    #expect(
      world.receive(as: peer).contains {
        $0["type"] == "control" && $0["held"] == nil
          && $0["why"] == "Another command released the machine."
      })
  }

  @Test("a page of another session cannot join, and its lease is not valid on the socket")
  func pagesDoNotJoin() {
    var (world, app) = makeWorld()
    let peer = inspector("one", in: &world)
    let code = world.code()
    let page = world.connect(.inspector, .port)
    _ = world.signIn(page, key: code.key, secret: code.secret)
    let lease = hold(peer, app, in: &world)
    send(#""type":"hold","policy":"queue","join":true"#, id: 1, as: page, in: &world)
    #expect(world.receive(as: page).contains { $0["code"] == "conflict" })
    send(#""type":"step","lease":"\#(lease.own)""#, id: 2, as: page, in: &world)
    #expect(world.receive(as: page).contains { $0["code"] == "conflict" })
  }

  @Test("reports how many of the app's events wait, as of the last command")
  func queued() {
    var (world, app) = makeWorld()
    let peer = inspector("one", in: &world)
    let lease = hold(peer, app, in: &world)
    world.drain(peer)
    world.wait(100)
    _ = world.receive(as: peer)
    for (id, queued) in [(2, 3), (3, 3), (4, 0)] {
      send(
        #""type":"hold","policy":"queue","lease":"\#(lease.own)""#, id: id, as: peer, in: &world)
      let command = world.receive(as: app).last?["id"]?.int ?? 0
      world.send(#"{"type":"done","re":\#(command),"seq":41,"queued":\#(queued)}"#, as: app)
      world.drain(peer)
      world.wait(100)
      let news = world.receive(as: peer).filter { $0["type"] == "control" }
      #expect(news.compactMap { $0["queued"]?.int } == (id == 3 ? [] : [Int64(queued)]))
    }
  }
}
