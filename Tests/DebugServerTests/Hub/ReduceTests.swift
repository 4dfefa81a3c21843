import DebugServer
import HostProcesses
import JSONCore
import Testing
import Timelines
import Wire

@Suite("Recorders as hosts")
struct HubReduceTests {
  private static let hello =
    #"{"type":"hello","version":"1.0","run":"r1","can":{"host":{"place":"process","makes":["A()"]}}}"#

  private func request(_ seq: Int64 = 1) -> ToRecorder.Reduce {
    ToRecorder.Reduce {
      $0.make = "A()"
      $0.seq = seq
    }
  }

  private func code(_ answer: HostAnswer?) -> ErrorCode? {
    if case .error(let error)? = answer { error.code } else { nil }
  }

  @Test("run one request after the other, in parts, and are busy meanwhile")
  func queue() {
    var world = HubWorld()
    let app = world.recorder(Self.hello)
    let peer = world.inspector()
    world.send(#"{"type":"watch","id":1}"#, as: peer)
    _ = (world.receive(as: app), world.receive(as: peer))
    world.drain(peer)
    world.handle(.reduce(1, app, request(1)))
    world.handle(.reduce(2, app, request(7)))
    let sent = world.receive(as: app)
    #expect(sent.map { $0["type"] } == ["reduce"] && sent[0]["seq"] == 1)
    #expect(world.receive(as: peer).first?["hosts"]?[0]?["busy"] == true)
    let id = sent[0]["id"]?.int ?? 0
    world.send(#"{"type":"reduced","re":\#(id),"entries":[{"seq":1}],"more":true}"#, as: app)
    #expect(world.receive(as: app).isEmpty)
    world.send(#"{"type":"reduced","re":\#(id),"entries":[]}"#, as: app)
    #expect(world.reduced.map(\.number) == [1, 1])
    let next = world.receive(as: app)
    #expect(next.first?["seq"] == 7)
    // An answer to a finished request, and one with another recorder's id, are ignored.
    world.send(#"{"type":"reduced","re":\#(id),"entries":[]}"#, as: app)
    #expect(world.reduced.count == 2)
    let last = next.first?["id"]?.int ?? 0
    world.send(#"{"type":"error","re":\#(last),"code":"not-found","message":"No."}"#, as: app)
    #expect(code(world.reduced.last?.answer) == .notFound)
    world.drain(peer)
    world.wait(100)
    #expect(world.receive(as: peer).last?["hosts"]?[0]?["busy"] == nil)
  }

  @Test("report a canceled request, and continue with the next")
  func cancels() {
    var world = HubWorld()
    let app = world.recorder(Self.hello)
    _ = world.receive(as: app)
    for number in 1...3 as ClosedRange<Int64> {
      world.handle(.reduce(number, app, request(number)))
    }
    let id = world.receive(as: app).first?["id"]
    world.handle(.cancelReduce(2))
    world.handle(.cancelReduce(1))
    let sent = world.receive(as: app)
    #expect(sent.map { $0["type"] } == ["cancel", "reduce"])
    #expect(sent[0]["request"] == id && sent[1]["seq"] == 3)
    #expect(world.reduced.isEmpty)
  }

  @Test(
    "that answer with an invalid message fail the request at once, with the mistake",
    arguments: [
      (#"{"type":"reduced","re":ID,"entries":7}"#, "'entries' must be"),
      (#"{"type":"reduced","re":ID}"#, "'entries' is missing"),
      (#"{"type":"reduced","entries":[]}"#, "'re' is missing"),
      (#"{"type":"reduced","re":"ID","entries":[]}"#, "'re' cannot be this"),
      (#"{"type":"reduced","re":999,"entries":[]}"#, "'re' cannot be this"),
      (#"{"type":"reduced","re":{},"entries":[]}"#, "'re' must be"),
      (#"{"type":"reduced","re":ID,"entries":["#, "not JSON"),
      (#"{"type":"finished","re":ID}"#, "no message of type 'finished'"),
    ])
  func wrongAnswer(answer: String, mistake: String) {
    var world = HubWorld()
    let app = world.recorder(Self.hello)
    _ = world.receive(as: app)
    world.handle(.reduce(1, app, request(1)))
    world.handle(.reduce(2, app, request(7)))
    let id = world.receive(as: app).first?["id"]?.int ?? 0
    world.send(answer.replacing("ID", with: "\(id)"), as: app)
    #expect(world.reduced.map(\.number) == [1])
    guard case .error(let error)? = world.reduced.first?.answer else {
      Issue.record("no error")
      return
    }
    #expect(error.message.contains("The host's answer is not valid."))
    #expect(error.message.contains(mistake), "\(error.message)")
    // It may go on answering: it is asked to stop, and gets the next request.
    let sent = world.receive(as: app).compactMap { $0["type"]?.string }
    #expect(sent.suffix(2) == ["cancel", "reduce"])
    world.send(#"{"type":"reduced","re":\#(id),"entries":[]}"#, as: app)
    #expect(world.reduced.count == 1)
  }

  @Test("with a mistake in anything else keep their request")
  func wrongOtherwise() {
    var world = HubWorld()
    let app = world.recorder(Self.hello)
    let other = world.recorder(Self.hello)
    world.handle(.reduce(1, app, request()))
    let id = world.receive(as: app).last?["id"]?.int ?? 0
    world.send(#"{"type":"open","header":{"reduced":1}}"#, as: app)
    world.send(#"{"type":"append","timeline":"\#(Say.timeline)","entries":"reduced"}"#, as: app)
    world.send(#"{"type":"done","re":\#(id + 1),"seq":"x"}"#, as: app)
    world.send(#"{"type":"reduced","re":\#(id),"entries":7}"#, as: other)
    #expect(world.reduced.isEmpty)
  }

  @Test("that do not answer in time fail the request, and get the next")
  func late() {
    var world = HubWorld { $0.reduceMilliseconds = 10_000 }
    let app = world.recorder(Self.hello)
    _ = world.receive(as: app)
    world.handle(.reduce(1, app, request()))
    world.handle(.reduce(2, app, request()))
    _ = world.receive(as: app)
    world.wait(24_999)
    #expect(world.reduced.isEmpty)
    world.wait(1)
    #expect(world.reduced.map(\.number) == [1] && code(world.reduced[0].answer) == .failed)
    #expect(world.receive(as: app).map { $0["type"] } == ["cancel", "reduce"])
  }

  @Test("that disconnect fail their running and waiting requests", arguments: ["process", "live"])
  func leaves(place: String) {
    var world = HubWorld()
    let app = world.recorder(Self.hello.replacing("process", with: place))
    world.handle(.reduce(1, app, request(5)))
    world.handle(.reduce(2, app, request(6)))
    world.handle(.disconnected(app))
    #expect(world.reduced.map(\.number) == [1, 2])
    guard case .error(let error) = world.reduced[0].answer else {
      Issue.record("no error")
      return
    }
    #expect(error.message.contains("entry 5") == (place == "live"))
    world.handle(.reduce(3, app, request()))
    #expect(code(world.reduced.last?.answer) == .failed)
  }

  @Test("that offered nothing are asked nothing, and a crowd is refused")
  func refuses() {
    var world = HubWorld { $0.reduces = 2 }
    let silent = world.recorder()
    _ = world.receive(as: silent)
    world.handle(.reduce(1, silent, request()))
    #expect(code(world.reduced.last?.answer) == .failed && world.receive(as: silent).isEmpty)
    let app = world.recorder(Self.hello)
    for number in 2...4 as ClosedRange<Int64> { world.handle(.reduce(number, app, request())) }
    #expect(world.reduced.map(\.number) == [1, 4])
  }

  @Test("are listed with their app and what they make, after executables")
  func summaries() {
    var world = HubWorld()
    let peer = world.inspector()
    let app = world.recorder(Self.hello.replacing("process", with: "live"))
    world.send(
      Say.open().replacing(#""name":"b"}"#, with: #""name":"b","make":"B()"}"#), as: app)
    world.handle(
      .hosts([
        ToInspector.HostSummary {
          $0.name = "App"
          $0.executable = "/build/App"
        }
      ]))
    world.send(#"{"type":"hosts","id":1}"#, as: peer)
    let hosts = world.receive(as: peer).last?["hosts"]?.array ?? []
    #expect(hosts.map { $0["name"] } == ["App", "Commute-r1"])
    #expect(hosts.last?["app"] == "Commute" && hosts.last?["makes"] == ["A()", "B()"])
  }
}
